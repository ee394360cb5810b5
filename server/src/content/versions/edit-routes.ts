// Routes that publish and change versions.

import { sql } from "kysely";
import { changeProject } from "#content/projects/change.js";
import { rowContext } from "#content/projects/entries.js";
import type { Version } from "#content/shapes/version.js";
import { reach } from "#lib/fail-points.js";
import { fail } from "#platform/errors.js";
import { type Call, type Route, route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import { done } from "#platform/http/schemas.js";
import type { Viewer } from "#platform/http/viewer.js";
import { refuseFullAccount } from "#platform/pictures/quota.js";
import { findEdited, getVersionRow, saveVersion, unyankVersion, yankVersion } from "./edit.js";
import * as contract from "./edit-contract.js";
import { loadVersions } from "./entries.js";
import { getPublishableProject, publishFrom, uploadsIn } from "./publish.js";
import { showVersionsTo, withoutDuplicate } from "./read.js";
import { removeVersion } from "./remove.js";

export const versionEditRoutes: Route[] = [
  route(
    contract.createVersion,
    async (call, resources) => {
      const project = await getPublishableProject(resources.db, call.viewer, call.params.ref);
      const { versionId, unchanged, isHeld } = await publishFrom(resources, call, {
        project,
        parts: call.body,
        primaryFile: call.staged.primaryFile[0],
        additionalFiles: call.staged.additionalFiles,
        ...uploadsIn(call.body),
      });
      const data = await getOwnVersion(resources, call.viewer, project.id, versionId, { isHeld, isNew: !unchanged });
      reach("publish: before reply");
      const message = isHeld ? heldMessage : unchanged ? "This version exists already" : "Version published";
      return { ...done(message), slug: data.slug, ...(unchanged && { unchanged }), data };
    },
    {
      before: async ({ viewer, params }, resources) => {
        await getPublishableProject(resources.db, viewer, params.ref);
        await refuseFullAccount(resources, viewer.user.id);
      },
    },
  ),

  route(contract.updateVersion, (call, resources) => answerEdit(resources, call), {
    before: async (call, resources) => {
      await findEdited(resources, call);
    },
  }),

  route(contract.updateLatestVersion, (call, resources) => answerEdit(resources, latestOf(call)), {
    before: async (call, resources) => {
      await findEdited(resources, latestOf(call));
    },
  }),

  route(contract.deleteVersion, async (call, resources) => {
    await changeProject(resources, call, "delete_version", async (tx, project) =>
      removeVersion(tx, await getVersionRow(tx.db, project.id, call.params.version), resources.config.limits),
    );
    reach("version delete: after commit");
    return done("Version deleted");
  }),

  route(contract.yankVersion, async (call, resources) => {
    const { reason, replacement, security: isDanger } = call.body;
    await changeProject(resources, call, "upload_version", async (tx, project) =>
      yankVersion(tx, await getVersionRow(tx.db, project.id, call.params.version), {
        reason: reason ?? "",
        replacement,
        isDanger,
      }),
    );
    return done("Version withdrawn");
  }),

  route(contract.unyankVersion, async (call, resources) => {
    await changeProject(resources, call, "upload_version", async (tx, project) =>
      unyankVersion(tx, await getVersionRow(tx.db, project.id, call.params.version)),
    );
    return done("Version available again");
  }),
];

const heldMessage =
  "Version received. It is hidden until the malware scan is finished; its page on the website shows the state.";

type EditCall = Call<typeof contract.updateVersion>;

const latestOf = <C extends { params: { ref: string } }>(call: C) => ({
  ...call,
  params: { ...call.params, version: "latest" },
});

async function answerEdit(resources: Resources, call: EditCall) {
  const { additionalFiles } = call.staged;
  const { projectId, versionId } = await saveVersion(resources, call, {
    parts: call.body,
    additionalFiles,
    additionalUploads: uploadsIn(call.body).additionalUploads,
  });
  const data = await getOwnVersion(resources, call.viewer, projectId, versionId);
  return { ...done("Version saved"), slug: data.slug, data };
}

export async function getOwnVersion(
  resources: Resources,
  viewer: Viewer,
  projectId: string,
  versionId: string,
  { isHeld = false, isNew = false } = {},
): Promise<Version> {
  // A project may have thousands of versions, so the others are not read.
  const row = isNew
    ? undefined
    : await resources.db
        .selectFrom("versions")
        .select("yank_replacement_id")
        .where("id", "=", versionId)
        .executeTakeFirst();
  const versionIds = [versionId, ...(row?.yank_replacement_id ? [row.yank_replacement_id] : [])];
  const versions = await loadVersions(await rowContext(resources), [projectId], {
    versionIds,
    ...(isHeld && { which: sql<boolean>`versions.id = ${versionId}` }),
  });
  const version = versions.get(projectId)?.find(({ id }) => id === versionId);
  if (!version) throw fail.versionNotFound();
  return withoutDuplicate((await showVersionsTo(resources.db, viewer, [version]))(version));
}
