// The one search function that the API and the pages call. The index contains only listed projects, for every caller.

import { preparedOf } from "#content/catalog/prepared-catalog.js";
import { peekListItems } from "#content/projects/prepared-items.js";
import { ItemsOfProjects, type ListItems } from "#content/records/list-items.js";
import { hitsAnswer } from "#content/records/prepared-answers.js";
import type { PreparedProject } from "#content/records/prepared-project.js";
import type { ProjectListItem } from "#content/shapes/project.js";
import { getTaxonomy } from "#content/taxonomy/read.js";
import type { Memory } from "#lib/gzip-join.js";
import type { JoinedAnswer } from "#platform/http/joined-answer.js";
import type { Resources } from "#platform/http/resources.js";
import { type Answer, answer, facetsOf, type QueryText } from "./answer.js";
import { findDescribed } from "./description-words.js";
import type { FacetCounts } from "./facet-memory.js";
import { liveIndexOf } from "./live-index.js";
import type { SearchIndex } from "./search-index.js";
import type { SearchQuery } from "./search-query.js";
import { findTagged } from "./tag-words.js";
import { toKey, toQueryWords } from "./words.js";

/** The longest text of a request has this many words; internal callers may send a longer one. */
const mostWords = 64;

export interface SearchResult {
  /** The projects of the requested page, in order. */
  projects: PreparedProject[];
  /** The number of results on all pages. */
  total: number;
  facets: FacetCounts | undefined;
  /** The text that the user may have meant. */
  meant: string | undefined;
}

async function currentIndex(resources: Resources): Promise<SearchIndex> {
  const live = liveIndexOf(resources);
  return live.currentNow() ?? (await live.current());
}

async function findIds(resources: Resources, query: SearchQuery): Promise<Answer & { edition: number | undefined }> {
  const searchIndex = await currentIndex(resources);
  const { edition } = searchIndex;
  const text = query.text === "" ? undefined : await readText(resources, searchIndex, query.text);
  const found = answer(searchIndex, query, text);
  const isWhole = !text || text.described.size === text.words.length;
  return { ...found, edition: isWhole && searchIndex.edition === edition ? edition : undefined };
}

/** A project that another server has just hidden may be on the page, so it is filtered out here. */
async function loadListed(resources: Resources, ids: readonly string[]): Promise<PreparedProject[]> {
  const found = await preparedOf(resources).load(ids);
  return ids.flatMap((id) => found.get(id) ?? []).filter(({ details }) => details.isListed);
}

export async function searchProjects(resources: Resources, query: SearchQuery): Promise<SearchResult> {
  const { ids, total, facets, meant } = await findIds(resources, query);
  return { projects: await loadListed(resources, ids), total, facets, meant };
}

const none = { wanted: [], unwanted: [] };

/** The number of listed projects for each value of each filter of the website; of one type, or of all. */
export async function countProjects(resources: Resources, type?: string): Promise<FacetCounts> {
  return facetsOf(await currentIndex(resources), {
    ...{ text: "", type, sides: [], site: { environment: undefined, setup: undefined } },
    ...{ loaders: none, gameVersions: none, channels: none, categories: none, disclosures: none },
    ...{ sortBy: "downloads", limit: 0, offset: 0, countFacets: true },
  });
}

/** The result of a search, without the projects themselves. */
export interface Hits {
  ids: readonly string[];
  /** All other fields of the answer, as JSON. */
  fields: string;
  /** The edition of the index; undefined if it has changed during the search, or if descriptions could not be searched. */
  edition: number | undefined;
}

export async function findHits(resources: Resources, query: SearchQuery): Promise<Hits> {
  const { ids, total, facets, edition } = await findIds(resources, query);
  const { text, limit, offset } = query;
  const fields = JSON.stringify({ query: text, limit, offset, estimatedTotalHits: total, ...(facets && { facets }) });
  return { ids, fields, edition };
}

/** The answer of the API. Synchronous if all projects are prepared. */
export function hitsToAnswer(
  resources: Resources,
  { ids, fields }: Hits,
  started: number,
  memory?: Memory,
): JoinedAnswer | Promise<JoinedAnswer> {
  const join = (items: ListItems) => hitsAnswer(items, fields, resources.clock.now() - started, memory);
  const items = peekListItems(resources, ids, { onlyListed: true });
  return items ? join(items) : loadListed(resources, ids).then((projects) => join(new ItemsOfProjects(projects)));
}

/** The answer of the API. The tag and the bytes are the same wherever it is sent. */
export async function searchAnswer(resources: Resources, query: SearchQuery): Promise<JoinedAnswer> {
  const started = resources.clock.now();
  return hitsToAnswer(resources, await findHits(resources, query), started);
}

export const toListItem = (project: PreparedProject): ProjectListItem =>
  JSON.parse(project.pieceText("listItem")) as ProjectListItem;

async function readText(resources: Resources, searchIndex: SearchIndex, text: string): Promise<QueryText | undefined> {
  if (text.trim() === "") return undefined;
  const words = toQueryWords(text).slice(0, mostWords);
  const described = await searchIndex.texts.getAll(
    words.map((word) => word.text),
    (missing) => findDescribed(resources.db, searchIndex, missing),
  );
  const tagged = findTagged(await getTaxonomy(resources), searchIndex.facets, words);
  return { words, key: toKey(text), described, tagged };
}
