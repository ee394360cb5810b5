// Projects, writing: one function a route.
import { catalogOf } from "../catalog/catalog.js";
import { type Tx, write } from "../changes/write.js";
import { fail, invalid } from "../errors.js";
import { type Route, route } from "../http/endpoint.js";
import type { Resources } from "../http/resources.js";
import { done } from "../http/schemas.js";
import { addPicture, storeIcon } from "../pictures/write.js";
import { getTaxonomy } from "../taxonomy/read.js";
import { setDescription, setLicense, setLinks, setTags } from "./attributes.js";
import * as contract from "./edit-contract.js";
import { getEditableProject } from "./editing.js";
import { changeProject, type ProjectCall } from "./locking.js";
import { getTypes, parseTypes } from "./project-types.js";
import { removeProject } from "./removal.js";
import { submitProject, withdrawProject } from "./review.js";
import { createProject, editDetails, type ProjectIcon, setIcon } from "./write.js";

export const projectEditRoutes: Route[] = [
  route(contract.createProject, async ({ body, viewer, actor }, resources) => {
    const taxonomy = await getTaxonomy(resources);
    const { name, slug, summary, visibility = "listed" } = body;
    const types = getTypes(taxonomy, parseTypes(body.type));
    const input = { name, slug, summary, visibility, types, orgId: body.orgId || null };
    const { id } = await write(resources, actor, (tx) => createProject(tx, viewer.user, taxonomy, input));
    return { ...done("Project created"), urlSlug: slug, type: types, id, slug };
  }),

  route(contract.updateProject, async (call, resources) => {
    const { body, files } = call;
    const taxonomy = await getTaxonomy(resources);
    const types = body.type === undefined ? undefined : getTypes(taxonomy, parseTypes(body.type));
    const stored = files.icon && (await storeProjectIcon(resources, call, files.icon.bytes));
    // Empty removes the icon; any other text is its present address sent back, which keeps it.
    const kept = body.icon === null || body.icon === "" ? null : undefined;
    const { name, slug, summary, visibility, clientSide, serverSide } = body;
    return changeProject(resources, call, "edit_details", async (tx, project) => {
      const icon = stored ? await nameIcon(tx, resources, project.id, stored) : kept;
      const edit = { name, slug, summary, visibility, types, clientSide, serverSide, icon };
      await editDetails(tx, project, taxonomy, edit);
      return { ...done("Project saved"), slug: slug ?? project.slug };
    });
  }),

  route(contract.deleteProject, async (call, resources) => {
    await changeProject(resources, call, "delete_project", removeProject);
    return done("Project deleted");
  }),

  route(contract.submitProject, async (call, resources) => {
    const { review } = resources.config;
    const status = await changeProject(resources, call, "owner", (tx, project) =>
      submitProject(tx, project, call.viewer.user.id, { review }),
    );
    return { ...done(review ? "Submitted; a moderator will look at it" : "The project is public now"), status };
  }),

  route(contract.withdrawProject, async (call, resources) => {
    const status = await changeProject(resources, call, "owner", (tx, project) =>
      withdrawProject(tx, project, call.viewer.user.id),
    );
    return { ...done("Taken back; the project is a draft again"), status };
  }),

  route(contract.updateProjectIcon, async (call, resources) => {
    if (!call.files.icon) throw invalid({ path: "icon", message: "is missing: send a form with a file of this name" });
    const stored = await storeProjectIcon(resources, call, call.files.icon.bytes);
    const id = await changeProject(resources, call, "edit_details", async (tx, project) => {
      await setIcon(tx, project, await nameIcon(tx, resources, project.id, stored));
      return project.id;
    });
    const { icon, color } = await getSaved(resources, id);
    // Another request may have removed it in the meantime.
    if (icon === null) throw fail.projectNotFound();
    return { ...done("Icon saved"), icon, color };
  }),

  route(contract.removeProjectIcon, async (call, resources) => {
    await changeProject(resources, call, "edit_details", async (tx, project) => {
      if (project.icon_id === null) throw fail.wrongState("The project has no icon");
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
    return { ...done("Licence saved"), ...license };
  }),
];

type StoredIcon = Awaited<ReturnType<typeof storeIcon>>;

/** Asked before the picture is decoded: nobody makes the server work for a project that is not his to change. */
async function storeProjectIcon(resources: Resources, call: ProjectCall, bytes: Buffer): Promise<StoredIcon> {
  await getEditableProject(resources.db, call.viewer, call.params.ref, "edit_details");
  return storeIcon(resources, bytes);
}

async function nameIcon(tx: Tx, { blobs }: Resources, projectId: string, stored: StoredIcon): Promise<ProjectIcon> {
  const imageId = await addPicture(tx, blobs, { kind: "project", id: projectId }, stored);
  return { imageId, color: stored.color };
}

async function getSaved(resources: Resources, projectId: string) {
  const entry = (await catalogOf(resources).getProjects([projectId])).get(projectId);
  if (!entry) throw fail.projectNotFound();
  return entry.project;
}
