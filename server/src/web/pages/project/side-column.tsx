// The side column of a project's pages: compatibility, required projects, links, authors, details, disclosures.

import type { Project } from "#content/shapes/project.js";
import type { Children } from "#lib/jsx-runtime.js";
import { categoryName } from "#web/context/category-names.js";
import { useFormat, useFrame } from "#web/context/frame.js";
import { projectPath } from "#web/context/project-path.js";
import { useTexts } from "#web/context/texts.js";
import { ChannelPill } from "#web/parts/channel-pill.js";
import { CopyButton } from "#web/parts/copy-button.js";
import { Disclosures, hasStated } from "#web/parts/disclosures.js";
import { Picture } from "#web/parts/picture.js";
import { iconOf } from "#web/parts/project-card.js";
import { Time } from "#web/parts/time.js";
import type { PageVersion, PageView } from "#web/shared/project-view.js";
import { versionPath } from "#web/shared/version-paths.js";
import { texts } from "#words/texts.js";
import { CompatMatrix } from "./compat-matrix.js";
import type { RequiredProject } from "./required-projects.js";

interface Props {
  view: PageView;
  requires: readonly RequiredProject[];
}

export const SideColumn = ({ view, requires }: Props) => {
  const { project, versions } = view;
  return (
    <>
      <Requires projects={requires} />
      <Featured slug={project.slug} versions={versions} />
      <Links project={project} />
      <Creators project={project} />
      <Facts project={project} />
      {hasStated(project.disclosures) && (
        <Block title={useTexts(texts.parts.disclosures).title}>
          <Disclosures disclosures={project.disclosures} />
        </Block>
      )}
    </>
  );
};

/** Apart from the rest, because on phones it comes before the description. */
export const Compatibility = ({ view: { project, versions, offered, taxonomy } }: { view: PageView }) => (
  <Block title={useTexts(texts.project.page).compat}>
    <CompatMatrix slug={project.slug} versions={offered ?? versions} taxonomy={taxonomy} />
  </Block>
);

export const Block = ({ title, children }: { title: string; children: Children }) => (
  <section class="side-block">
    <h2>{title}</h2>
    {children}
  </section>
);

const Requires = ({ projects }: { projects: readonly RequiredProject[] }) => {
  const t = useTexts(texts.project.page);
  if (projects.length === 0) return null;
  return (
    <Block title={t.requires}>
      <ul class="plain-list people">
        {projects.map((project) => (
          <li key={project.id}>
            <Picture src={iconOf(project)} size={40} />
            <a href={projectPath(project.slug)} dir="auto">
              {project.name}
            </a>
          </li>
        ))}
      </ul>
    </Block>
  );
};

const mostFeatured = 5;

const Featured = ({ slug, versions }: { slug: string; versions: readonly PageVersion[] }) => {
  const t = useTexts(texts.project.page);
  const featured = versions.filter((version) => version.featured && !version.yanked).slice(0, mostFeatured);
  if (featured.length === 0) return null;
  return (
    <Block title={t.featured}>
      <ul class="plain-list">
        {featured.map((version) => (
          <li key={version.id}>
            <ChannelPill channel={version.channel} />{" "}
            <a href={versionPath(slug, version.slug)}>{version.versionNumber}</a>
          </li>
        ))}
      </ul>
    </Block>
  );
};

const Links = ({ project }: { project: Project }) => {
  const t = useTexts(texts.project.page);
  const links = [
    [project.issueTrackerUrl, t.issues],
    [project.projectSourceUrl, t.source],
    [project.projectWikiUrl, t.wiki],
    [project.discordInviteUrl, t.discord],
  ].filter((link): link is [string, string] => Boolean(link[0]) && /^https?:/.test(link[0]!));
  return (
    <Block title={t.links}>
      <ul class="plain-list">
        {links.map(([href, text]) => (
          <li key={text}>
            <a href={href} rel="ugc nofollow noopener">
              {text}
            </a>{" "}
            <span class="muted small">{URL.parse(href)?.host}</span>
          </li>
        ))}
        {project.donationLinks.map(({ platform, url }) => (
          <li key={url}>
            <a href={url} rel="ugc nofollow noopener">
              {t.supportOn} <bdi>{platform}</bdi>
            </a>{" "}
            <span class="muted small">{URL.parse(url)?.host}</span>
          </li>
        ))}
        <li>
          <a href={`${projectPath(project.slug)}/feed.atom`}>{t.feed}</a>
        </li>
      </ul>
    </Block>
  );
};

const Creators = ({ project }: { project: Project }) => {
  const t = useTexts(texts.project.page);
  const shared = useTexts(texts.users.shared);
  const { organisation } = project;
  const members = project.members.filter(({ accepted }) => accepted);
  return (
    <Block title={t.creators}>
      <ul class="plain-list people">
        {organisation && (
          <li>
            <Picture src={organisation.icon} size={40} />
            <span>
              <a href={`/organization/${organisation.slug}`} dir="auto">
                {organisation.name}
              </a>
              <span class="muted small">{t.organization}</span>
            </span>
          </li>
        )}
        {members.map(({ id, userName, avatar, role, isOwner }) => (
          <li key={id}>
            <Picture src={avatar} size={40} round />
            <span>
              <a href={`/user/${userName}`} dir="auto">
                {userName}
              </a>
              <span class="muted small" dir="auto">
                {shared.role(role) || (isOwner ? t.owner : "")}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </Block>
  );
};

const Facts = ({ project }: { project: Project }) => {
  const t = useTexts(texts.project.page);
  const { environments } = useTexts(texts.projectSettings.general);
  const isPublished = project.status === "approved" || project.status === "withheld";
  const { locale } = useFrame();
  const format = useFormat();
  return (
    <Block title={t.details}>
      <dl class="facts">
        <dt>{t.license}</dt>
        <dd dir="auto">
          <License project={project} />
        </dd>
        <dt>{t.client}</dt>
        <dd>{environments[project.clientSide]}</dd>
        <dt>{t.server}</dt>
        <dd>{environments[project.serverSide]}</dd>
        {project.categories.length > 0 && (
          <>
            <dt>{t.categories}</dt>
            <dd>{format.series(project.categories.map((name) => categoryName(name, locale)))}</dd>
          </>
        )}
        <dt>{isPublished ? t.published : t.created}</dt>
        <dd>
          <Time at={project.datePublished} exact />
        </dd>
        <dt>{t.updated}</dt>
        <dd>
          <Time at={project.dateUpdated} />
        </dd>
        {project.importedFrom && (
          <>
            <dt>{t.importedFrom}</dt>
            <dd>
              <a href={project.importedFrom.url} rel="ugc nofollow noopener">
                {URL.parse(project.importedFrom.url)?.host}
              </a>{" "}
              <span class="muted small">
                <Time at={project.importedFrom.date} exact />
              </span>
            </dd>
          </>
        )}
        <dt>{t.id}</dt>
        <dd>
          <code>{project.id}</code> <CopyButton text={project.id} />
        </dd>
      </dl>
    </Block>
  );
};

const License = ({ project: { licenseId, licenseName, licenseUrl } }: { project: Project }) => {
  const t = useTexts(texts.project.page);
  const text = licenseName || licenseId || t.noLicense;
  return /^https?:/.test(licenseUrl) ? (
    <a href={licenseUrl} rel="ugc nofollow noopener">
      {text}
    </a>
  ) : (
    <span>{text}</span>
  );
};
