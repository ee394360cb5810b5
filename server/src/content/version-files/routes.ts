// Routes that look up versions by file hash.

import { alone, joinMap } from "#content/catalog/ready-bytes.js";
import { sendFile } from "#content/downloads/send-file.js";
import { projectEntries } from "#content/projects/entries.js";
import { blockAnswer } from "#content/records/prepared-answers.js";
import { showVersionsTo } from "#content/versions/read.js";
import { fail } from "#platform/errors.js";
import type { ReadyAnswer } from "#platform/http/answers.js";
import { type Route, route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import * as contract from "./contract.js";
import { toHashQuery, toUpdateQuery } from "./hash-query.js";
import { findPreparedByHashes, toPreparedQuery, versionsByHashAnswer } from "./prepared-look-up.js";
import { type HashQuery, resolveHashes } from "./read.js";

export const versionFileRoutes: Route[] = [
  route(contract.getVersionByHash, async ({ params, query, viewer }, resources) => {
    const asked: HashQuery = { algorithm: query.algorithm ?? "sha512", hashes: [params.hash] };
    if (viewer.kind === "anonymous") return onePrepared(resources, asked);
    const found = await resolveHashes(resources, viewer, asked);
    const version = found.get(params.hash);
    if (!version) throw fail.versionNotFound();
    return alone((await showVersionsTo(resources.db, viewer, [version]))(version).byHash);
  }),

  route(contract.downloadByHash, async (call, resources) => {
    const { params, query, viewer } = call;
    const algorithm = query.algorithm ?? "sha512";
    const version = (await resolveHashes(resources, viewer, { algorithm, hashes: [params.hash] })).get(params.hash);
    const hash = params.hash.toLowerCase();
    const file = version?.files.find((candidate) => candidate[algorithm] === hash);
    if (!version || !file) throw fail.fileNotFound();
    const isPublic = projectEntries(resources).peek(version.projectId)?.isPublic ?? false;
    return sendFile(
      call,
      resources,
      { projectId: version.projectId, versionId: version.id, file, isPublic },
      "no-cache",
    );
  }),

  route(contract.getVersionsByHashes, async ({ body, viewer }, resources) => {
    if (viewer.kind === "anonymous")
      return versionsByHashAnswer(await findPreparedByHashes(resources, toPreparedQuery(resources, toHashQuery(body))));
    const found = await resolveHashes(resources, viewer, toHashQuery(body));
    const shown = await showVersionsTo(resources.db, viewer, found.values());
    return joinMap(found, (version) => shown(version).byHash);
  }),

  route(contract.getUpdatesByHashes, async ({ body, viewer }, resources) => {
    if (viewer.kind === "anonymous")
      return versionsByHashAnswer(
        await findPreparedByHashes(resources, toPreparedQuery(resources, toUpdateQuery(body))),
      );
    const found = await resolveHashes(resources, viewer, toUpdateQuery(body));
    const shown = await showVersionsTo(resources.db, viewer, found.values());
    return joinMap(found, (version) => shown(version).byHash);
  }),

  route(contract.getUpdateByHash, async ({ params, body, viewer }, resources) => {
    const asked = toUpdateQuery({ ...body, hashes: [params.hash] });
    if (viewer.kind === "anonymous") return onePrepared(resources, asked);
    const found = await resolveHashes(resources, viewer, asked);
    const version = found.get(params.hash);
    if (!version) throw fail.versionNotFound();
    return alone((await showVersionsTo(resources.db, viewer, [version]))(version).byHash);
  }),
];

/** The version for the only hash of the query. */
async function onePrepared(resources: Resources, query: HashQuery): Promise<ReadyAnswer> {
  const [found] = (await findPreparedByHashes(resources, toPreparedQuery(resources, query))).versions;
  if (!found) throw fail.versionNotFound();
  return blockAnswer(found.record, found.block, "byHash");
}
