// Lists of projects: one for each type, one for all, and search results.

import { getTaxonomy } from "#content/taxonomy/read.js";
import { countNamed, toNamedText } from "#discovery/search/named.js";
import { searchProjects, toListItem } from "#discovery/search/read.js";
import { readable } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import { seeOther } from "#web/context/paths.js";
import { localeOf, setupOf } from "#web/context/preferences.js";
import { projectTypes, typeNames, typePath } from "#web/context/project-types.js";
import type { Page } from "#web/frame/layout.js";
import { pageRoute } from "#web/frame/page.js";
import { pageLinks } from "#web/parts/pagination.js";
import { PastTheEnd } from "#web/parts/past-the-end.js";
import { findFits } from "#web/shared/fits.js";
import type { Locale } from "#words/languages.js";
import { texts, textsIn } from "#words/texts.js";
import { listActive } from "./active-filters.js";
import { filterFormId } from "./filter-form.js";
import { type Filters, filterNames, type Query, readFilters, toProjectQuery, toQuery } from "./filters.js";
import { findPeople } from "./people.js";
import { ProjectList } from "./project-list.js";
import type { Advice } from "./result-parts.js";

interface List {
  id: string;
  path: string;
  /** Absent: all types. */
  type?: string;
  summary: string;
}

/** "resource-pack" → "getResourcePacksPage" */
const idOf = (type: string): string =>
  `get${type.replace(/(?:^|-)(\w)/g, (_match, letter: string) => letter.toUpperCase())}sPage`;

const lists: readonly List[] = [
  ...projectTypes.map((type) => ({
    id: idOf(type),
    path: typePath(type),
    type,
    summary: `The list of projects of the kind ${type}`,
  })),
  { id: "getProjectsPage", path: "/projects", summary: "The list of all projects" },
  { id: "getSearchPage", path: "/search", summary: "The results of a search, of all types" },
];

export const listRoutes: Route[] = lists.map((list) =>
  pageRoute(
    // Finds listed projects only, for every viewer.
    {
      id: list.id,
      path: list.path,
      access: readable("project_read"),
      rate: "search",
      summary: list.summary,
      cacheParameters: filterNames,
    },
    async ({ request, reply }, resources) => {
      const taxonomy = await getTaxonomy(resources);
      const { filters, unknown, isLong } = readFilters(request.query as Query, taxonomy, list.type);
      const hrefOf = (chosen: Filters) => `${list.path}${toQuery(chosen, { withType: list.type === undefined })}`;
      if (isLong) return seeOther(reply, hrefOf(filters));
      const found = await searchProjects(resources, toProjectQuery(filters, { countFacets: true }));
      const { total, facets } = found;
      const pages = Math.max(1, Math.ceil(total / filters.perPage));
      const locale = localeOf(request);
      const head = toHead(list, filters, locale);
      const pageOf = (page: number) => hrefOf({ ...filters, page });
      if (filters.page > pages)
        return { ...head, status: 404, content: <PastTheEnd lastPage={pageOf(pages)} /> } satisfies Page;
      const projects = found.projects.map(toListItem);
      return {
        ...head,
        search: { query: filters.q, form: filterFormId, label: searchLabel(list, filters, locale) },
        scripts: ["filters"],
        ...pageLinks({ page: filters.page, pages, hrefOf: pageOf }),
        content: (
          <ProjectList
            {...{ heading: head.title, path: list.path, filters, unknown, taxonomy, facets: facets!, hrefOf }}
            {...{ projects, total, pages }}
            fits={await findFits(resources, setupOf(request), projects)}
            advice={total === 0 ? await findAdvice(resources, filters) : []}
            named={await readNamed(resources, filters.q)}
            people={list.path === "/search" && filters.page === 1 ? await findPeople(resources, filters.q) : []}
          />
        ),
      };
    },
  ),
);

async function readNamed(resources: Resources, q: string) {
  const text = toNamedText(q);
  return text === undefined ? undefined : countNamed(resources, text);
}

function toHead(list: List, { q, type, page }: Filters, locale: Locale) {
  const t = textsIn(texts.browse.list, locale);
  const names = type === undefined ? t.all : typeNames(type, locale);
  const title = q === "" ? names : t.resultsFor(q);
  // Filtered lists have the whole list as canonical URL; search results are not indexed.
  return {
    title,
    ...(q === "" && { isTranslated: true, description: type === undefined ? t.allLead : t.listLead(names) }),
    canonical: page > 1 ? `${list.path}?page=${page}` : list.path,
    ...(page === 1 && q === "" && { feeds: [newProjects] }),
  };
}

const searchLabel = (list: List, { type }: Filters, locale: Locale): string => {
  const t = textsIn(texts.browse.list, locale);
  return list.path === "/search" || type === undefined ? t.searchAll : t.searchIn(typeNames(type, locale));
};

const newProjects = { href: "/feeds/projects.atom", type: "application/atom+xml", title: "New projects" } as const;

const mostAdvice = 5;

/** Counts the results without each filter, to show which one removes most. */
async function findAdvice(resources: Resources, filters: Filters): Promise<Advice[]> {
  const active = listActive(filters);
  const advice = await Promise.all(
    active.map(async (filter) => {
      const question = toProjectQuery({ ...filter.without, perPage: 1 }, { countFacets: false });
      return { filter, total: (await searchProjects(resources, question)).total };
    }),
  );
  return advice
    .filter(({ total }) => total > 0)
    .sort((a, b) => b.total - a.total)
    .slice(0, mostAdvice);
}
