// The left side of a review: the project's content, section by section, with related facts.

import type { Project } from "#content/shapes/project.js";
import type { VersionEntry } from "#content/versions/entries.js";
import { Fragment } from "#lib/jsx-runtime.js";
import { categoryName } from "#web/context/category-names.js";
import { useFormat, useFrame } from "#web/context/frame.js";
import { projectPath } from "#web/context/project-path.js";
import { useTypes } from "#web/context/project-types.js";
import { useTexts } from "#web/context/texts.js";
import { ChannelPill } from "#web/parts/channel-pill.js";
import { Disclosures, hasStated } from "#web/parts/disclosures.js";
import { Markdown } from "#web/parts/markdown.js";
import { Picture } from "#web/parts/picture.js";
import { iconOf } from "#web/parts/project-card.js";
import { Time } from "#web/parts/time.js";
import { texts } from "#words/texts.js";
import type { ReviewView } from "./review-load.js";

export const Showcase = ({ view }: { view: ReviewView }) => {
  const t = useTexts(texts.moderation.review);
  const disclosed = useTexts(texts.parts.disclosures);
  const format = useFormat();
  const { project, description } = view;
  return (
    <div class="stack">
      <Head project={project} />
      <Author view={view} />
      <h2 id="see-description">
        {t.description} <span class="muted small">{t.letters(format.number(project.description.length))}</span>
      </h2>
      {project.description.trim() === "" ? <p>{t.noDescription}</p> : <Markdown html={description} />}
      <h2 id="see-licence">{t.licence}</h2>
      <p dir="auto">{project.licenseName || project.licenseId || t.noLicence}</p>
      {project.licenseUrl !== "" && <Address href={project.licenseUrl} />}
      <Links project={project} />
      <h2 id="see-disclosures">{disclosed.title}</h2>
      {hasStated(project.disclosures) ? (
        <Disclosures disclosures={project.disclosures} />
      ) : (
        <p class="muted">{disclosed.notStated}</p>
      )}
      <Pictures project={project} />
      <h2 id="see-files">{t.files}</h2>
      {view.versions.length === 0 && <p>{t.noFiles}</p>}
      {view.versions.map((version) => (
        <Files key={version.id} version={version} elsewhere={view.seenElsewhere} />
      ))}
    </div>
  );
};

const Head = ({ project }: { project: Project }) => {
  const t = useTexts(texts.moderation.review);
  const { visibilities } = useTexts(texts.moderation.desk);
  const { colon } = useTexts(texts.parts.common);
  const format = useFormat();
  const { environments, labels } = useTexts(texts.projectSettings.general);
  const { locale, loaderName } = useFrame();
  const { typeName } = useTypes();
  const listed = (words: readonly string[]) => format.series(words) || t.none;
  return (
    <section id="see-head" class="stack" aria-label={t.shown}>
      <div class="section-title">
        <Picture src={iconOf(project)} size={64} isFirst />
        <p class="lead" dir="auto">
          {project.summary}
        </p>
      </div>
      <dl class="facts">
        <dt>{t.address}</dt>
        <dd>
          <a href={projectPath(project.slug)}>{project.slug}</a>
        </dd>
        <dt>{t.types}</dt>
        <dd>{listed(project.type.map((type) => typeName(type)))}</dd>
        <dt>{t.categories}</dt>
        <dd>{listed(project.categories.map((category) => categoryName(category, locale)))}</dd>
        <dt>{t.gameVersions}</dt>
        <dd>{listed(project.gameVersions)}</dd>
        <dt>{t.loaders}</dt>
        <dd>{listed(project.loaders.map(loaderName))}</dd>
        <dt>{t.sides}</dt>
        <dd>
          {`${labels.clientSide}${colon}${environments[project.clientSide]} · ${labels.serverSide}${colon}${environments[project.serverSide]}`}
        </dd>
        <dt>{t.visibility}</dt>
        <dd>{visibilities[project.visibility]}</dd>
      </dl>
    </section>
  );
};

