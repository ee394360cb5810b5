// The routes of quarantine.

import { sendFile } from "#content/downloads/send-file.js";
import { findFile } from "#content/versions/policy.js";
import { write } from "#platform/changes/write.js";
import { fail, invalid } from "#platform/errors.js";
import { type Route, route } from "#platform/http/endpoint.js";
import { done } from "#platform/http/schemas.js";
import { say } from "#words/said.js";
import * as contract from "./contract.js";
import { allowHash, denyHash } from "./denied-write.js";
import { getAnyVersion, getQuarantine, inspectContent, inspectVersion, listDenied, listQuarantines } from "./read.js";
import { createQuarantine, liftQuarantine } from "./write.js";

export const quarantineRoutes: Route[] = [
  route(contract.getQuarantines, async ({ query }, { db }) => {
    return listQuarantines(db, query);
  }),

  route(contract.createQuarantine, async ({ body, viewer, actor }, resources) => {
    const { versionId = null, sha512 = null, reason, deny = false } = body;
    if ((versionId === null) === (sha512 === null))
      throw invalid({ path: "versionId", message: say.problems.versionOrHash });
    if (deny && sha512 === null) throw invalid({ path: "deny", message: say.problems.hashOnly });
    const { id, versions } = await write(resources, actor, (tx) =>
      createQuarantine(tx, viewer.user.id, { versionId, sha512: sha512?.toLowerCase() ?? null, reason, deny }),
    );
    const { versions: _versions, ...quarantine } = await getQuarantine(resources.db, id);
    return { ...done("File quarantined"), quarantine, versions };
  }),

  route(contract.getQuarantine, async ({ params }, { db }) => {
    return getQuarantine(db, params.quarantineId);
  }),

  route(contract.liftQuarantine, async ({ params, viewer, actor }, resources) => {
    const versions = await write(resources, actor, (tx) => liftQuarantine(tx, viewer.user.id, params.quarantineId));
    return { ...done("Quarantine lifted"), versions };
  }),

  route(contract.inspectVersion, async ({ params }, resources) => {
    return inspectVersion(resources, params.versionId);
  }),

  route(contract.inspectVersionFile, async (call, resources) => {
    const { entry } = await getAnyVersion(resources, call.params.versionId);
    const file = findFile(entry, call.params.fileName);
    if (!file) throw fail.fileNotFound();
    // A file that is not primary does not count as a download.
    const sent = {
      projectId: entry.projectId,
      versionId: entry.id,
      file: { ...file, isPrimary: false },
      isPublic: false,
    };
    return sendFile(call, resources, sent, "no-store");
  }),

  route(contract.inspectContent, async ({ params }, { db }) => {
    return inspectContent(db, params.hash);
  }),

  route(contract.getDeniedHashes, async ({ query }, { db }) => {
    return listDenied(db, query);
  }),

  route(contract.denyHash, async ({ body, viewer, actor }, resources) => {
    await write(resources, actor, (tx) => denyHash(tx, viewer.user.id, body.hash, body.reason));
    const { denied } = await inspectContent(resources.db, body.hash);
    if (!denied) throw fail.goneMeanwhile();
    return { ...done("File denied"), denied };
  }),

  route(contract.allowHash, async ({ params, actor }, resources) => {
    await write(resources, actor, (tx) => allowHash(tx, params.hash));
    return done("File allowed");
  }),
];
