// Projects that are similar to another one, and projects of the same author, from the index in memory. Both take about as
// long as a search. Nothing is read from the database, and the index may miss the changes of the last moments.
import type { Bits } from "./bits.js";
import { pageBy } from "./ranking.js";
import type { SearchIndex } from "./search-index.js";
import type { SlotSet } from "./slot-set.js";
import type { Run } from "./term-run.js";
import { fields, fieldsOf, slotOf } from "./terms.js";
import { toIndexedWords } from "./words.js";

export interface Compared {
  type: readonly string[];
  categories: readonly string[];
  loaders: readonly string[];
}

/** Further ones are shared by too many projects to matter. */
const mostTags = 5;
const mostCategories = 3;
/** A name whose rarest word occurs more often belongs to no one in particular. */
const mostPlaces = 4096;

/**
 * The ids of projects of the same type that share a category, the most similar ones first: those that share the rarest
 * categories and loaders, then the most downloaded ones. The project itself is among them if it is in the index
 * (`isIndexed`), so that the list is the same for all projects with the same tags.
 */
export function findSimilar(index: SearchIndex, project: Compared, isIndexed: boolean, most: number): string[] {
  const { bits, facets } = index;
  const ofType = facets.types.get(project.type[0] ?? "");
  if (!ofType) return [];
  bits.begin(index.slots);
  const ofSameType = bits.copy(index.live);
  ofType.keepIn(ofSameType);
  const categories = rarestFirst(project.categories.map((category) => facets.categories.get(category)));
  const loaders = project.loaders.map((loader) => facets.withLoader(loader));
  const similar = new Set<string>();
  for (const category of categories.slice(0, mostCategories)) {
    const found = bits.copy(ofSameType);
    category.keepIn(found);
    const rest = rarestFirst([...categories, ...loaders]).filter((tag) => tag !== category);
    for (const level of narrowed(index, found, rest.slice(0, mostTags), isIndexed ? 1 : 0)) {
      for (const id of mostDownloaded(index, level, most)) similar.add(id);
      if (similar.size >= most) return [...similar].slice(0, most);
    }
  }
  return [...similar];
}

const rarestFirst = (sets: readonly (SlotSet | undefined)[]): SlotSet[] =>
  sets.filter((set) => set !== undefined).sort((a, b) => a.size - b.size);

/** The projects with most of the tags, then those with fewer. Each has more than `own` of them. */
function narrowed({ bits }: SearchIndex, all: Bits, tags: readonly SlotSet[], own: number): Bits[] {
  const levels = [all];
  for (const tag of tags) {
    const fewer = bits.copy(levels[0]!);
    tag.keepIn(fewer);
    if (fewer.count() > own) levels.unshift(fewer);
  }
  return levels;
}

function mostDownloaded(index: SearchIndex, found: Bits, limit: number): string[] {
  const total = found.count();
  return total === 0 ? [] : pageBy(index, "downloads", { found, total }, { offset: 0, limit });
}

/** The ids of projects whose author has the rare words of this name, the most downloaded ones first. */
export function findByAuthor(index: SearchIndex, ownId: string, author: string, most: number): string[] {
  const { terms, live, orders, ids } = index;
  const words = Array.from(new Set(toIndexedWords(author)), (word) => terms.exactly(word));
  const rare = words.filter((runs) => runs.reduce((sum, run) => sum + run.most, 0) <= mostPlaces);
  const [first = [], ...others] = rare.map(slotsOfAuthor).sort((a, b) => a.length - b.length);
  const own = index.findSlot(ownId);
  const found = others.reduce(inBoth, first).filter((slot) => slot !== own && live.has(slot));
  return orders
    .sort(found, "downloads")
    .slice(0, most)
    .map((slot) => ids.at(slot));
}

/** The projects whose author has the word of these runs, in ascending order: later runs have higher slots. */
function slotsOfAuthor(runs: readonly Run[]): number[] {
  const slots: number[] = [];
  for (const run of runs)
    for (const place of run.unpack()) if ((fieldsOf(place) & fields.author) !== 0) slots.push(slotOf(place));
  return slots;
}

/** Both are in ascending order. */
function inBoth(some: readonly number[], others: readonly number[]): number[] {
  let at = 0;
  return some.filter((slot) => {
    while (at < others.length && others[at]! < slot) at++;
    return others[at] === slot;
  });
}
