// Parses the parameters of a search. An unknown value is refused with a list of valid ones; an unknown loader or game
// version finds nothing (decisions §3), because launchers ask for a game's new version before an operator has entered
// it.

import { disclosureTags, isDisclosureTag } from "#content/shapes/disclosures.js";
import type { Taxonomy } from "#content/taxonomy/taxonomy.js";
import { channelFilters, isChannelFilter } from "#content/versions/channels.js";
import { invalid } from "#platform/errors.js";
import { say } from "#words/said.js";
import type { Condition } from "./conditions.js";
import { type EnvironmentFilter, type Side, sides } from "./facets.js";
import { type FigureSort, figureSorts } from "./orders.js";

export type SortBy = "relevance" | FigureSort;
export const sortBys: readonly SortBy[] = ["relevance", ...figureSorts];
export const licenseFilters = ["oss", "!oss"] as const;

/** A game version and loaders. Only projects of these types are compared with the loaders: no other type has them. */
export interface SetupFilter {
  gameVersion: string;
  loaders: readonly string[];
  types: readonly string[];
}

/** Wanted and excluded values. */
export interface Choice {
  wanted: string[];
  unwanted: string[];
}

export interface SearchQuery {
  text: string;
  /** All types if it is absent. */
  type?: string | undefined;
  /** All of the wanted ones on one version, with one of the wanted game versions. */
  loaders: Choice;
  gameVersions: Choice;
  /**
   * Values of channelFilters: "beta" includes beta and more stable channels, "beta-only" only beta. The matching
   * version must have one of the wanted channels.
   */
  channels: Choice;
  categories: Choice;
  /** Values of content/shapes/disclosures.ts: all of the wanted ones. */
  disclosures: Choice;
  sides: Side[];
  /** Filters that only the website has. If it is present, one of the wanted loaders is enough. */
  site?: { environment: EnvironmentFilter | undefined; setup: SetupFilter | undefined } | undefined;
  /** A further filter of any form, for interfaces that have one. */
  condition?: Condition | undefined;
  /** Whether it has a link to its source code. */
  openSource?: boolean | undefined;
  sortBy: SortBy;
  limit: number;
  offset: number;
  /** Whether to count the results of each further value. */
  countFacets: boolean;
}

/** The parameters of the request; an empty one counts as absent. */
export interface SearchParameters {
  q?: string | undefined;
  type?: string | undefined;
  l?: string | string[] | undefined;
  v?: string | string[] | undefined;
  ch?: string | string[] | undefined;
  c?: string | string[] | undefined;
  d?: string | string[] | undefined;
  e?: string | string[] | undefined;
  li?: string | undefined;
  sortby?: string | undefined;
  limit?: number | undefined;
  offset?: number | undefined;
  page?: number | undefined;
  facets?: string | undefined;
}

export const defaultLimit = 20;
const yes = ["1", "true"];
const no = ["0", "false"];
const none: readonly string[] = [];

export function toSearchQuery(parameters: SearchParameters, taxonomy: Taxonomy): SearchQuery {
  const { q = "", limit = defaultLimit, page = 1 } = parameters;
  const oss = one("li", parameters.li, licenseFilters);
  const facets = one("facets", parameters.facets, [...yes, ...no]);
  const named = (items: readonly { name: string }[]) => items.map(({ name }) => name);
  return {
    text: q,
    type: one("type", parameters.type, taxonomy.projectTypes),
    loaders: choice("l", parameters.l),
    gameVersions: choice("v", parameters.v),
    channels: choice("ch", parameters.ch, isChannelFilter, () => channelFilters),
    categories: choice("c", parameters.c, taxonomy.isCategory, () => named(taxonomy.categories)),
    disclosures: choice("d", parameters.d, isDisclosureTag, () => disclosureTags),
    sides: sides.filter((side) => list(parameters.e).some((value) => one("e", value, sides) === side)),
    openSource: oss === undefined ? undefined : oss === licenseFilters[0],
    sortBy: (one("sortby", parameters.sortby, sortBys) ?? "relevance") as SortBy,
    limit,
    // Further than any page, and still an integer.
    offset: Math.min(parameters.offset ?? (page - 1) * limit, Number.MAX_SAFE_INTEGER),
    countFacets: facets !== undefined && yes.includes(facets),
  };
}

/** The value, if it is one of these. */
export function one(name: string, value: string | undefined, allowed: readonly string[]): string | undefined {
  if (value === undefined || value === "") return undefined;
  if (!allowed.includes(value)) throw refusal(name, value, allowed);
  return value;
}

function choice(
  name: string,
  values: string | string[] | undefined,
  isKnown: (value: string) => boolean = () => true,
  listKnown: () => readonly string[] = () => [],
): Choice {
  const made: Choice = { wanted: [], unwanted: [] };
  for (const given of list(values)) {
    // A plus sign that was not encoded arrives as a space, which no value contains: "512x+".
    const text = given.replaceAll(" ", "+");
    const [value, into] = text.startsWith("!") ? [text.slice(1), made.unwanted] : [text, made.wanted];
    if (!isKnown(value)) throw refusal(name, value, listKnown());
    if (!into.includes(value)) into.push(value);
  }
  return made;
}

function list(values: string | string[] | undefined): readonly string[] {
  if (values === undefined || values === "") return none;
  return typeof values === "string" ? [values] : values.filter((value) => value !== "");
}

const refusal = (path: string, value: string, allowed: readonly string[]) =>
  invalid({ path, message: say.problems.notKnown(JSON.stringify(value), allowed.join(", ")) });
