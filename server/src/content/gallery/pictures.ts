// Adds a picture to a gallery, for the API and for website forms.

import { changeProject, getEditableProject, type ProjectCall } from "#content/projects/change.js";
import type { Resources } from "#platform/http/resources.js";
import { storeGalleryPicture } from "#platform/pictures/write.js";
import { addGalleryItem, checkGalleryHasRoom, type GalleryInput } from "./write.js";

/** Returns the ids of the item and of its project. */
export async function addPictureToGallery(
  resources: Resources,
  call: ProjectCall,
  bytes: Buffer,
  input: GalleryInput,
): Promise<{ projectId: string; id: string }> {
  const { db, config } = resources;
  // Check the permission first, so that only members make the server decode pictures.
  const editable = await getEditableProject(db, call.viewer, call.params.ref, "edit_details");
  await checkGalleryHasRoom(db, editable.project.id, config.limits.galleryImages);
  const picture = await storeGalleryPicture(resources, bytes);
  return changeProject(resources, call, "edit_details", async (tx, project) => {
    await checkGalleryHasRoom(tx.db, project.id, config.limits.galleryImages);
    return { projectId: project.id, id: await addGalleryItem(tx, resources, project.id, picture, input) };
  });
}
