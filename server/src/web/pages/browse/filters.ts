// Filters and sorting of project lists as query parameters: ?l=quilt&l=!fabric&v=0.4.8. They mean what the website says,
// which differs from the public interface: one of the wanted loaders is enough. Empty parameters and the longer form of
// earlier links (l.quilt=only) are redirected. Unknown values are ignored and reported: such URLs are shared. Pure.

import { isDisclosureTag } from "#content/shapes/disclosures.js";
import type { Taxonomy } from "#content/taxonomy/taxonomy.js";
import { channelFilters } from "#content/versions/channels.js";
import { type EnvironmentFilter, environmentFilters } from "#discovery/search/facets.js";
import { type SearchQuery, type SortBy, sortBys } from "#discovery/search/search-query.js";
import { hasSetup, type Setup, type View, views } from "#web/context/preferences.js";

export interface Choice {
  wanted: readonly string[];
  unwanted: readonly string[];
}

export const choiceNames = ["l", "v", "c", "d"] as const;
export type ChoiceName = (typeof choiceNames)[number];

export interface Filters extends Record<ChoiceName, Choice> {
  q: string;
  /** Absent: all types. */
  type: string | undefined;
  environment: EnvironmentFilter | undefined;
  /** Projects for this set-up: the loaders are compared only with projects of types that have them. */
  fit: Setup | undefined;
  openSource: boolean | undefined;
  /** As in the search: "beta" includes more stable channels, "beta-only" does not. */
  channel: string | undefined;
  sort: Sort;
  perPage: number;
  /** The view in the URL; if absent, the visitor's preference for such lists. */
  view: View | undefined;
  page: number;
}

/** All query parameters of these lists. */
export const filterNames = ["q", "type", ...choiceNames, "fit", "ch", "e", "li", "sort", "n", "view", "page"] as const;

/** The names in URLs, and those of the search. */
export const sorts = {
  relevance: "relevance",
  trending: "trending",
  downloads: "downloads",
  follows: "follow_count",
  updated: "recently_updated",
  published: "recently_published",
} as const satisfies Record<string, SortBy>;
export type Sort = keyof typeof sorts;
export const sortNames = Object.keys(sorts) as Sort[];

/** The date that cards show: that by which they are sorted, if they are sorted by a date. */
export const dateOf = (sort: Sort): "updated" | "published" => (sort === "published" ? "published" : "updated");

export const pageSizes = [10, 20, 50, 100] as const;

const defaults = { sort: "relevance", perPage: 20 } as const;
/** The limit of the search. */
const longestText = 64;
const mostValues = 32;

export type Query = Record<string, string | string[] | undefined>;

export interface ReadFilters {
  filters: Filters;
  /** Ignored parameters: "l=forge". */
  unknown: readonly string[];
  /** A shorter URL means the same. */
  isLong: boolean;
}

const list = (value: string | string[] | undefined): string[] => [value ?? []].flat();

export function readFilters(query: Query, taxonomy: Taxonomy, type?: string): ReadFilters {
  const unknown: string[] = [];
  const known = <T extends string>(name: string, value: string | undefined, allowed: readonly T[]): T | undefined => {
    const found = allowed.find((each) => each === value);
    if (!found && value) unknown.push(`${name}=${value}`);
    return found;
  };
  const one = (name: string): string | undefined => list(query[name])[0];
  const text = one("q") ?? "";
  const q = text.slice(0, longestText).toWellFormed().trim();
  if (text.length > longestText) unknown.push("q");
  // A loader or game version that is unknown here, such as one released today, finds nothing (decisions §3).
  const isShort = (value: string) => value !== "" && value.length <= longestText;
  const isKnown = { l: isShort, v: isShort, c: taxonomy.isCategory, d: isDisclosureTag };
  const choose = (name: ChoiceName) => readChoice(query, name, isKnown[name], unknown);
  const size = known("n", one("n") ?? one("limit"), pageSizes.map(String));
  const license = known("li", one("li"), ["oss", "!oss"]);
  const filters: Filters = {
    q,
    type: type ?? known("type", one("type"), taxonomy.projectTypes),
    ...{ l: choose("l"), v: choose("v"), c: choose("c"), d: choose("d") },
    environment: readEnvironment(list(query.e), (value) => known("e", value, environmentFilters)),
    fit: readFit(list(query.fit), taxonomy, unknown),
    openSource: license === undefined ? undefined : license === "oss",
    channel: known("ch", one("ch"), channelFilters),
    sort: readSort(query, unknown),
    perPage: size === undefined ? defaults.perPage : Number(size),
    view: known("view", one("view"), views),
    page: /^[1-9]\d{0,5}$/.test(one("page") ?? "") ? Number(one("page")) : 1,
  };
  return { filters, unknown: unknown.slice(0, 10), isLong: isLong(query) };
}

/** Earlier links name both sides for projects that are required on both. */
function readEnvironment(
  values: readonly string[],
  known: (value: string) => EnvironmentFilter | undefined,
): EnvironmentFilter | undefined {
  const chosen = new Set(values.flatMap((value) => known(value) ?? []));
  return chosen.has("client") && chosen.has("server") ? "both" : [...chosen][0];
}

