// Look-ups by hash in Modrinth's form. All of them use the one resolver of our own look-ups, so that a single file, a list
// and a list with filters for each file always give the same version.

import { sendFile } from "#content/downloads/send-file.js";
import type { HashAlgorithm } from "#content/hashes/file-projects.js";
import { projectEntries } from "#content/projects/entries.js";
import { type FoundVersions, findPreparedByHashes, toPreparedQuery } from "#content/version-files/prepared-look-up.js";
import { type HashQuery, resolveHashes } from "#content/version-files/read.js";
import type { VersionFilter } from "#content/versions/policy.js";
import { fail, invalid } from "#platform/errors.js";
import { type Parsed, type Route, route } from "#platform/http/endpoint.js";
import type { JoinedAnswer } from "#platform/http/joined-answer.js";
import type { Resources } from "#platform/http/resources.js";
import type { Viewer } from "#platform/http/viewer.js";
import { say } from "#words/said.js";
import { answer, type Draft, draftMap, draftOne, type ItemsByHash } from "./drafts.js";
import { blockItem } from "./items.js";
import { channelsOf } from "./mapping.js";
import type { ModrinthVersion } from "./shapes.js";
import * as contract from "./version-contract.js";
import { oneVersion, toVersionMap } from "./version-routes.js";

export const modrinthHashRoutes: Route[] = [
  route(contract.modrinthGetVersionByHash, ({ params, query, viewer }, resources) =>
    findOne(resources, viewer, params.hash, {
      algorithm: query.algorithm ?? guess(params.hash),
      hashes: [params.hash],
    }),
  ),

  route(contract.modrinthDownloadByHash, async (call, resources) => {
    const { params, query, viewer } = call;
    const algorithm = query.algorithm ?? guess(params.hash);
    const version = (await resolveHashes(resources, viewer, { algorithm, hashes: [params.hash] })).get(params.hash);
    const file = version?.files.find((each) => each[algorithm] === params.hash.toLowerCase());
    if (!version || !file) throw fail.fileNotFound();
    const { id: versionId, projectId } = version;
    const isPublic = projectEntries(resources).peek(projectId)?.isPublic ?? false;
    return sendFile(call, resources, { projectId, versionId, file, isPublic }, "no-cache");
  }),

  route(contract.modrinthGetUpdateByHash, ({ params, query, body, viewer }, resources) =>
    findOne(resources, viewer, params.hash, {
      algorithm: query.algorithm ?? guess(params.hash),
      hashes: [params.hash],
      update: toFilter(body),
    }),
  ),

  route(contract.modrinthGetVersionsByHashes, ({ body, viewer }, resources) =>
    findMany(resources, viewer, toVersionsQuery(body)),
  ),

  route(contract.modrinthGetUpdatesByHashes, ({ body, viewer }, resources) =>
    findMany(resources, viewer, toUpdatesQuery(body)),
  ),

  route(contract.modrinthGetUpdateLists, async ({ body, viewer }, resources) => {
    if (viewer.kind === "anonymous")
      return answer(resources, draftMap([await findItems(resources, toUpdatesQuery(body))], { asLists: true }));
    const found = await findSeen(resources, viewer, toUpdatesQuery(body));
    return Object.fromEntries(Object.entries(found).map(([hash, version]) => [hash, [version]]));
  }),

  route(contract.modrinthGetUpdatesApart, async ({ body, viewer }, resources) => {
    const queries = toApart(body);
    // One statement for all, at most: the look-ups with filters find everything in memory.
    const all = { algorithm: queries[0]?.algorithm ?? "sha1", hashes: queries.flatMap(({ hashes }) => hashes) };
    if (viewer.kind === "anonymous") {
      await findItems(resources, all);
      const found: ItemsByHash[] = [];
      for (const query of queries) found.push(await findItems(resources, query));
      return answer(resources, draftMap(found));
    }
    await resolveHashes(resources, viewer, all);
    const found: Record<string, ModrinthVersion> = {};
    for (const query of queries) Object.assign(found, await findSeen(resources, viewer, query));
    return found;
  }),
];

