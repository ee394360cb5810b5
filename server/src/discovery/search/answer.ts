// Answers a query from the index in memory: matches the text, applies the filters, selects the page, and counts the
// results of each further filter value.
import { channelFilters, findChannels } from "#content/versions/channels.js";
import type { Bits, QueryBits } from "./bits.js";
import { findMeeting } from "./conditions.js";
import type { FacetCounts } from "./facet-memory.js";
import {
  countFitting,
  countInAny,
  environmentFilters,
  type Facets,
  noLoader,
  type Selection,
  type Shelves,
  sides,
  type Wanted,
} from "./facets.js";
import { type Match, match } from "./matching.js";
import { pageBy, pageByRelevance } from "./ranking.js";
import type { SearchIndex } from "./search-index.js";
import type { SearchQuery, SetupFilter } from "./search-query.js";
import { SlotSet } from "./slot-set.js";
import type { Word } from "./words.js";

export interface Answer {
  /** The ids of the projects on the page, in order. */
  ids: string[];
  total: number;
  facets: FacetCounts | undefined;
  /** The text that the user may have meant, if some of its words are unknown. */
  meant: string | undefined;
}

export interface QueryText {
  words: readonly Word[];
  /** All words joined into one. */
  key: string;
  /** For each word, the projects that have it in their description. */
  described: ReadonlyMap<string, SlotSet>;
  /** For each word, the projects whose loader or category has it in its name. */
  tagged: ReadonlyMap<string, readonly SlotSet[]>;
}

type Filter = Pick<Bits, "keepIn">;

/** The projects that each filter leaves. Undefined: the filter is not used. */
type Filters = Record<
  "type" | "fits" | "setup" | "categories" | "disclosures" | "sides" | "source" | "allowed" | "condition",
  Filter | undefined
>;

const noProjects = new SlotSet();

export function answer(searchIndex: SearchIndex, query: SearchQuery, text: QueryText | undefined): Answer {
  searchIndex.bits.begin(searchIndex.slots);
  const matched = text && match(searchIndex, text);
  const base = matched?.found ?? searchIndex.live;
  const filters = toFilters(searchIndex, query);
  const found = narrowed(searchIndex.bits, base, filters);
  const total = found.count();
  return {
    ids: query.offset < total ? pageOf(searchIndex, query, { found, total }, matched, text) : [],
    total,
    meant: matched?.meant,
    facets: query.countFacets
      ? findFacets(searchIndex, query, text, () => countFacets(searchIndex, query, base, filters))
      : undefined,
  };
}

/** Only the counts of `answer`, without a text: most of the time they are known. */
export function facetsOf(searchIndex: SearchIndex, query: SearchQuery): FacetCounts {
  return findFacets(searchIndex, query, undefined, () => {
    searchIndex.bits.begin(searchIndex.slots);
    return countFacets(searchIndex, query, searchIndex.live, toFilters(searchIndex, query));
  });
}

function pageOf(
  searchIndex: SearchIndex,
  query: SearchQuery,
  { found, total }: { found: Bits; total: number },
  matched: Match | undefined,
  text: QueryText | undefined,
): string[] {
  const { sortBy } = query;
  if (sortBy !== "relevance") return pageBy(searchIndex, sortBy, { found, total }, query);
  // Without a text, relevance means trending.
  if (!matched || !text) return pageBy(searchIndex, "trending", { found, total }, query);
  return pageByRelevance(searchIndex, matched, found, text.key.length, query);
}

function toFilters(searchIndex: SearchIndex, query: SearchQuery): Filters {
  const { facets, bits } = searchIndex;
  const { type, loaders, gameVersions, channels, categories, disclosures, openSource, site } = query;
  const isFit = loaders.wanted.length + gameVersions.wanted.length + channels.wanted.length > 0;
  return {
    type: type === undefined ? undefined : (facets.types.get(type) ?? noProjects),
    fits: isFit ? facets.fitting(bits, toWanted(query)) : undefined,
    setup: site?.setup && fittingSetup(facets, bits, site.setup, toChannels(channels.wanted)),
    categories: all(categories.wanted.map((category) => facets.categories.get(category) ?? noProjects)),
    disclosures: all(disclosures.wanted.map((tag) => facets.disclosures.get(tag) ?? noProjects)),
    sides: sidesFilter(facets, query),
    source: openSource === undefined ? undefined : sourceFilter(facets, openSource),
    allowed: toAllowed(facets, bits, query),
    condition: query.condition && findMeeting(searchIndex, query.condition),
  };
}

function sidesFilter(facets: Facets, { sides, site }: SearchQuery): Filter | undefined {
  if (site?.environment !== undefined) return facets.environments.get(site.environment) ?? noProjects;
  return sides.length === 0 ? undefined : (facets.sides.get(sides.join(",")) ?? noProjects);
}

/** Versions for one of the loaders or for none, and all projects of types that have none of these loaders. */
function fittingSetup(
  facets: Facets,
  room: QueryBits,
  { gameVersion, loaders, types }: SetupFilter,
  channels: ReadonlySet<string> | undefined,
): Filter {
  const place = { gameVersions: gameVersion === "" ? [] : [gameVersion], channels };
  const found = room.take();
  facets.fitting(room, place).orInto(found);
  if (loaders.length === 0) return found;
  const compared = room.take();
  for (const type of types) facets.types.get(type)?.orInto(compared);
  found.andNot(compared);
  facets.fitting(room, { ...place, loaders: [...loaders, noLoader], isAnyLoader: true }).orInto(found);
  return found;
}

