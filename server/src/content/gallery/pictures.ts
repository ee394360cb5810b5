// A picture on its way into a gallery, from the API or from a form of the website.

import { getEditableProject } from "#content/projects/editing.js";
import { changeProject, type ProjectCall } from "#content/projects/locking.js";
import type { Resources } from "#platform/http/resources.js";
import { storeGalleryPicture } from "#platform/pictures/write.js";
import { addGalleryItem, checkGalleryHasRoom, type GalleryInput } from "./write.js";

/** Returns the id of the item and of its project. */
export async function addPictureToGallery(
  resources: Resources,
  call: ProjectCall,
  bytes: Buffer,
  input: GalleryInput,
): Promise<{ projectId: string; id: string }> {
  const { db, config } = resources;
  // Who may not add a picture must not make the server decode one.
  const editable = await getEditableProject(db, call.viewer, call.params.ref, "edit_details");
  await checkGalleryHasRoom(db, editable.project.id, config.limits.galleryImages);
  const picture = await storeGalleryPicture(resources, bytes);
  return changeProject(resources, call, "edit_details", async (tx, project) => {
    await checkGalleryHasRoom(tx.db, project.id, config.limits.galleryImages);
    return { projectId: project.id, id: await addGalleryItem(tx, resources, project.id, picture, input) };
  });
}