type UpdatesBody = Parsed<(typeof contract.modrinthGetUpdatesByHashes)["body"]>;
type VersionsBody = Parsed<(typeof contract.modrinthGetVersionsByHashes)["body"]>;
type ApartBody = Parsed<(typeof contract.modrinthGetUpdatesApart)["body"]>;

const sha512Digits = 128;
const guess = (hash: string | undefined): HashAlgorithm => (hash?.length === sha512Digits ? "sha512" : "sha1");

export const toVersionsQuery = ({ algorithm, hashes }: VersionsBody): HashQuery => ({
  algorithm: algorithm ?? guess(hashes[0]),
  hashes,
});

export const toUpdatesQuery = (body: UpdatesBody): HashQuery => ({ ...toVersionsQuery(body), update: toFilter(body) });

const toFilter = ({ loaders, game_versions, version_types }: Omit<UpdatesBody, "hashes">): VersionFilter => ({
  loaders: loaders && new Set(loaders),
  gameVersions: game_versions,
  channels: version_types && version_types.length > 0 ? new Set(version_types.flatMap(channelsOf)) : undefined,
});

/** Each is a look-up of its own. Launchers have a few: by loader, and by kind of file. */
const mostFilters = 50;

/** One query for all files with the same filters. If a hash was sent twice, its last filters count. */
function toApart({ algorithm, hashes }: ApartBody): HashQuery[] {
  const groups = Map.groupBy(hashes, ({ hash: _, ...filter }) => JSON.stringify(Object.entries(filter).sort()));
  if (groups.size > mostFilters) throw invalid({ path: "hashes", message: say.problems.differentFilters(mostFilters) });
  const last = new Map(hashes.map((each) => [each.hash, each]));
  return Array.from(groups.values(), (alike) => ({
    algorithm: algorithm ?? guess(hashes[0]?.hash),
    hashes: alike.filter((each) => last.get(each.hash) === each).map(({ hash }) => hash),
    update: toFilter(alike[0]!),
  }));
}

/** Versions of public projects. */
async function findItems(resources: Resources, query: HashQuery): Promise<ItemsByHash> {
  return toItems(await findPreparedByHashes(resources, toPreparedQuery(resources, query)));
}

const toItems = ({ sent, versions }: FoundVersions): ItemsByHash => ({
  sent,
  numbers: versions.map(({ index }) => index),
  items: versions.map(({ record, block }) => blockItem(record, block)),
});

/** For callers who see only public projects. */
export const draftFound = (found: FoundVersions): Draft => draftMap([toItems(found)]);

async function findOne(
  resources: Resources,
  viewer: Viewer,
  hash: string,
  query: HashQuery,
): Promise<JoinedAnswer | ModrinthVersion> {
  if (viewer.kind !== "anonymous")
    return oneVersion(resources, viewer, (await resolveHashes(resources, viewer, query)).get(hash));
  const [item] = (await findItems(resources, query)).items;
  if (!item) throw fail.versionNotFound();
  return answer(resources, draftOne(item));
}

async function findMany(
  resources: Resources,
  viewer: Viewer,
  query: HashQuery,
): Promise<JoinedAnswer | Record<string, ModrinthVersion>> {
  if (viewer.kind !== "anonymous") return findSeen(resources, viewer, query);
  return answer(resources, draftMap([await findItems(resources, query)]));
}

/** The versions that this caller may see, by the hashes as sent. */
const findSeen = async (
  resources: Resources,
  viewer: Viewer,
  query: HashQuery,
): Promise<Record<string, ModrinthVersion>> =>
  Object.fromEntries(await toVersionMap(resources, viewer, await resolveHashes(resources, viewer, query)));
