// The page of a version: changelog, files with hashes, dependencies, and all other facts.
import type { VersionEntry } from "#content/versions/entries.js";
import type { SafeHtml } from "#platform/markdown/render.js";
import { useFrame } from "#web/context/frame.js";
import { projectPath } from "#web/context/project-path.js";
import { useTexts } from "#web/context/texts.js";
import { ButtonLink } from "#web/parts/button.js";
import { ChannelPill } from "#web/parts/channel-pill.js";
import { Icon } from "#web/parts/icon.js";
import { Markdown } from "#web/parts/markdown.js";
import { Notice } from "#web/parts/notice.js";
import { StaffVersionMenu } from "#web/parts/staff-menu.js";
import { VersionLinks } from "#web/parts/version-links.js";
import type { ProjectView } from "#web/shared/project-view.js";
import { versionPath } from "#web/shared/version-paths.js";
import { texts } from "#words/texts.js";
import { FileRows } from "./file-rows.js";
import { findHandOver, Launchers } from "./launchers.js";
import type { NamedDependency } from "./named-dependencies.js";
import { PackContents, type ShownContents } from "./pack-contents.js";
import { MavenSnippet } from "./version-facts.js";

interface Props {
  view: ProjectView;
  version: VersionEntry;
  notes: SafeHtml | undefined;
  dependencies: readonly NamedDependency[];
  /** Set if the version is a pack. */
  contents: ShownContents | undefined;
}

export const Version = ({ view, version, notes, dependencies, contents }: Props) => {
  const t = useTexts(texts.project.version);
  const { project, permissions } = view;
  const { title, primaryFile } = version.own.value;
  const { needsOthers } = version;
  const { setup } = useFrame();
  const handOver = findHandOver(view, setup, version.slug);
  return (
    <>
      <header class="stack version-head">
        <h2>
          <bdi>{title}</bdi>
        </h2>
        <p class="muted">
          <ChannelPill channel={version.channel} /> {version.versionNumber}{" "}
          {version.yanked && <span class="pill yanked">{t.yanked}</span>}
        </p>
        <div class="actions">
          <ButtonLink kind={needsOthers ? "quiet" : undefined} href={primaryFile.url}>
            <Icon name="download" /> {t.downloadOf(version.versionNumber)}
          </ButtonLink>
          {needsOthers && (
            <ButtonLink href={`${projectPath(project.slug)}/download?version=${encodeURIComponent(version.slug)}`}>
              <Icon name="download" /> {t.withDependencies}
            </ButtonLink>
          )}
          <VersionLinks
            path={versionPath(project.slug, version.slug)}
            isYanked={version.yanked}
            permissions={permissions}
          />
          <StaffVersionMenu projectId={project.id} version={version.own.value} />
        </div>
      </header>
      {handOver && <Launchers handOver={handOver} />}
      {version.yanked && <YankNotice view={view} version={version} />}
      <h2>{t.changelog}</h2>
      {notes === undefined ? <p class="muted">{t.noNotes}</p> : <Markdown html={notes} below={2} />}
      {contents && <PackContents {...contents} />}
      <h2>{t.files}</h2>
      <FileRows files={version.own.value.files} />
      {dependencies.length > 0 && (
        <>
          <h2>{t.dependencies}</h2>
          <Dependencies dependencies={dependencies} />
        </>
      )}
      <MavenSnippet view={view} version={version} />
    </>
  );
};

const YankNotice = ({ view: { project, versions }, version }: { view: ProjectView; version: VersionEntry }) => {
  const { yankNotice } = useTexts(texts.project.version);
  const reason = version.own.value.yankReason;
  const instead = versions.find(({ id }) => id === version.replacementId);
  return (
    <Notice kind="warning" title={yankNotice.title}>
      <p>{yankNotice.text}</p>
      {reason && (
        <p>
          {yankNotice.reason} <span dir="auto">{reason}</span>
        </p>
      )}
      <p>
        {instead ? (
          <a href={versionPath(project.slug, instead.slug)}>{yankNotice.instead(instead.versionNumber)}</a>
        ) : (
          <a href={`${projectPath(project.slug)}/version/latest`}>{yankNotice.latest}</a>
        )}
      </p>
    </Notice>
  );
};

const Dependencies = ({ dependencies }: { dependencies: readonly NamedDependency[] }) => {
  const t = useTexts(texts.project.version);
  return (
    <ul class="plain-list dependencies">
      {dependencies.map(({ id, type, project, version }) => (
        <li key={id}>
          <span class={`pill need-${type}`}>{t.dependencyTypes[type]}</span>
          {project ? (
            <a href={projectPath(project.slug)} dir="auto">
              {project.project.name}
            </a>
          ) : (
            <span class="muted">{t.hiddenProject}</span>
          )}
          {project && version ? (
            <a class="small" href={versionPath(project.slug, version.slug)}>
              {t.exactly(version.versionNumber)}
            </a>
          ) : (
            <span class="muted small">{t.anyVersion}</span>
          )}
        </li>
      ))}
    </ul>
  );
};
