// What changed from version to version, newest first. Versions without a word about them are folded together.

import type { VersionEntry } from "#content/versions/entries.js";
import { projectPath } from "#web/context/project-path.js";
import { useTexts } from "#web/context/texts.js";
import { renderMarkdown, type SafeHtml } from "#web/markdown/render.js";
import { ChannelPill } from "#web/parts/channel-pill.js";
import { EmptyState } from "#web/parts/empty-state.js";
import { Markdown } from "#web/parts/markdown.js";
import { Pagination, pageLinks } from "#web/parts/pagination.js";
import { PastTheEnd } from "#web/parts/past-the-end.js";
import { Time } from "#web/parts/time.js";
import type { ProjectView } from "#web/shared/project-view.js";
import {
  type Choice,
  choiceNames,
  choiceQuery,
  filterVersions,
  readChoice,
  readPage,
} from "#web/shared/version-filter.js";
import { versionPath } from "#web/shared/version-paths.js";
import { texts, textsIn } from "#words/texts.js";
import { rangeText, toRanges } from "./game-version-ranges.js";
import { projectPageRoute } from "./project-page.js";
import { VersionFilterForm } from "./version-filter-form.js";
import { HiddenBuilds } from "./versions.js";

const perPage = 20;

/** A version with its notes, or several in a row that have none. */
type Part =
  | { kind: "notes"; version: VersionEntry; html: SafeHtml | undefined }
  | { kind: "silent"; versions: VersionEntry[] };

export const changelogRoute = projectPageRoute(
  {
    id: "getChangelogPage",
    keptWith: choiceNames,
    below: "/changelog",
    summary: "What changed in a project's versions",
  },
  async (view, { query, locale }, resources) => {
    const choice = readChoice(query);
    const page = readPage(query);
    const found = filterVersions(view.versions, choice);
    const pages = Math.max(1, Math.ceil(found.length / perPage));
    const hrefOf = (number: number) =>
      `${projectPath(view.project.slug)}/changelog${choiceQuery(choice, { page: String(number) })}`;
    const shared = { title: textsIn(texts.project.page, locale).tabs.changelog };
    if (page > pages) return { ...shared, status: 404, content: <PastTheEnd lastPage={hrefOf(pages)} /> };
    const parts = await toParts(found.slice((page - 1) * perPage, page * perPage), resources.config.http.cdnUrl);
    return {
      ...shared,
      ...pageLinks({ page, pages, hrefOf }),
      content: <Changelog view={view} choice={choice} parts={parts} page={page} pages={pages} hrefOf={hrefOf} />,
    };
  },
);

async function toParts(versions: readonly VersionEntry[], cdnUrl: string): Promise<Part[]> {
  const parts: Part[] = [];
  for (const version of versions) {
    const { changelog, isDuplicate } = version.own.value;
    const last = parts.at(-1);
    if (changelog.trim() !== "")
      parts.push({
        kind: "notes",
        version,
        html: isDuplicate ? undefined : await renderMarkdown(changelog, { cdnUrl }),
      });
    else if (last?.kind === "silent") last.versions.push(version);
    else parts.push({ kind: "silent", versions: [version] });
  }
  return parts;
}

interface Props {
  view: ProjectView;
  choice: Choice;
  parts: readonly Part[];
  page: number;
  pages: number;
  hrefOf(page: number): string;
}

const Changelog = ({ view, choice, parts, page, pages, hrefOf }: Props) => {
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
        <HiddenBuilds view={view} choice={choice} path={path} />
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
  const { title } = version.own.value;
  const places = [
    toRanges([...version.gameVersions], taxonomy)
      .slice(0, 4)
      .map(rangeText)
      .join(", "),
    [...version.loaders].map((loader) => taxonomy.loaderLabel(loader)).join(", "),
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
      {html === undefined ? <p class="muted">{t.sameAsBelow}</p> : <Markdown html={html} />}
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
