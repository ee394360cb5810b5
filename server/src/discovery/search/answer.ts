// Answers a query from the index in memory: matches the text, applies the filters, selects the page, and counts the
// results of each further filter value.
import { channelFilters, findChannels } from "#content/versions/channels.js";
import { type Facets, sides, type Wanted } from "./facets.js";
import { type Match, match } from "./matching.js";
import { pageBy, pageByRelevance } from "./ranking.js";
import type { SearchIndex } from "./search-index.js";
import type { SearchQuery } from "./search-query.js";
import { Bits, type SlotSet } from "./slot-set.js";
import type { Word } from "./words.js";

/** Number of projects by the parameter of a filter and its value. */
export type FacetCounts = Record<"type" | "l" | "v" | "ch" | "c" | "e" | "li", Record<string, number>>;

export interface Answer {
  /** The ids of the projects on the page, in order. */
  ids: string[];
  total: number;
  facets: FacetCounts | undefined;
}

export interface QueryText {
  words: readonly Word[];
  /** All words joined into one. */
  key: string;
  /** For each word, the projects that have it in their description. */
  described: ReadonlyMap<string, SlotSet>;
}

/** The projects that each filter leaves. Undefined: the filter is not used. */
type Filters = Record<"type" | "fits" | "categories" | "sides" | "source" | "allowed", Bits | undefined>;

export function answer(searchIndex: SearchIndex, query: SearchQuery, text: QueryText | undefined): Answer {
  const matched = text && match(searchIndex, text);
  const base = matched?.found ?? searchIndex.liveBits();
  const filters = toFilters(searchIndex, query);
  const found = narrowed(base, filters);
  const total = found.count();
  return {
    ids: query.offset < total ? pageOf(searchIndex, query, found, matched, text) : [],
    total,
    facets: query.countFacets ? countFacets(searchIndex, query, base, filters) : undefined,
  };
}

function pageOf(
  searchIndex: SearchIndex,
  query: SearchQuery,
  found: Bits,
  matched: Match | undefined,
  text: QueryText | undefined,
): string[] {
  const { sortBy } = query;
  if (sortBy !== "relevance") return pageBy(searchIndex, sortBy, found, query);
  // Without a text, relevance means trending.
  if (!matched || !text) return pageBy(searchIndex, "trending", found, query);
  return pageByRelevance(searchIndex, matched, found, text.key.length, query);
}

const toBits = (size: number, set: SlotSet | undefined): Bits => {
  const bits = new Bits(size);
  set?.orInto(bits);
  return bits;
};

function toFilters({ facets, slots }: SearchIndex, query: SearchQuery): Filters {
  const { type, loaders, gameVersions, channels, categories, openSource } = query;
  const isFit = loaders.wanted.length + gameVersions.wanted.length + channels.wanted.length > 0;
  return {
    type: type === undefined ? undefined : toBits(slots, facets.types.get(type)),
    fits: isFit ? facets.fitting(slots, toWanted(query)) : undefined,
    categories: categories.wanted
      .map((category) => toBits(slots, facets.categories.get(category)))
      .reduce<Bits | undefined>((all, bits) => all?.and(bits) ?? bits, undefined),
    sides: query.sides.length === 0 ? undefined : toBits(slots, facets.sides.get(query.sides.join(","))),
    source: openSource === undefined ? undefined : sourceBits(facets, slots, openSource),
    allowed: toAllowed(facets, slots, query),
  };
}

/** Any of these channels; all channels if none is named. */
const toChannels = (names: readonly string[]): ReadonlySet<string> | undefined =>
  names.length === 0 ? undefined : new Set(names.flatMap((name) => [...(findChannels(name) ?? [])]));

const toWanted = ({ loaders, gameVersions, channels }: SearchQuery): Wanted => ({
  loaders: loaders.wanted,
  gameVersions: gameVersions.wanted,
  channels: toChannels(channels.wanted),
});

function sourceBits(facets: Facets, size: number, isWanted: boolean): Bits {
  const bits = toBits(size, facets.withSource);
  if (isWanted) return bits;
  for (let at = 0; at < bits.words.length; at++) bits.words[at] = ~bits.words[at]!;
  return bits;
}

/** The projects that remain after removing every project with one of the excluded values, on any version. */
function toAllowed(facets: Facets, size: number, query: SearchQuery): Bits | undefined {
  const { loaders, gameVersions, channels, categories } = query;
  if ([loaders, gameVersions, channels, categories].every(({ unwanted }) => unwanted.length === 0)) return undefined;
  const bits = new Bits(size);
  for (const loader of loaders.unwanted) bits.or(facets.fitting(size, { loaders: [loader] }));
  if (gameVersions.unwanted.length > 0) bits.or(facets.fitting(size, { gameVersions: gameVersions.unwanted }));
  if (channels.unwanted.length > 0) bits.or(facets.fitting(size, { channels: toChannels(channels.unwanted) }));
  for (const category of categories.unwanted) facets.categories.get(category)?.orInto(bits);
  for (let at = 0; at < bits.words.length; at++) bits.words[at] = ~bits.words[at]!;
  return bits;
}

function narrowed(base: Bits, filters: Filters, without?: keyof Filters): Bits {
  const found = base.copy();
  for (const [name, bits] of Object.entries(filters)) if (bits && name !== without) found.and(bits);
  return found;
}

/**
 * The number of results with a value chosen: instead of the current value if only one can be chosen or if each widens
 * the results (type, game version, channel, side, license), and in addition to the current ones if each narrows them
 * (loader, category).
 */
function countFacets({ facets, slots }: SearchIndex, query: SearchQuery, base: Bits, filters: Filters): FacetCounts {
  const wanted = toWanted(query);
  const among = (without?: keyof Filters) => narrowed(base, filters, without);
  const [all, anyFit, anySource, anySide] = [among(), among("fits"), among("source"), among("sides")];
  const bySet = (sets: ReadonlyMap<string, SlotSet>, bits: Bits) =>
    counted([...sets].map(([value, set]) => [value, set.countIn(bits)]));
  const withSource = facets.withSource.countIn(anySource);
  const room = new Bits(slots);
  const fitting = (values: Iterable<string>, withOne: (value: string) => Wanted) =>
    counted([...values].map((value) => [value, facets.countFitting(anyFit, room, { ...wanted, ...withOne(value) })]));
  return {
    type: bySet(facets.types, among("type")),
    l: fitting(facets.loaders, (loader) => ({ loaders: [...query.loaders.wanted, loader] })),
    v: fitting(facets.gameVersions, (value) => ({ gameVersions: [value] })),
    ch: fitting(channelFilters, (name) => ({ channels: findChannels(name) })),
    c: bySet(facets.categories, all),
    e: counted(sides.map((side) => [side, facets.sides.get(side)?.countIn(anySide) ?? 0])),
    li: counted([
      ["oss", withSource],
      ["!oss", anySource.count() - withSource],
    ]),
  };
}

/** Values without a result are left out. */
const counted = (counts: [string, number][]): Record<string, number> =>
  Object.fromEntries(counts.filter(([, count]) => count > 0));
