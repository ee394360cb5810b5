// The view of an organization's page.

import type { Member } from "#content/members/shapes.js";
import type { Organization } from "#content/organizations/shapes.js";
import { useTexts } from "#web/context/texts.js";
import { Button, ButtonLink } from "#web/parts/button.js";
import { EmptyState } from "#web/parts/empty-state.js";
import { Form } from "#web/parts/form.js";
import { MoreMenu } from "#web/parts/more-menu.js";
import { Notice } from "#web/parts/notice.js";
import { Picture } from "#web/parts/picture.js";
import { ProfileHeader } from "#web/parts/profile-header.js";
import { FollowAuthorButton, Followers, type Following } from "#web/shared/follow-author.js";
import { type ProjectPages, ProjectsByType, Totals } from "#web/shared/projects-by-type.js";
import { texts } from "#words/texts.js";

export interface OrgPageData {
  org: Organization;
  /** The members that the visitor may see. */
  members: Member[];
  list: ProjectPages;
  isInvited: boolean;
  canManage: boolean;
  following: Following;
}

export const OrgView = ({ data }: { data: OrgPageData }) => {
  const shared = useTexts(texts.users.shared);
  const { org, members, list, isInvited } = data;
  return (
    <div class="stack loose">
      {isInvited && <Invitation org={org} />}
      <ProfileHeader
        picture={org.icon}
        name={org.name}
        text={org.description}
        figures={
          <>
            <Totals all={list.all} members={members.filter(({ accepted }) => accepted).length} />
            <Followers following={data.following} />
          </>
        }
        actions={<Actions data={data} />}
      />
      <div class="profile-body">
        <section class="stack" aria-labelledby="projects">
          <h2 id="projects">{shared.projects}</h2>
          {list.shown.length === 0 && list.page === 1 ? <Nothing data={data} /> : <ProjectsByType list={list} />}
        </section>
        <aside class="stack">
          <section class="card stack">
            <h2 class="side-title">{shared.members}</h2>
            <ul class="project-roll">
              {members
                .toSorted((one, other) => Number(other.isOwner) - Number(one.isOwner))
                .map((member) => (
                  <MemberLine key={member.id} member={member} />
                ))}
            </ul>
          </section>
        </aside>
      </div>
    </div>
  );
};

export const MemberLine = ({ member }: { member: Member }) => {
  const t = useTexts(texts.users.shared);
  return (
    <li>
      <Picture src={member.avatar} size={40} round />
      <span>
        <a href={`/user/${member.userName}`}>{member.userName}</a>
        <span class="muted small" dir="auto">
          {member.isOwner ? t.owner : member.accepted ? t.role(member.role) : t.pending}
        </span>
      </span>
    </li>
  );
};

const Invitation = ({ org }: { org: Organization }) => {
  const t = useTexts(texts.organizations.organization);
  return (
    <Notice title={t.invited(org.name)}>
      <p>{t.invitedText}</p>
      <Form class="actions" action={`/organization/${org.slug}/invitation`}>
        <Button name="answer" value="accept">
          {t.accept}
        </Button>
        <Button kind="quiet" name="answer" value="decline">
          {t.decline}
        </Button>
      </Form>
    </Notice>
  );
};

const Actions = ({ data: { org, list, canManage, following } }: { data: OrgPageData }) => {
  const t = useTexts(texts.organizations.organization);
  const owner = org.members.find(({ isOwner }) => isOwner);
  return (
    <>
      {canManage && <ButtonLink href={`${list.base}/settings`}>{t.settings}</ButtonLink>}
      <FollowAuthorButton path={list.base} name={org.name} following={following} />
      <MoreMenu
        feed={`${list.base}/feed.atom`}
        report={
          canManage || !owner
            ? undefined
            : `/report?itemType=user&itemId=${owner.userId}&about=${encodeURIComponent(list.base)}`
        }
        id={org.id}
      />
    </>
  );
};

const Nothing = ({ data: { list, canManage } }: { data: OrgPageData }) => {
  const t = useTexts(texts.organizations.organization);
  if (list.all.length > 0) return <EmptyState title={t.nothingOfType} action={{ href: list.base, text: t.seeAll }} />;
  const action = { href: `${list.base}/settings/projects`, text: t.addProject };
  return <EmptyState title={t.nothing} {...(canManage && { action })} />;
};
