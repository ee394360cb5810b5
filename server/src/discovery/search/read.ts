// The one search function that the API and the pages call. The index contains only listed projects, for every caller.
import { type ListItemEntry, listItems } from "#content/projects/list-items.js";
import type { Resources } from "#platform/http/resources.js";
import { type AskedText, answer, type FacetCounts } from "./answer.js";
import { keeperOf } from "./keeper.js";
import { findDescribed } from "./loading.js";
import type { SearchQuery } from "./search-query.js";
import type { Shelf } from "./shelf.js";
import { toKey, toQueryWords } from "./words.js";

/** The longest text of a request has this many words; internal callers may send a longer one. */
const mostWords = 64;

export interface SearchResult {
  /** The items of the requested page, in order. */
  items: ListItemEntry[];
  /** The number of results on all pages. */
  total: number;
  facets: FacetCounts | undefined;
}

export async function searchProjects(resources: Resources, query: SearchQuery): Promise<SearchResult> {
  const shelf = await keeperOf(resources).current();
  const text = await readText(resources, shelf, query.text);
  const { ids, total, facets } = answer(shelf, query, text);
  const items = await listItems(resources).load(ids);
  // A project that another server has just hidden may be on the page, so it is filtered out here.
  return { items: ids.flatMap((id) => items.get(id) ?? []).filter(({ isListed }) => isListed), total, facets };
}

async function readText(resources: Resources, shelf: Shelf, text: string): Promise<AskedText | undefined> {
  if (text.trim() === "") return undefined;
  const words = toQueryWords(text).slice(0, mostWords);
  const described = await shelf.texts.getAll(
    words.map((word) => word.text),
    (missing) => findDescribed(resources.db, shelf, missing),
  );
  return { words, key: toKey(text), described };
}
