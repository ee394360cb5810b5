// Lists of projects: one for each type, one for all, and search results.

import type { FastifyReply } from "fastify";
import Type from "typebox";
import { getTaxonomy } from "#content/taxonomy/read.js";
import type { Taxonomy } from "#content/taxonomy/taxonomy.js";
import { readParameters } from "#discovery/search/hot-search.js";
import { countNamed, toNamedText } from "#discovery/search/named.js";
import { countProjects, searchProjects, toListItem } from "#discovery/search/read.js";
import { fail } from "#platform/errors.js";
import { readable } from "#platform/http/access.js";
import type { Call, Route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import type { Frame } from "#web/context/frame.js";
import { movedTo, seeOther } from "#web/context/paths.js";
import { hasSetup, localeOf, noPreferences, setupOf } from "#web/context/preferences.js";
import { projectTypes, typeWords } from "#web/context/project-types.js";
import type { FindReadyList } from "#web/frame/hot-pages.js";
import type { Page } from "#web/frame/layout.js";
import { pageRoute } from "#web/frame/page.js";
import { pageLinks } from "#web/parts/pagination.js";
import { PastTheEnd } from "#web/parts/past-the-end.js";
import { findFits } from "#web/shared/fits.js";
import type { Locale } from "#words/languages.js";
import { texts, textsIn } from "#words/texts.js";
import { listActive } from "./active-filters.js";
import { filterFormId } from "./filter-form.js";
import {
  type Filters,
  filterNames,
  type Query,
  type ReadFilters,
  readFilters,
  toProjectQuery,
  toQuery,
} from "./filters.js";
import { keptCardsOf } from "./kept-cards.js";
import { findPeople } from "./people.js";
import { ProjectList } from "./project-list.js";
import type { Advice } from "./result-parts.js";

interface List {
  path: string;
  /** Absent: all types. */
  type?: string;
}

const shared = {
  // Finds listed projects only, for every viewer.
  access: readable("project_read"),
  rate: "search",
  cacheParameters: filterNames,
} as const;

/** "resource-pack" → "getResourcePacksPage" */
const idOf = (type: string): string =>
  `get${type.replace(/(?:^|-)(\w)/g, (_match, letter: string) => letter.toUpperCase())}sPage`;

const lists = [
  ...projectTypes.map((type) => ({
    id: idOf(type),
    path: `/${type}s`,
    type,
    summary: `The list of projects of the kind ${type}`,
  })),
  { id: "getProjectsPage", path: "/projects", type: undefined, summary: "The list of all projects" },
  { id: "getSearchPage", path: "/search", type: undefined, summary: "The results of a search, of all types" },
];

const anyTypePath = "/:types";

export const listRoutes: Route[] = [
  ...lists.map(({ id, path, type, summary }) =>
    pageRoute({ ...shared, id, path, summary }, async (call, resources) =>
      type === undefined ? showList(call, resources, { path }) : showTypeAt(call, resources, path.slice(1)),
    ),
  ),
  pageRoute(
    {
      ...shared,
      id: "getTypePage",
      matchesAny: true,
      path: anyTypePath,
      params: Type.Object({ types: Type.String({ maxLength: 64, examples: ["mods"] }) }),
      summary: "The list of projects of a type that the operator has added",
    },
    ({ params, ...call }, resources) => showTypeAt(call, resources, params.types),
  ),
];

/** The list of the type with this path. Its name stands for the path, also if the operator has chosen another path. */
async function showTypeAt(call: ListCall, resources: Resources, path: string): Promise<Page | FastifyReply> {
  const taxonomy = await getTaxonomy(resources);
  const type = taxonomy.projectTypeAt(path);
  const { originalUrl, url } = call.request;
  if (type !== undefined && originalUrl !== url) return movedTo(call.reply, url);
  if (type !== undefined) return showList(call, resources, { path: `/${path}`, type });
  const named = taxonomy.projectTypes.find((name) => name === path || `${name}s` === path);
  if (named === undefined) throw fail.notFound();
  const { search } = new URL(url, "http://site");
  return movedTo(call.reply, typeWords(taxonomy, "en").typePath(named) + search);
}

type ListCall = Pick<Call, "request" | "reply">;

async function showList({ request, reply }: ListCall, resources: Resources, list: List): Promise<Page | FastifyReply> {
  const taxonomy = await getTaxonomy(resources);
  const asked = readFilters(request.query as Query, taxonomy, list.type);
  if (asked.isLong) return seeOther(reply, hrefIn(list)(asked.filters));
  return toListPage(resources, list, asked, { locale: localeOf(request), setup: setupOf(request) });
}

const hrefIn =
  ({ path, type }: List) =>
  (chosen: Filters): string =>
    `${path}${toQuery(chosen, { withType: type === undefined })}`;

async function toListPage(
  resources: Resources,
  list: List,
  { filters, unknown }: ReadFilters,
  { locale, setup }: Pick<Frame, "locale" | "setup">,
): Promise<Page> {
  const taxonomy = await getTaxonomy(resources);
  const hrefOf = hrefIn(list);
  const found = await searchProjects(resources, toProjectQuery(filters, taxonomy, { countFacets: true }));
  const { total, facets, meant } = found;
  const pages = Math.max(1, Math.ceil(total / filters.perPage));
  const head = toHead(list, filters, taxonomy, locale);
  const pageOf = (page: number) => hrefOf({ ...filters, page });
  if (filters.page > pages) return { ...head, status: 404, content: <PastTheEnd lastPage={pageOf(pages)} /> };
  const { projects } = found;
  return {
    ...head,
    search: { query: filters.q, form: filterFormId, label: searchLabel(list, filters, taxonomy, locale) },
    scripts: ["filters"],
    cards: projects.map(({ details }) => details.id),
    ...pageLinks({ page: filters.page, pages, hrefOf: pageOf }),
    content: (
      <ProjectList
        {...{ heading: head.title, path: list.path, filters, unknown, taxonomy, facets: facets!, hrefOf }}
        {...{ projects, total, pages, meant }}
        available={await countProjects(resources, filters.type)}
        fits={hasSetup(setup) ? await findFits(resources, setup, projects.map(toListItem)) : undefined}
        keptCards={keptCardsOf(resources)}
        advice={total === 0 ? await findAdvice(resources, filters, taxonomy) : []}
        named={await readNamed(resources, filters.q)}
        people={list.path === "/search" && filters.page === 1 ? await findPeople(resources, filters.q) : []}
      />
    ),
  };
}

/** Lists of guests without cookies. */
export const findReadyList: FindReadyList = (resources, url) => {
  const taxonomy = getTaxonomy.peek(resources);
  const [, path = "", text = ""] = /^(\/[^/?]+)(?:\?(.*))?$/.exec(url) ?? [];
  const type = taxonomy?.projectTypeAt(path.slice(1));
  if (!taxonomy || (type === undefined && !pathsOfAll.includes(path))) return undefined;
  const query = readParameters(text, knownNames);
  const list = { path, ...(type !== undefined && { type }) };
  const asked = query && readFilters(query, taxonomy, type);
  if (!asked || asked.isLong) return undefined;
  return {
    ...{ path, rate: shared.rate },
    route: lists.some((known) => known.path === path) ? path : anyTypePath,
    make: (locale) => toListPage(resources, list, asked, { locale, setup: noPreferences.setup }),
  };
};

const pathsOfAll = lists.filter(({ type }) => type === undefined).map(({ path }) => path);
const knownNames: ReadonlySet<string> = new Set(filterNames);

async function readNamed(resources: Resources, q: string) {
  const text = toNamedText(q);
  return text === undefined ? undefined : countNamed(resources, text);
}

function toHead(list: List, { q, type, page }: Filters, taxonomy: Taxonomy, locale: Locale) {
  const t = textsIn(texts.browse.list, locale);
  const names = type === undefined ? t.all : typeWords(taxonomy, locale).typeNames(type);
  const title = q === "" ? names : t.resultsFor(q);
  // Filtered lists have the whole list as canonical URL; search results are not indexed.
  return {
    title,
    ...(q === "" && { isTranslated: true, description: type === undefined ? t.allLead : t.listLead(names) }),
    canonical: page > 1 ? `${list.path}?page=${page}` : list.path,
    ...(page === 1 && q === "" && { feeds: [newProjects] }),
  };
}

const searchLabel = (list: List, { type }: Filters, taxonomy: Taxonomy, locale: Locale): string => {
  const t = textsIn(texts.browse.list, locale);
  const isOfAll = list.path === "/search" || type === undefined;
  return isOfAll ? t.searchAll : t.searchIn(typeWords(taxonomy, locale).typeNames(type));
};

const newProjects = { href: "/feeds/projects.atom", type: "application/atom+xml", title: "New projects" } as const;

const mostAdvice = 5;

/** Counts the results without each filter, to show which one removes most. */
async function findAdvice(resources: Resources, filters: Filters, taxonomy: Taxonomy): Promise<Advice[]> {
  const active = listActive(filters);
  if (active.every(({ kind }) => kind === "text")) return [];
  const advice = await Promise.all(
    active.map(async (filter) => {
      const question = toProjectQuery({ ...filter.without, perPage: 1 }, taxonomy, { countFacets: false });
      return { filter, total: (await searchProjects(resources, question)).total };
    }),
  );
  return advice
    .filter(({ total }) => total > 0)
    .sort((a, b) => b.total - a.total)
    .slice(0, mostAdvice);
}
