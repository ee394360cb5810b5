// Publishing and editing in Modrinth's form: the same use cases as in our own interface.
import { needConfirmedAddress } from "#accounts/users/policy.js";
import { setDescription, setLicense, setLinks, setTags } from "#content/projects/attributes.js";
import { changeProject, getEditableProject } from "#content/projects/change.js";
import { editDetails, saveIcon, setIcon } from "#content/projects/edit.js";
import { projectEntries } from "#content/projects/entries.js";
import { findProjectId, listVisibleIds } from "#content/projects/read.js";
import { getTaxonomy } from "#content/taxonomy/read.js";
import { findEdited, getVersionRow, saveVersion } from "#content/versions/edit.js";
import { getOwnVersion } from "#content/versions/edit-routes.js";
import { checkSize, getPublishableProject, publishFrom } from "#content/versions/publish.js";
import { findProjectsOfVersions } from "#content/versions/read.js";
import { removeVersion } from "#content/versions/remove.js";
import { fail, invalid } from "#platform/errors.js";
import { type Route, route, type StagedFile } from "#platform/http/endpoint.js";
import { readJson } from "#platform/http/json-body.js";
import type { Resources } from "#platform/http/resources.js";
import { parse } from "#platform/http/validation.js";
import type { SignedIn } from "#platform/http/viewer.js";
import { refuseOverQuota } from "#platform/pictures/quota.js";
import { say } from "#words/said.js";
import * as contract from "./edit-contract.js";
import { toProjectEdit, toVersionParts, withProjectNames, withVersionNames } from "./edit-input.js";
import { toModrinthVersion } from "./mapping.js";

export const modrinthEditRoutes: Route[] = [
  route(
    contract.modrinthCreateVersion,
    (call, resources) =>
      withVersionNames(async () => {
        const data = parse<contract.NewVersion>("body", contract.NewVersion, readData(call.body.data), "data");
        const project = await getPublishableProject(resources.db, call.viewer, data.project_id);
        const [primaryFile, ...additionalFiles] = orderFiles(call.staged["*"], data);
        if (primaryFile) checkSize(primaryFile, resources.config.limits.primaryFileBytes);
        for (const file of additionalFiles) checkSize(file, resources.config.limits.additionalFileBytes);
        const { versionId } = await publishFrom(resources, call, {
          project,
          parts: await toVersionParts(resources.db, call.viewer, data),
          ...{ primaryFile, additionalFiles, primaryUpload: undefined, additionalUploads: [] },
        });
        return toModrinthVersion(await getOwnVersion(resources, call.viewer, project.id, versionId));
      }),
    {
      // The project is named in the form, so that only the account can be checked before.
      before: async ({ viewer }, { db, config }) => {
        needConfirmedAddress(viewer);
        await refuseOverQuota(db, config.limits, viewer.user.id, 1);
      },
    },
  ),

  route(
    contract.modrinthAddFiles,
    async (call, resources) => {
      const additionalFiles = call.staged["*"];
      if (additionalFiles.length === 0) throw invalid({ path: "file", message: say.problems.fileMissing });
      for (const file of additionalFiles) checkSize(file, resources.config.limits.additionalFileBytes);
      const params = await findOwner(resources, call.viewer, call.params.version);
      await saveVersion(resources, { ...call, params }, { parts: {}, additionalFiles, additionalUploads: [] });
      return call.reply.code(204).send();
    },
    {
      before: async ({ viewer, params }, resources) => {
        await findEdited(resources, { viewer, params: await findOwner(resources, viewer, params.version) });
      },
    },
  ),

  route(contract.modrinthUpdateVersion, (call, resources) =>
    withVersionNames(async () => {
      const params = await findOwner(resources, call.viewer, call.params.version);
      const parts = await toVersionParts(resources.db, call.viewer, call.body);
      await saveVersion(resources, { ...call, params }, { parts, additionalFiles: [], additionalUploads: [] });
      return call.reply.code(204).send();
    }),
  ),

  route(contract.modrinthDeleteVersion, async (call, resources) => {
    const params = await findOwner(resources, call.viewer, call.params.version);
    await changeProject(resources, { ...call, params }, "delete_version", async (tx, project) =>
      removeVersion(tx, await getVersionRow(tx.db, project.id, params.version), resources.config.limits),
    );
    return call.reply.code(204).send();
  }),

  route(contract.modrinthUpdateProject, (call, resources) =>
    withProjectNames(async () => {
      const { details, description, links, license } = toProjectEdit(call.body);
      const tags = await toTags(resources, call.params.ref, call.body);
      const taxonomy = await getTaxonomy(resources);
      const isOnlyText = description && !(details || links || license || tags);
      const needed = isOnlyText ? "edit_description" : "edit_details";
      await changeProject(resources, call, needed, async (tx, project) => {
        if (details) {
          const { icon: _icon, type: _type, ...fields } = details;
          await editDetails(tx, project, taxonomy, fields);
        }
        if (description) {
          await getEditableProject(tx.db, call.viewer, project.id, "edit_description");
          await setDescription(tx, project.id, description.description ?? "");
        }
        if (tags) await setTags(tx, project, taxonomy, tags);
        if (links) await setLinks(tx, project, links);
        if (license) await setLicense(tx, project, taxonomy, license);
      });
      return call.reply.code(204).send();
    }),
  ),

  route(contract.modrinthUpdateIcon, async (call, resources) => {
    const bytes = call.request.body;
    if (!Buffer.isBuffer(bytes) || bytes.length === 0)
      throw invalid({ path: "body", message: say.problems.pictureMissing });
    await saveIcon(resources, call, bytes);
    return call.reply.code(204).send();
  }),

  route(contract.modrinthRemoveIcon, async (call, resources) => {
    await changeProject(resources, call, "edit_details", async (tx, project) => {
      if (project.icon_id === null) throw fail.wrongState(say.states.noIcon);
      await setIcon(tx, project, null);
    });
    return call.reply.code(204).send();
  }),
];

