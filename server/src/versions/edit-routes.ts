// Versions, writing: one function a route.
import { catalogOf } from "../catalog/catalog.js";
import { write } from "../changes/write.js";
import type { Db, Row } from "../db/tables.js";
import { fail } from "../errors.js";
import { type Route, route } from "../http/endpoint.js";
import type { Resources } from "../http/resources.js";
import { done } from "../http/schemas.js";
import { parse } from "../http/validation.js";
import { reach } from "../lib/fail-points.js";
import { getEditableProject } from "../projects/editing.js";
import * as contract from "./edit-contract.js";
import { parseVersionTexts, type VersionTexts } from "./input.js";
import { examine, inputContext, keep, publish, refuseArchived } from "./publish.js";
import type { Version } from "./shapes.js";
import { readUploadForm, type UploadForm } from "./upload-form.js";
import { editVersion, type NewFile, removeVersion, setYanked } from "./write.js";

export const versionEditRoutes: Route[] = [
  route(contract.createVersion, async (call, resources) => {
    // Who may not publish here is told before his file is read.
    const { project } = await getEditableProject(resources.db, call.viewer, call.params.ref, "upload_version");
    refuseArchived(project);
    const form = await readUploadForm(call.request, resources);
    try {
      const { versionId, unchanged } = await publish(resources, call, project, form);
      const data = await getOwnVersion(resources, project.id, versionId);
      reach("publish: before reply");
      const message = unchanged ? "This version is here already" : "Version published";
      return { ...done(message), slug: data.slug, ...(unchanged && { unchanged }), data };
    } finally {
      await form.discard();
    }
  }),

  route(contract.updateVersion, async (call, resources) => {
    const { viewer, params, request } = call;
    const { project } = await getEditableProject(resources.db, viewer, params.ref, "upload_version");
    const version = await getVersionRow(resources.db, project.id, params.version);
    const form = request.isMultipart() ? await readUploadForm(request, resources) : undefined;
    try {
      await edit(resources, call, project, version, form);
    } finally {
      await form?.discard();
    }
    const data = await getOwnVersion(resources, project.id, version.id);
    return { ...done("Version saved"), slug: data.slug, data };
  }),

  route(contract.deleteVersion, async ({ viewer, actor, params }, resources) => {
    await write(resources, actor, async (tx) => {
      const { project } = await getEditableProject(tx.db, viewer, params.ref, "delete_version");
      await removeVersion(tx, await getVersionRow(tx.db, project.id, params.version));
    });
    return done("Version deleted");
  }),

  route(contract.yankVersion, async ({ viewer, actor, params, body }, resources) => {
    await write(resources, actor, async (tx) => {
      const { project } = await getEditableProject(tx.db, viewer, params.ref, "upload_version");
      await setYanked(tx, await getVersionRow(tx.db, project.id, params.version), body.reason ?? "");
    });
    return done("Version withdrawn");
  }),

  route(contract.unyankVersion, async ({ viewer, actor, params }, resources) => {
    await write(resources, actor, async (tx) => {
      const { project } = await getEditableProject(tx.db, viewer, params.ref, "upload_version");
      await setYanked(tx, await getVersionRow(tx.db, project.id, params.version), null);
    });
    return done("Version offered again");
  }),
];

type EditCall = Parameters<Parameters<typeof route<typeof contract.updateVersion>>[1]>[0];

async function edit(
  resources: Resources,
  call: EditCall,
  project: Row<"projects">,
  version: Row<"versions">,
  form: UploadForm | undefined,
): Promise<void> {
  const { viewer, actor, request } = call;
  const context = await inputContext(resources, viewer, project);
  const given = form ? form.fields : ((request.body ?? {}) as Record<string, unknown>);
  const { loaders, gameVersions, dependencies, ...rest } = given as VersionTexts;
  // A JSON body may hold the lists themselves; input.ts checks them either way.
  const texts = {
    ...parse<VersionTexts>(form ? "text" : "body", contract.versionParts, { ...rest }, "form"),
    loaders,
    gameVersions,
    dependencies,
  };
  const fields = await parseVersionTexts(context, texts);
  const files: NewFile[] = [];
  for (const file of form?.additionalFiles ?? [])
    files.push(await keep(resources, file, (await examine(resources, file)).type));
  await write(resources, actor, async (tx) => {
    await getEditableProject(tx.db, viewer, project.id, "upload_version");
    await editVersion(tx, resources.blobs, await getVersionRow(tx.db, project.id, version.id), fields, files);
  });
}

/** By id, slug or "latest": the newest of all channels, as it is the author who asks. */
async function getVersionRow(db: Db, projectId: string, ref: string): Promise<Row<"versions">> {
  const slug = ref.toLowerCase();
  const inProject = db.selectFrom("versions").selectAll().where("project_id", "=", projectId);
  const wanted =
    slug === "latest"
      ? inProject.orderBy("date_published", "desc").orderBy("id").limit(1)
      : inProject.where((or) => or.or([or("id", "=", ref), or("slug", "=", slug)]));
  const row = await wanted.executeTakeFirst();
  if (!row) throw fail.versionNotFound();
  return row;
}

async function getOwnVersion(resources: Resources, projectId: string, versionId: string): Promise<Version> {
  const versions = (await catalogOf(resources).getVersions([projectId])).get(projectId) ?? [];
  const version = versions.find(({ id }) => id === versionId);
  if (!version) throw fail.versionNotFound();
  return version.own.value;
}
