// The changelogs of all versions, newest first. Versions without one are grouped.
import type { VersionEntry } from "#content/versions/entries.js";
import type { SafeHtml } from "#platform/markdown/render.js";
import { useFormat } from "#web/context/frame.js";
import { projectPath } from "#web/context/project-path.js";
import { useTexts } from "#web/context/texts.js";
import { ChannelPill } from "#web/parts/channel-pill.js";
import { EmptyState } from "#web/parts/empty-state.js";
import { Markdown } from "#web/parts/markdown.js";
import { Pagination } from "#web/parts/pagination.js";
import { Time } from "#web/parts/time.js";
import type { ProjectView } from "#web/shared/project-view.js";
import type { Choice } from "#web/shared/version-filter.js";
import { versionPath } from "#web/shared/version-paths.js";
import { texts } from "#words/texts.js";
import { rangeText, toRanges } from "./game-version-ranges.js";
import { VersionFilterForm } from "./version-filter-form.js";
import { HiddenBuilds } from "./versions.js";

/** A version with its changelog, or several consecutive ones without. */
export type Part =
  | { kind: "notes"; version: VersionEntry; html: SafeHtml | undefined }
  | { kind: "silent"; versions: VersionEntry[] };

interface Props {
  view: ProjectView;
  choice: Choice;
  /** The number of versions that match the choice. */
  found: number;
  parts: readonly Part[];
  page: number;
  pages: number;
  hrefOf(page: number): string;
}

export const Changelog = ({ view, choice, found, parts, page, pages, hrefOf }: Props) => {
  const t = useTexts(texts.project.version);
  const { tabs } = useTexts(texts.project.page);
  const { project, versions } = view;
  const path = `${projectPath(project.slug)}/changelog`;
  if (versions.length === 0) return <EmptyState title={t.none} />;
  return (
    <>
      <h2 class="visually-hidden">{tabs.changelog}</h2>
      <VersionFilterForm view={view} action={path} choice={choice} />
      <p class="small muted">
        <HiddenBuilds view={view} choice={choice} found={found} path={path} />
      </p>
      {parts.length === 0 && <EmptyState title={t.noMatch} action={{ href: path, text: t.clear }} />}
      {parts.map((part) =>
        part.kind === "notes" ? (
          <Notes key={part.version.id} view={view} version={part.version} html={part.html} />
        ) : (
          <Silent key={part.versions[0]!.id} slug={project.slug} versions={part.versions} />
        ),
      )}
      <Pagination page={page} pages={pages} hrefOf={hrefOf} />
    </>
  );
};

interface NotesProps {
  view: ProjectView;
  version: VersionEntry;
  html: SafeHtml | undefined;
}

const Notes = ({ view: { project, taxonomy }, version, html }: NotesProps) => {
  const t = useTexts(texts.project.version);
  const format = useFormat();
  const { title } = version.own.value;
  const places = [
    format.series(
      toRanges([...version.gameVersions], taxonomy)
        .slice(0, 4)
        .map(rangeText),
    ),
    format.series([...version.loaders].map((loader) => taxonomy.loaderLabel(loader))),
  ].filter((part) => part !== "");
  return (
    <section class="changelog-notes stack" id={`v-${version.slug}`}>
      <header>
        <h3 dir="auto">
          <a href={versionPath(project.slug, version.slug)}>{title}</a>
        </h3>
        <p class="small muted">
          <ChannelPill channel={version.channel} /> {version.versionNumber} · <Time at={version.datePublished} />{" "}
          {places.length > 0 && `· ${places.join(" · ")}`}{" "}
          {version.yanked && <span class="pill yanked">{t.yanked}</span>}
        </p>
      </header>
      {html === undefined ? <p class="muted">{t.sameAsBelow}</p> : <Markdown html={html} below={3} />}
    </section>
  );
};

const Silent = ({ slug, versions }: { slug: string; versions: readonly VersionEntry[] }) => {
  const t = useTexts(texts.project.version);
  return (
    <details class="changelog-notes">
      <summary class="muted">{t.withoutNotes(versions.length)}</summary>
      <ul class="plain-list">
        {versions.map((version) => (
          <li key={version.id} id={`v-${version.slug}`}>
            <a href={versionPath(slug, version.slug)}>{version.versionNumber}</a>{" "}
            <span class="muted small">
              <Time at={version.datePublished} />
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
};