const readData = (text: string): unknown => readJson(Buffer.from(text)) ?? {};

/** The primary file first: the named one, or the first of the list. Without a list, in the order of their arrival. */
function orderFiles(files: readonly StagedFile[], { file_parts: parts, primary_file }: contract.NewVersion) {
  const unnamed = parts && files.find(({ part }) => !parts.includes(part!));
  if (unnamed)
    throw invalid({ path: "file_parts", message: say.problems.unknown(unnamed.part!.slice(0, 64), "file_parts") });
  const rankOf = ({ part }: StagedFile) => (part === primary_file ? -1 : (parts?.indexOf(part!) ?? 0));
  return files.toSorted((a, b) => rankOf(a) - rankOf(b));
}

/** The project of a version that the caller may see. */
async function findOwner({ db }: Resources, viewer: SignedIn, version: string) {
  const ref = (await findProjectsOfVersions(db, [version])).get(version);
  if (ref === undefined || (await listVisibleIds(db, viewer, [ref])).length === 0) throw fail.versionNotFound();
  return { ref, version };
}

const mostFeatured = 3;

/** Modrinth has two lists: categories that are shown, and others. The one that is absent stays. */
async function toTags(
  resources: Resources,
  ref: string,
  { categories, additional_categories }: contract.EditedProject,
) {
  if (!categories && !additional_categories) return undefined;
  const id = (await findProjectId(resources, ref)) ?? "";
  const project = (await projectEntries(resources).load([id])).get(id)?.project;
  const shown = categories ?? project?.featuredCategories ?? [];
  const others =
    additional_categories ?? project?.categories.filter((name) => !project.featuredCategories.includes(name)) ?? [];
  return { categories: [...shown, ...others], featured: shown.slice(0, mostFeatured) };
}
