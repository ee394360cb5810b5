// A project's details with its icon, as the API's routes and the website's forms both save them. A picture is decoded and
// stored before the transaction, so that it stays short.

import { getTaxonomy } from "#content/taxonomy/read.js";
import type { Tx } from "#platform/changes/write.js";
import type { Row } from "#platform/db/tables.js";
import type { Resources } from "#platform/http/resources.js";
import { addPicture, storeIcon } from "#platform/pictures/write.js";
import { getEditableProject } from "./editing.js";
import { changeProject, type ProjectCall } from "./locking.js";
import { getTypes } from "./project-types.js";
import { type DetailsEdit, editDetails, type ProjectIcon, setIcon } from "./write.js";

type StoredIcon = Awaited<ReturnType<typeof storeIcon>>;

/** The picture's bytes, null to have none, undefined to keep the one that is there. Returns the slug as it is now. */
export async function saveDetails(
  resources: Resources,
  call: ProjectCall,
  edit: Omit<DetailsEdit, "icon">,
  icon: Buffer | null | undefined,
  check: (project: Row<"projects">) => void = () => {},
): Promise<string> {
  const taxonomy = await getTaxonomy(resources);
  const types = edit.types && getTypes(taxonomy, edit.types);
  const stored = icon && (await storeProjectIcon(resources, call, icon));
  return changeProject(resources, call, "edit_details", async (tx, project) => {
    check(project);
    const named = stored ? await nameIcon(tx, resources, project.id, stored) : stored;
    await editDetails(tx, project, taxonomy, { ...edit, types, icon: named });
    return edit.slug ?? project.slug;
  });
}

/** Returns the project's id. */
export async function saveIcon(resources: Resources, call: ProjectCall, bytes: Buffer): Promise<string> {
  const stored = await storeProjectIcon(resources, call, bytes);
  return changeProject(resources, call, "edit_details", async (tx, project) => {
    await setIcon(tx, project, await nameIcon(tx, resources, project.id, stored));
    return project.id;
  });
}

/** Asked before the picture is decoded: nobody makes the server work for a project that is not his to change. */
async function storeProjectIcon(resources: Resources, call: ProjectCall, bytes: Buffer): Promise<StoredIcon> {
  await getEditableProject(resources.db, call.viewer, call.params.ref, "edit_details");
  return storeIcon(resources, bytes);
}

async function nameIcon(tx: Tx, resources: Resources, projectId: string, stored: StoredIcon): Promise<ProjectIcon> {
  const imageId = await addPicture(tx, resources, { kind: "project", id: projectId }, stored);
  return { imageId, color: stored.color };
}
