// The view of a user's page.

import type { User } from "#accounts/users/contract.js";
import type { Collection } from "#community/collections/shapes.js";
import type { Organization } from "#content/organizations/shapes.js";
import { useTexts } from "#web/context/texts.js";
import { ButtonLink } from "#web/parts/button.js";
import { EmptyState } from "#web/parts/empty-state.js";
import { MoreMenu } from "#web/parts/more-menu.js";
import { Notice } from "#web/parts/notice.js";
import { Picture } from "#web/parts/picture.js";
import { ProfileHeader } from "#web/parts/profile-header.js";
import { StaffUserMenu } from "#web/parts/staff-menu.js";
import { Time } from "#web/parts/time.js";
import { FollowAuthorButton, Followers, type Following } from "#web/shared/follow-author.js";
import { type ProjectPages, ProjectsByType, Totals } from "#web/shared/projects-by-type.js";
import { texts } from "#words/texts.js";

export interface UserPageData {
  user: User;
  list: ProjectPages;
  organizations: Organization[];
  collections: Collection[];
  isOwn: boolean;
  isDeleted: boolean;
  following: Following;
}

export const UserView = ({ data }: { data: UserPageData }) => {
  const t = useTexts(texts.users.user);
  const { user, list, isDeleted } = data;
  const shared = useTexts(texts.users.shared);
  return (
    <div class="stack loose">
      {user.profilePageBg !== null && (
        <img class="profile-background" src={user.profilePageBg} alt="" width={1240} height={240} />
      )}
      <ProfileHeader
        picture={user.avatar}
        round
        name={isDeleted ? t.deletedName : user.name}
        handle={isDeleted ? undefined : <Handle data={data} />}
        text={user.bio}
        figures={
          <>
            <Totals all={list.all} />
            {!isDeleted && <Followers following={data.following} />}
            {!isDeleted && (
              <span>
                {shared.joined} <Time at={user.dateJoined} exact />
              </span>
            )}
          </>
        }
        actions={isDeleted ? undefined : <Actions data={data} />}
      />
      {isDeleted && (
        <Notice title={t.deletedTitle}>
          <p>{t.deletedText}</p>
        </Notice>
      )}
      <div class="profile-body">
        <section class="stack" aria-labelledby="projects">
          <h2 id="projects">{shared.projects}</h2>
          {list.shown.length === 0 && list.page === 1 ? <Nothing data={data} /> : <ProjectsByType list={list} />}
        </section>
        <Side data={data} />
      </div>
    </div>
  );
};

const Handle = ({ data: { user } }: { data: UserPageData }) => {
  const t = useTexts(texts.users.user);
  return (
    <>
      @{user.userName}
      {user.role !== "user" && <span class="pill role">{user.role === "admin" ? t.admin : t.moderator}</span>}
    </>
  );
};

const Actions = ({ data: { user, list, isOwn, following } }: { data: UserPageData }) => {
  const t = useTexts(texts.users.user);
  return (
    <>
      {isOwn ? (
        <ButtonLink href="/settings/profile">{t.edit}</ButtonLink>
      ) : (
        <FollowAuthorButton path={list.base} name={user.name} following={following} />
      )}
      <MoreMenu
        feed={`${list.base}/feed.atom`}
        report={isOwn ? undefined : `/report?itemType=user&itemId=${user.id}`}
        id={user.id}
      />
      {!isOwn && <StaffUserMenu userName={user.userName} />}
    </>
  );
};

const Nothing = ({ data: { user, list, isOwn } }: { data: UserPageData }) => {
  const t = useTexts(texts.users.user);
  if (list.all.length > 0) return <EmptyState title={t.nothingOfType} action={{ href: list.base, text: t.seeAll }} />;
  return isOwn ? (
    <EmptyState title={t.ownNoProjects} action={{ href: "/new", text: t.publish }} />
  ) : (
    <EmptyState title={t.noProjects(user.userName)} />
  );
};

const Side = ({ data: { organizations, collections, isOwn } }: { data: UserPageData }) => {
  const t = useTexts(texts.users.user);
  const shared = useTexts(texts.users.shared);
  if (organizations.length === 0 && collections.length === 0 && !isOwn) return null;
  return (
    <aside class="stack">
      {organizations.length > 0 && (
        <section class="card stack">
          <h2 class="side-title">{t.organizations}</h2>
          <ul class="project-roll">
            {organizations.map((org) => (
              <li key={org.id}>
                <Picture src={org.icon} size={40} />
                <a href={`/organization/${org.slug}`} dir="auto">
                  {org.name}
                </a>
              </li>
            ))}
          </ul>
        </section>
      )}
      {(collections.length > 0 || isOwn) && (
        <section class="card stack">
          <h2 class="side-title">{t.collections}</h2>
          {collections.length > 0 && (
            <ul class="project-roll">
              {collections.map((collection) => (
                <li key={collection.id}>
                  <span>
                    <a href={`/collection/${collection.id}`} dir="auto">
                      {collection.name}
                    </a>
                    <span class="muted small">
                      {shared.projectCount(`${collection.projects.length}`, collection.projects.length === 1)}
                      {collection.visibility !== "public" && ` · ${t.visibility[collection.visibility]}`}
                    </span>
                  </span>
                </li>
              ))}
            </ul>
          )}
          {isOwn && <a href="/collections/new">{t.newCollection}</a>}
        </section>
      )}
    </aside>
  );
};
