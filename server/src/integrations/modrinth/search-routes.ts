// The search in Modrinth's form: facets become a condition of our own search.
import { findProfile } from "#accounts/users/read.js";
import { listProjectIdsOfOrg, listProjectIdsOfUser } from "#content/projects/read.js";
import { getTaxonomy } from "#content/taxonomy/read.js";
import type { Taxonomy } from "#content/taxonomy/taxonomy.js";
import { searchProjects } from "#discovery/search/read.js";
import { type SearchQuery, type SortBy, toSearchQuery } from "#discovery/search/search-query.js";
import type { Memory } from "#lib/gzip-join.js";
import { findIdsByRef } from "#platform/db/refs.js";
import type { Db } from "#platform/db/tables.js";
import { type Parsed, type Route, route } from "#platform/http/endpoint.js";
import type { JoinedAnswer } from "#platform/http/joined-answer.js";
import type { Resources } from "#platform/http/resources.js";
import { anonymous } from "#platform/http/viewer.js";
import { answer, draftHits } from "./drafts.js";
import { type ParsedFacets, parseFacets } from "./facets.js";
import { hitItem } from "./items.js";
import * as contract from "./search-contract.js";

export const modrinthSearchRoutes: Route[] = [
  route(contract.modrinthSearch, async ({ query }, resources) =>
    findHits(resources, toHitsQuery(query, await getTaxonomy(resources))),
  ),
];

type Query = Parsed<(typeof contract.modrinthSearch)["query"]>;

const sorts: Record<NonNullable<Query["index"]>, SortBy> = {
  "": "relevance",
  relevance: "relevance",
  downloads: "downloads",
  follows: "follow_count",
  newest: "recently_published",
  updated: "recently_updated",
};

const usualLimit = 10;
const mostHits = 100;
/** As in our own search. The rest of a longer text is ignored. */
const longestText = 64;

interface HitsQuery {
  query: SearchQuery;
  authors: ParsedFacets["authors"];
}

export function toHitsQuery(
  { query: text = "", facets, index = "", offset = 0, limit: wanted = usualLimit }: Query,
  taxonomy: Taxonomy,
): HitsQuery {
  const limit = Math.min(Math.max(wanted, 1), mostHits);
  const { condition, authors } = parseFacets(facets, taxonomy);
  const plain = toSearchQuery({ q: text.slice(0, longestText), limit, offset }, taxonomy);
  return { query: { ...plain, sortBy: sorts[index], condition }, authors };
}

export async function findHits(
  resources: Resources,
  { query, authors }: HitsQuery,
  memory?: Memory,
): Promise<JoinedAnswer> {
  for (const author of authors) author.ids.push(...(await listProjectsOf(resources.db, author.name)));
  const { projects, total } = await searchProjects(resources, query);
  const { offset, limit } = query;
  return answer(resources, draftHits(projects.map(hitItem), { offset, limit, total_hits: total }), memory);
}

/** The listed projects of a user or an organization. */
async function listProjectsOf(db: Db, name: string): Promise<string[]> {
  const user = await findProfile(db, name);
  const orgId = (await findIdsByRef(db, "organizations", [name])).get(name);
  return [
    ...(user ? await listProjectIdsOfUser(db, anonymous, user.id, true) : []),
    ...(orgId ? await listProjectIdsOfOrg(db, anonymous, orgId, true) : []),
  ];
}
