// Routes that change projects.

import { getTaxonomy } from "#content/taxonomy/read.js";
import { write } from "#platform/changes/write.js";
import { fail, invalid } from "#platform/errors.js";
import { type Route, route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import { done } from "#platform/http/schemas.js";
import { say } from "#words/said.js";
import { setDescription, setDisclosures, setLicense, setLinks, setTags } from "./attributes.js";
import { changeProject } from "./change.js";
import { allowAnotherProject, createProject } from "./create.js";
import { saveDetails, saveIcon, setIcon } from "./edit.js";
import * as contract from "./edit-contract.js";
import { projectEntries } from "./entries.js";
import { getTypes, parseTypes } from "./project-types.js";
import { removeProject } from "./remove.js";

export const projectEditRoutes: Route[] = [
  route(contract.createProject, async ({ body, viewer, actor }, resources) => {
    const taxonomy = await getTaxonomy(resources);
    const { name, slug, summary, visibility = "listed" } = body;
    const types = getTypes(taxonomy, parseTypes(body.type));
    const input = { name, slug, summary, visibility, types, orgId: body.orgId || null };
    const { id } = await write(resources, actor, async (tx) => {
      await allowAnotherProject(tx, viewer.user, input.orgId, resources.config.limits.projects);
      return createProject(tx, viewer.user, taxonomy, input);
    });
    return { ...done("Project created"), urlSlug: slug, type: types, id, slug };
  }),

  route(contract.updateProject, async (call, resources) => {
    const { icon, type, ...fields } = call.body;
    const types = type === undefined ? undefined : parseTypes(type);
    // Empty removes the icon; any other text is its current URL sent back, which keeps it.
    const kept = icon === null || icon === "" ? null : undefined;
    const slug = await saveDetails(resources, call, { ...fields, types }, call.files.icon?.bytes ?? kept);
    return { ...done("Project saved"), slug };
  }),

  route(contract.deleteProject, async (call, resources) => {
    const { limits } = resources.config;
    await changeProject(resources, call, "delete_project", (tx, project) => removeProject(tx, project, limits));
    return done("Project deleted");
  }),

  route(contract.updateProjectIcon, async (call, resources) => {
    if (!call.files.icon) throw invalid({ path: "icon", message: say.problems.fileMissing });
    const id = await saveIcon(resources, call, call.files.icon.bytes);
    const { icon, color } = await getSaved(resources, id);
    // Another request may have removed it since.
    if (icon === null) throw fail.projectNotFound();
    return { ...done("Icon saved"), icon, color };
  }),

  route(contract.removeProjectIcon, async (call, resources) => {
    await changeProject(resources, call, "edit_details", async (tx, project) => {
      if (project.icon_id === null) throw fail.wrongState(say.states.noIcon);
      await setIcon(tx, project, null);
    });
    return done("Icon removed");
  }),

  route(contract.updateProjectDescription, async (call, resources) => {
    const { description } = call.body;
    await changeProject(resources, call, "edit_description", (tx, project) =>
      setDescription(tx, project.id, description === undefined ? project.description : (description ?? "")),
    );
    return done("Description saved");
  }),

  route(contract.updateProjectTags, async (call, resources) => {
    const taxonomy = await getTaxonomy(resources);
    const { categories, featuredCategories: featured } = call.body;
    const tags = await changeProject(resources, call, "edit_details", (tx, project) =>
      setTags(tx, project, taxonomy, { categories, featured }),
    );
    return { ...done("Tags saved"), categories: tags.categories, featuredCategories: tags.featured };
  }),

  route(contract.updateProjectLinks, async (call, resources) => {
    const links = await changeProject(resources, call, "edit_details", (tx, project) =>
      setLinks(tx, project, call.body),
    );
    return { ...done("Links saved"), ...links };
  }),

  route(contract.updateProjectLicense, async (call, resources) => {
    const taxonomy = await getTaxonomy(resources);
    const license = await changeProject(resources, call, "edit_details", (tx, project) =>
      setLicense(tx, project, taxonomy, call.body),
    );
    return { ...done("License saved"), ...license };
  }),

  route(contract.updateProjectDisclosures, async (call, resources) => {
    const disclosures = await changeProject(resources, call, "edit_details", (tx, project) =>
      setDisclosures(tx, project, call.body),
    );
    return { ...done("Disclosures saved"), disclosures };
  }),
];

async function getSaved(resources: Resources, projectId: string) {
  const entry = (await projectEntries(resources).load([projectId])).get(projectId);
  if (!entry) throw fail.projectNotFound();
  return entry.project;
}