const all = (filters: readonly Filter[]): Filter | undefined =>
  filters.length === 0
    ? undefined
    : {
        keepIn: (found) => {
          for (const filter of filters) filter.keepIn(found);
        },
      };

/** Any of these channels; all channels if none is named. */
const toChannels = (names: readonly string[]): ReadonlySet<string> | undefined =>
  names.length === 0 ? undefined : new Set(names.flatMap((name) => [...(findChannels(name) ?? [])]));

const toWanted = ({ loaders, gameVersions, channels, site }: SearchQuery): Wanted => ({
  loaders: loaders.wanted,
  isAnyLoader: site !== undefined,
  gameVersions: gameVersions.wanted,
  channels: toChannels(channels.wanted),
});

function sourceFilter({ withSource }: Facets, isWanted: boolean): Filter {
  return isWanted ? withSource : { keepIn: (found) => withSource.removeFrom(found) };
}

/** The projects that remain after removing every project with one of the excluded values, on any version. */
function toAllowed(facets: Facets, room: QueryBits, query: SearchQuery): Filter | undefined {
  const { loaders, gameVersions, channels, categories, disclosures } = query;
  if ([loaders, gameVersions, channels, categories, disclosures].every(({ unwanted }) => unwanted.length === 0))
    return undefined;
  const bits = room.take();
  for (const loader of loaders.unwanted) facets.fitting(room, { loaders: [loader] }).orInto(bits);
  if (gameVersions.unwanted.length > 0) facets.fitting(room, { gameVersions: gameVersions.unwanted }).orInto(bits);
  if (channels.unwanted.length > 0) facets.fitting(room, { channels: toChannels(channels.unwanted) }).orInto(bits);
  for (const category of categories.unwanted) facets.categories.get(category)?.orInto(bits);
  for (const tag of disclosures.unwanted) facets.disclosures.get(tag)?.orInto(bits);
  return { keepIn: (found) => void found.andNot(bits) };
}

function narrowed(room: QueryBits, base: Bits, filters: Filters, without?: keyof Filters): Bits {
  const found = room.copy(base);
  for (const [name, filter] of Object.entries(filters)) if (filter && name !== without) filter.keepIn(found);
  return found;
}

/** Few slots are counted one by one, many by comparing bitmaps. */
function select(bits: Bits): Selection {
  const count = bits.count();
  return { bits, list: count < bits.words.length ? bits.list(count) : undefined };
}

/** Without a text, the counts of a choice of filters are the same until a project changes. */
function findFacets(
  { facetCounts }: SearchIndex,
  query: SearchQuery,
  text: QueryText | undefined,
  count: () => FacetCounts,
): FacetCounts {
  if (text) return count();
  const { type, loaders, gameVersions, channels, categories, disclosures, sides, site, openSource, condition } = query;
  const filters = [type, loaders, gameVersions, channels, categories, disclosures, sides, site, openSource, condition];
  const key = JSON.stringify(filters);
  return facetCounts.get(key) ?? facetCounts.keep(key, count());
}

/**
 * The number of results with a value chosen: instead of the current value if only one can be chosen or if each widens
 * the results (type, game version, channel, side, license; on the website also loader), and in addition to the current
 * ones if each narrows them (category, disclosure; in the public interface also loader).
 */
function countFacets(
  { facets, bits: sets }: SearchIndex,
  query: SearchQuery,
  base: Bits,
  filters: Filters,
): FacetCounts {
  const wanted = toWanted(query);
  const exact = select(narrowed(sets, base, filters));
  const among = (without: keyof Filters) => (filters[without] ? select(narrowed(sets, base, filters, without)) : exact);
  const [anyFit, anySource, anySide] = [among("fits"), among("source"), among("sides")];
  const room = sets.take();
  const countIn = (set: SlotSet | undefined, selection: Selection) => (set ? countInAny(selection, room, [set]) : 0);
  const bySet = (values: ReadonlyMap<string, SlotSet>, selection: Selection) =>
    counted(Array.from(values, ([value, set]) => [value, countIn(set, selection)]));
  const withSource = countIn(facets.withSource, anySource);
  const { channels: _channels, ...place } = wanted;
  const shelves = facets.shelvesOf(wanted.channels);
  const fitting = (among: Shelves, given: Omit<Wanted, "channels">) => countFitting(anyFit, room, among, given);
  const eachOf = (values: Iterable<string>, count: (value: string) => number) =>
    counted(Array.from(values, (value) => [value, count(value)]));
  return {
    type: bySet(facets.types, among("type")),
    l: eachOf(facets.loaders, (loader) =>
      fitting(shelves, { ...place, loaders: query.site ? [loader] : [...query.loaders.wanted, loader] }),
    ),
    v: eachOf(facets.gameVersions, (value) => fitting(shelves, { ...place, gameVersions: [value] })),
    ch: eachOf(channelFilters, (name) => fitting(facets.shelvesOf(findChannels(name)), place)),
    c: bySet(facets.categories, exact),
    d: bySet(facets.disclosures, exact),
    e: query.site
      ? counted(environmentFilters.map((each) => [each, countIn(facets.environments.get(each), anySide)]))
      : counted(sides.map((side) => [side, countIn(facets.sides.get(side), anySide)])),
    li: counted([
      ["oss", withSource],
      ["!oss", anySource.bits.count() - withSource],
    ]),
  };
}

/** Values without a result are left out. */
const counted = (counts: readonly [string, number][]): Record<string, number> =>
  Object.fromEntries(counts.filter(([, count]) => count > 0));
