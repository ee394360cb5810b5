// The routes of the page in versions.tsx.
import { listHeldForTeam, type TeamVersion } from "#moderation/quarantine/team-versions.js";
import { pageLinks } from "#web/parts/pagination.js";
import { PastTheEnd } from "#web/parts/past-the-end.js";
import type { PageView } from "#web/shared/project-view.js";
import {
  choiceNames,
  choiceQuery,
  filterVersions,
  type Query,
  readChoice,
  readPage,
} from "#web/shared/version-filter.js";
import type { Locale } from "#words/languages.js";
import { texts, textsIn } from "#words/texts.js";
import { type ProjectPage, plainProjectPageRoute } from "./project-page.js";
import { pathOf, perPage, Versions } from "./versions.js";

export const versionsRoute = plainProjectPageRoute(
  { id: "getVersionsPage", cacheParameters: choiceNames, below: "/versions", summary: "The versions of a project" },
  async (view, { query, locale, viewer }, { db }) =>
    toVersionsPage(view, query, locale, await listHeldForTeam(db, viewer, view.project.id)),
);

export function toVersionsPage(
  view: PageView,
  query: Query,
  locale: Locale,
  held: readonly TeamVersion[] = [],
): ProjectPage {
  const choice = readChoice(query);
  const page = readPage(query);
  const found = filterVersions(view.versions, choice);
  const pages = Math.max(1, Math.ceil(found.length / perPage));
  const hrefOf = (number: number) => `${pathOf(view)}${choiceQuery(choice, { page: String(number) })}`;
  const shared = { title: textsIn(texts.project.page, locale).tabs.versions, side: null };
  if (page > pages) return { ...shared, status: 404, content: <PastTheEnd lastPage={hrefOf(pages)} /> };
  return {
    ...shared,
    ...pageLinks({ page, pages, hrefOf }),
    content: (
      <Versions view={view} held={held} choice={choice} found={found} page={page} pages={pages} hrefOf={hrefOf} />
    ),
  };
}
