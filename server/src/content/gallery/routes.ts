// Routes of a project's gallery.

import { changeProject } from "#content/projects/change.js";
import { projectEntries } from "#content/projects/entries.js";
import type { GalleryItem } from "#content/shapes/project.js";
import { fail, invalid } from "#platform/errors.js";
import { type Route, route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import { done } from "#platform/http/schemas.js";
import { say } from "#words/said.js";
import * as contract from "./contract.js";
import { addPictureToGallery } from "./pictures.js";
import { editGalleryItem, removeGalleryItem } from "./write.js";

export const galleryRoutes: Route[] = [
  route(contract.createGalleryItem, async (call, resources) => {
    const { body, files } = call;
    if (!files.image) throw invalid({ path: "image", message: say.problems.fileMissing });
    const { title, description, orderIndex = 0, featured = false } = body;
    const input = { title, description: description ?? "", orderIndex, featured };
    const saved = await addPictureToGallery(resources, call, files.image.bytes, input);
    return { ...done("Picture added"), data: await getItem(resources, saved.projectId, saved.id) };
  }),

  route(contract.updateGalleryItem, async (call, resources) => {
    const { id } = call.params;
    const { title, description, orderIndex, featured } = call.body;
    const projectId = await changeProject(resources, call, "edit_details", async (tx, project) => {
      const edit = { title, description: description === null ? "" : description, orderIndex, featured };
      await editGalleryItem(tx, project.id, id, edit);
      return project.id;
    });
    return { ...done("Picture saved"), data: await getItem(resources, projectId, id) };
  }),

  route(contract.deleteGalleryItem, async (call, resources) => {
    await changeProject(resources, call, "edit_details", (tx, project) =>
      removeGalleryItem(tx, project.id, call.params.id),
    );
    return done("Picture deleted");
  }),
];

/** The item as reads return it. */
async function getItem(resources: Resources, projectId: string, id: string): Promise<GalleryItem> {
  const entry = (await projectEntries(resources).load([projectId])).get(projectId);
  const item = entry?.project.gallery.find((each) => each.id === id);
  if (!item) throw fail.galleryItemNotFound();
  return item;
}
