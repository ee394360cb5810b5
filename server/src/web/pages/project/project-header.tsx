// The top of every page of a project: name, summary, actions and banner.

import type { Project } from "#content/shapes/project.js";
import { categoryName } from "#web/context/category-names.js";
import { useFormat, useFrame } from "#web/context/frame.js";
import { projectPath } from "#web/context/project-path.js";
import { useTypes } from "#web/context/project-types.js";
import { useTexts } from "#web/context/texts.js";
import { ButtonLink } from "#web/parts/button.js";
import { CopyButton } from "#web/parts/copy-button.js";
import { Icon } from "#web/parts/icon.js";
import { Notice } from "#web/parts/notice.js";
import { Picture } from "#web/parts/picture.js";
import { iconOf } from "#web/parts/project-card.js";
import { StaffProjectLinks } from "#web/parts/staff-menu.js";
import { TagIcon } from "#web/parts/tag-icon.js";
import { Time } from "#web/parts/time.js";
import { ChangesBanner } from "#web/shared/changes-banner.js";
import type { PageView } from "#web/shared/project-view.js";
import { texts } from "#words/texts.js";
import { FollowButton } from "./follow-button.js";
import { LauncherMenu } from "./launchers.js";
import { SaveButton } from "./save-button.js";

export const ProjectHeader = ({ view }: { view: PageView }) => {
  const t = useTexts(texts.parts.common);
  const format = useFormat();
  const { locale, path } = useFrame();
  const { typeName, typePath } = useTypes();
  const { project } = view;
  const isMain = path === projectPath(project.slug);
  const listPath = project.type[0] === undefined ? "/projects" : typePath(project.type[0]);
  return (
    <header class={isMain ? "project-header" : "project-header slim"}>
      <svg class="project-wash" width="100%" height="100%" aria-hidden="true">
        <rect width="100%" height="100%" fill={project.color} opacity=".14" />
        <rect width="5" height="100%" fill={project.color} />
      </svg>
      <Picture src={iconOf(project)} size={96} isFirst />
      <div class="project-title">
        <h1>
          <a href={projectPath(project.slug)} dir="auto">
            {project.name}
          </a>
        </h1>
        <Author project={project} />
        <p class="lead">
          <bdi>{project.summary}</bdi>
        </p>
        <p class="project-figures" data-swap="figures">
          <span title={t.downloads(format.number(project.downloads))}>
            <Icon name="download" /> {t.downloads(format.count(project.downloads))}
          </span>
          <span title={t.followers(format.number(project.followers))}>
            <Icon name="heart" /> {t.followers(format.count(project.followers))}
          </span>
          <span>
            <Icon name="clock" /> <Time at={project.dateUpdated} />
          </span>
        </p>
        <p class="tags">
          {project.type.map((type) => (
            <a key={type} href={typePath(type)}>
              <TagIcon kind="type" name={type} /> {typeName(type)}
            </a>
          ))}
          {project.featuredCategories.map((category) => (
            <a key={category} href={`${listPath}?c=${encodeURIComponent(category)}`}>
              <TagIcon kind="category" name={category} /> {categoryName(category, locale)}
            </a>
          ))}
        </p>
      </div>
      <Actions view={view} />
    </header>
  );
};

/** The organization, or else the owner. All members are in the side column. */
const Author = ({ project: { organisation, members } }: { project: Project }) => {
  const t = useTexts(texts.parts.common);
  const owner = members.find(({ isOwner, accepted }) => isOwner && accepted);
  if (!organisation && !owner) return null;
  const [href, picture, name] = organisation
    ? [`/organization/${organisation.slug}`, organisation.icon, organisation.name]
    : [`/user/${owner!.userName}`, owner!.avatar, owner!.userName];
  return (
    <p class="project-by">
      {t.by} <Picture src={picture} size={24} round={!organisation} isAtTop />{" "}
      <a href={href} dir="auto">
        {name}
      </a>
    </p>
  );
};

/** One button stands out: the download for visitors, the next version for those who can upload one. */
const Actions = ({ view }: { view: PageView }) => {
  const t = useTexts(texts.project.page);
  const save = useTexts(texts.project.save);
  const { siteUrl } = useFrame();
  const { project, versions, permissions } = view;
  const path = projectPath(project.slug);
  const isMember = permissions.size > 0;
  const canUpload = permissions.has("upload_version");
  return (
    <div class={isMember ? "project-actions of-member" : "project-actions"}>
      {canUpload && (
        <ButtonLink href={`${path}/version/new`}>
          <Icon name="upload" /> {t.uploadVersion}
        </ButtonLink>
      )}
      {versions.length > 0 && (
        <div class="split-button">
          <ButtonLink class="download" href={`${path}/download`} {...(canUpload && { kind: "quiet" })}>
            <Icon name="download" /> {t.download}
          </ButtonLink>
          <LauncherMenu view={view} downloadPage={`${path}/download`} {...(canUpload && { kind: "quiet" })} />
        </div>
      )}
      {!isMember && <FollowButton view={view} />}
      <div class="with-more">
        {isMember ? (
          <ButtonLink kind="quiet" href={`${path}/settings`}>
            <Icon name="edit" /> {t.editProject}
          </ButtonLink>
        ) : (
          <SaveButton view={view} />
        )}
        <details class="menu">
          <summary class="button quiet">
            <Icon name="more" /> <span class="more-word">{t.more}</span>
          </summary>
          <ul>
            {isMember && (
              <>
                <li>
                  <FollowButton view={view} />
                </li>
                <li>
                  <SaveButton view={view} isInMenu />
                </li>
                <li>
                  <a href={`${path}/save`}>{save.all}</a>
                </li>
              </>
            )}
            <li>
              <a href={`/report?itemType=project&itemId=${project.id}`} rel="nofollow">
                {t.report}
              </a>
            </li>
            <li>
              <CopyButton text={`${siteUrl}${path}`} label={t.copyLink} />
            </li>
            <li>
              <CopyButton text={project.id} label={t.copyId} />
            </li>
            <StaffProjectLinks project={project} />
          </ul>
        </details>
      </div>
    </div>
  );
};

type BannerName = Exclude<Project["status"], "approved"> | Exclude<Project["visibility"], "listed">;

/** At most one: its review status comes before its visibility. */
const bannerOf = ({ status, visibility }: Project): BannerName | undefined => {
  if (status !== "approved") return status;
  return visibility === "listed" ? undefined : visibility;
};

export const Banners = ({ view: { project, isInvited, permissions, isStaff, asked } }: { view: PageView }) => {
  const t = useTexts(texts.project.page);
  const name = asked ? undefined : bannerOf(project);
  const isModerated = project.status !== "approved" && project.status !== "draft";
  return (
    <>
      {name && (
        <Notice kind="warning" title={t.banners[name].title}>
          <p>{t.banners[name].text}</p>
          {isModerated && (permissions.size > 0 || isStaff) && (
            <p>
              <a href={`${projectPath(project.slug)}/moderation`}>{t.toThread}</a>
            </p>
          )}
        </Notice>
      )}
      {asked && <ChangesBanner project={project} asked={asked} />}
      {isInvited && (
        <Notice title={t.invited.title}>
          <p>
            <a href="/dashboard/notifications">{t.invited.answer}</a>
          </p>
        </Notice>
      )}
    </>
  );
};