const Author = ({ view: { author, isByNewcomer } }: { view: ReviewView }) => {
  const t = useTexts(texts.moderation.review);
  if (!author) return null;
  const { user, decisions, cases } = author;
  return (
    <p class="small">
      <span class="muted">{t.author}</span>{" "}
      <a href={`/moderation/user/${user.userName}`} dir="auto">
        {user.userName}
      </a>{" "}
      · {t.joined} <Time at={user.dateJoined} /> · {t.approved(decisions.approved)} ·{" "}
      {t.turnedDown(decisions.turnedDown)} · {t.aboutAuthor(cases.open, cases.closed)}
      {isByNewcomer && (
        <>
          {" "}
          <span class="pill beta">{t.newAuthor}</span>
        </>
      )}
    </p>
  );
};

/** The whole URL, because the text of a link may be misleading. */
const Address = ({ href }: { href: string }) => (
  <p class="whole-text">
    {/^https?:/.test(href) ? (
      <a href={href} rel="ugc nofollow noopener noreferrer">
        {href}
      </a>
    ) : (
      href
    )}
  </p>
);

const Links = ({ project }: { project: Project }) => {
  const t = useTexts(texts.moderation.review);
  const links = [
    project.issueTrackerUrl,
    project.projectSourceUrl,
    project.projectWikiUrl,
    project.discordInviteUrl,
    ...project.donationLinks.map(({ url }) => url),
  ].filter((link) => link !== null && link !== "");
  return (
    <>
      <h2 id="see-links">{t.links}</h2>
      {links.length === 0 ? (
        <p class="muted">{t.noLinks}</p>
      ) : (
        links.map((link) => <Address key={link} href={link ?? ""} />)
      )}
    </>
  );
};

const Pictures = ({ project }: { project: Project }) => {
  const t = useTexts(texts.moderation.review);
  return (
    <>
      <h2 id="see-pictures">{t.pictures}</h2>
      {project.gallery.length === 0 ? (
        <p class="muted">{t.noPictures}</p>
      ) : (
        <ul class="plain-list desk-pictures">
          {project.gallery.map((item) => (
            <li key={item.id}>
              <a href={item.image}>
                <img src={item.imageThumbnail} alt={item.name} width={210} height={118} loading="lazy" />
              </a>
              <span class="small" dir="auto">
                {item.name}
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
};

interface FilesProps {
  version: VersionEntry;
  elsewhere: ReviewView["seenElsewhere"];
}

const Files = ({ version, elsewhere }: FilesProps) => {
  const t = useTexts(texts.moderation.review);
  const { quarantine } = useTexts(texts.moderation.file);
  const format = useFormat();
  return (
    <section class="card stack" aria-label={version.versionNumber}>
      <h3 dir="auto">
        {version.versionNumber} <ChannelPill channel={version.channel} />
      </h3>
      <ul class="plain-list stack">
        {version.files.map((file) => (
          <li key={file.id} class="whole-text">
            <b dir="auto">{file.name}</b> <span class="muted small">{format.bytes(file.size)}</span>
            <br />
            <a href={`/moderation/scan/${file.id}`}>{t.lookInside}</a> ·{" "}
            <a href={`/api/moderation/version/${version.id}/${encodeURIComponent(file.name)}`}>{t.inspect}</a> ·{" "}
            <a href={`/moderation/files?hash=${file.sha512}`}>{t.whereElse}</a> ·{" "}
            <a href={`/moderation/quarantine?sha512=${file.sha512}`}>{quarantine}</a>
            <details>
              <summary class="small">
                SHA-512 <code>{file.sha512.slice(0, 16)}…</code>
              </summary>
              <code>{file.sha512}</code>
              <br />
              SHA-1 <code>{file.sha1}</code>
            </details>
            <Elsewhere projects={elsewhere.get(file.sha512) ?? []} />
          </li>
        ))}
      </ul>
    </section>
  );
};

const Elsewhere = ({ projects }: { projects: readonly { slug: string; name: string }[] }) => {
  const t = useTexts(texts.moderation.review);
  if (projects.length === 0) return <span class="muted small">{t.onlyHere}</span>;
  return (
    <span class="small">
      <b>{t.elsewhere}</b>{" "}
      {projects.slice(0, 10).map(({ slug, name }, at) => (
        <Fragment key={slug}>
          {at > 0 && ", "}
          <a href={projectPath(slug)} dir="auto">
            {name}
          </a>
        </Fragment>
      ))}
    </span>
  );
};
