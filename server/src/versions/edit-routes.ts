// Versions, writing: one function a route.
import { catalogOf } from "../catalog/catalog.js";
import { write } from "../changes/write.js";
import { fail } from "../errors.js";
import { type Call, type Route, route } from "../http/endpoint.js";
import type { Resources } from "../http/resources.js";
import { done } from "../http/schemas.js";
import { reach } from "../lib/fail-points.js";
import { getEditableProject } from "../projects/editing.js";
import { changeProject, lockProject } from "../projects/locking.js";
import * as contract from "./edit-contract.js";
import { editVersion, getVersionRow, setYanked } from "./editing.js";
import { parseVersionParts } from "./input.js";
import { examineFile, keepFiles, refuseSameNames } from "./new-files.js";
import { getPublishableProject, inputContext, publish } from "./publish.js";
import { getVisibleVersion } from "./read.js";
import { removeVersion } from "./removal.js";
import type { Version } from "./shapes.js";

export const versionEditRoutes: Route[] = [
  route(
    contract.createVersion,
    async (call, resources) => {
      const project = await getPublishableProject(resources.db, call.viewer, call.params.ref);
      const { primaryFile, additionalFiles } = call.staged;
      const upload = { project, parts: call.body, primaryFile: primaryFile[0], additionalFiles };
      const { versionId, unchanged } = await publish(resources, call, upload);
      const data = await getOwnVersion(resources, project.id, versionId);
      reach("publish: before reply");
      const message = unchanged ? "This version is here already" : "Version published";
      return { ...done(message), slug: data.slug, ...(unchanged && { unchanged }), data };
    },
    {
      before: async ({ viewer, params }, { db }) => {
        await getPublishableProject(db, viewer, params.ref);
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
      removeVersion(tx, await getVersionRow(tx.db, project.id, call.params.version)),
    );
    reach("version delete: after commit");
    return done("Version deleted");
  }),

  route(contract.yankVersion, async (call, resources) => {
    await changeProject(resources, call, "upload_version", async (tx, project) =>
      setYanked(tx, await getVersionRow(tx.db, project.id, call.params.version), call.body.reason ?? ""),
    );
    return done("Version withdrawn");
  }),

  route(contract.unyankVersion, async (call, resources) => {
    await changeProject(resources, call, "upload_version", async (tx, project) =>
      setYanked(tx, await getVersionRow(tx.db, project.id, call.params.version), null),
    );
    return done("Version offered again");
  }),
];

type EditCall = Call<typeof contract.updateVersion>;

const latestOf = <C extends { params: { ref: string } }>(call: C) => ({
  ...call,
  params: { ...call.params, version: "latest" },
});

async function findEdited(resources: Resources, { viewer, params }: Pick<EditCall, "viewer" | "params">) {
  const { project } = await getEditableProject(resources.db, viewer, params.ref, "upload_version");
  // The same one that a reader gets.
  const isLatest = params.version === "latest";
  const ref = isLatest ? (await getVisibleVersion(resources, viewer, project.id, "latest")).version.id : params.version;
  return { project, version: await getVersionRow(resources.db, project.id, ref) };
}

async function answerEdit(resources: Resources, call: EditCall) {
  const { projectId, versionId } = await edit(resources, call);
  const data = await getOwnVersion(resources, projectId, versionId);
  return { ...done("Version saved"), slug: data.slug, data };
}

async function edit(resources: Resources, call: EditCall): Promise<{ projectId: string; versionId: string }> {
  const { viewer, actor, body, staged } = call;
  const { project, version } = await findEdited(resources, call);
  const context = await inputContext(resources, viewer, project);
  const fields = await parseVersionParts(context, body);
  refuseSameNames(staged.additionalFiles);
  const examined = [];
  for (const file of staged.additionalFiles) examined.push(await examineFile(resources, file));
  const files = examined.length > 0 ? await keepFiles(resources, examined) : [];
  await write(resources, actor, async (tx) => {
    await lockProject(tx, project.id);
    await getEditableProject(tx.db, viewer, project.id, "upload_version");
    await editVersion(tx, resources.blobs, await getVersionRow(tx.db, project.id, version.id), fields, files);
  });
  return { projectId: project.id, versionId: version.id };
}

async function getOwnVersion(resources: Resources, projectId: string, versionId: string): Promise<Version> {
  const versions = (await catalogOf(resources).getVersions([projectId])).get(projectId) ?? [];
  const version = versions.find(({ id }) => id === versionId);
  if (!version) throw fail.versionNotFound();
  return version.own.value;
}
