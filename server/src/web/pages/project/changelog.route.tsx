// The routes of the page in changelog.tsx.
import type { VersionEntry } from "#content/versions/entries.js";
import { renderMarkdown } from "#platform/markdown/render.js";
import { projectPath } from "#web/context/project-path.js";
import { pageLinks } from "#web/parts/pagination.js";
import { PastTheEnd } from "#web/parts/past-the-end.js";
import { choiceNames, choiceQuery, filterVersions, readChoice, readPage } from "#web/shared/version-filter.js";
import { texts, textsIn } from "#words/texts.js";
import { Changelog, type Part } from "./changelog.js";
import { projectPageRoute } from "./project-page.js";

const perPage = 20;

export const changelogRoute = projectPageRoute(
  {
    id: "getChangelogPage",
    cacheParameters: choiceNames,
    below: "/changelog",
    summary: "The changelogs of a project's versions",
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
      content: <Changelog {...{ view, choice, parts, page, pages, hrefOf }} found={found.length} />,
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