/** "fit=0.4.8&fit=quilt" */
function readFit(values: readonly string[], taxonomy: Taxonomy, unknown: string[]): Setup | undefined {
  const chosen = values.filter((value) => value !== "").slice(0, mostValues);
  const setup = {
    gameVersion: chosen.find(taxonomy.isGameVersion) ?? "",
    loaders: [...new Set(chosen.filter(taxonomy.isLoader))],
  };
  const isKnown = (value: string) => taxonomy.isGameVersion(value) || taxonomy.isLoader(value);
  unknown.push(...chosen.filter((value) => !isKnown(value)).map((value) => `fit=${value.slice(0, longestText)}`));
  return hasSetup(setup) ? setup : undefined;
}

/** A value counts once, and is not wanted and unwanted at the same time. */
function readChoice(query: Query, name: ChoiceName, isKnown: (value: string) => boolean, unknown: string[]): Choice {
  const wanted = new Set<string>();
  const unwanted = new Set<string>();
  const add = (value: string, isWanted: boolean) => {
    if (!isKnown(value)) unknown.push(`${name}=${value.slice(0, 64)}`);
    else if (!wanted.has(value) && !unwanted.has(value)) (isWanted ? wanted : unwanted).add(value);
  };
  for (const given of list(query[name]).filter((value) => value !== "")) {
    // An unencoded plus sign arrives as a space, which no value contains: "512x+".
    const value = given.replaceAll(" ", "+");
    add(value.replace(/^!/, ""), !value.startsWith("!"));
  }
  for (const [key, value] of Object.entries(query)) {
    if (!key.startsWith(`${name}.`)) continue;
    const [state] = list(value);
    if (state === "only" || state === "not") add(key.slice(name.length + 1), state === "only");
  }
  return { wanted: [...wanted].slice(0, mostValues), unwanted: [...unwanted].slice(0, mostValues) };
}

/** "sortby" with the names of the search was used by similar sites. */
function readSort(query: Query, unknown: string[]): Sort {
  const text = list(query.sort)[0] ?? list(query.sortby)[0] ?? "";
  const found =
    sortNames.find((name) => name === text) ??
    sortNames.find((name) => sortBys.includes(text as SortBy) && sorts[name] === text);
  if (!found && text !== "") unknown.push(`sort=${text.slice(0, 64)}`);
  return found ?? defaults.sort;
}

const isLong = (query: Query): boolean =>
  Object.entries(query).some(
    ([key, value]) => /^[lvc]\./.test(key) || key === "sortby" || key === "limit" || list(value).includes(""),
  );

/** "?l=quilt&l=!fabric", or an empty text. The type is in the path, except in lists of all types. */
export function toQuery(filters: Filters, { withType = false } = {}): string {
  const { q, type, environment, fit, openSource, channel, sort, perPage, view, page } = filters;
  const parts: [string, string][] = [];
  if (q !== "") parts.push(["q", q]);
  if (withType && type !== undefined) parts.push(["type", type]);
  for (const name of choiceNames) {
    for (const value of filters[name].wanted) parts.push([name, value]);
    for (const value of filters[name].unwanted) parts.push([name, `!${value}`]);
  }
  if (fit?.gameVersion) parts.push(["fit", fit.gameVersion]);
  for (const loader of fit?.loaders ?? []) parts.push(["fit", loader]);
  if (channel !== undefined) parts.push(["ch", channel]);
  if (environment !== undefined) parts.push(["e", environment]);
  if (openSource !== undefined) parts.push(["li", openSource ? "oss" : "!oss"]);
  // Without a text, sorting by relevance means trending.
  const isUsual = sort === defaults.sort || (q === "" && sort === "trending");
  if (!isUsual) parts.push(["sort", sort]);
  if (perPage !== defaults.perPage) parts.push(["n", String(perPage)]);
  if (view !== undefined) parts.push(["view", view]);
  if (page !== 1) parts.push(["page", String(page)]);
  if (parts.length === 0) return "";
  // A page has a dozen of these links, and most values are the same in a query.
  if (parts.every(([, value]) => plainValue.test(value))) return `?${parts.map((pair) => pair.join("=")).join("&")}`;
  return `?${new URLSearchParams(parts).toString().replaceAll("%21", "!")}`;
}

const plainValue = /^[\w.*!-]*$/;

export function toProjectQuery(
  filters: Filters,
  taxonomy: Taxonomy,
  { countFacets }: { countFacets: boolean },
): SearchQuery {
  const { q, type, environment, fit, openSource, channel, sort, perPage, page } = filters;
  const typesOf = ({ loaders }: Setup) =>
    taxonomy.projectTypes.filter((each) => taxonomy.loadersFor(each).some(({ name }) => loaders.includes(name)));
  const copy = ({ wanted, unwanted }: Choice) => ({ wanted: [...wanted], unwanted: [...unwanted] });
  return {
    text: q,
    type,
    loaders: copy(filters.l),
    gameVersions: copy(filters.v),
    channels: { wanted: channel === undefined ? [] : [channel], unwanted: [] },
    categories: copy(filters.c),
    disclosures: copy(filters.d),
    sides: [],
    site: { environment, setup: fit && { ...fit, types: typesOf(fit) } },
    openSource,
    sortBy: sorts[sort],
    limit: perPage,
    offset: (page - 1) * perPage,
    countFacets,
  };
}
