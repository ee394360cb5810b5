// Pictures on the content host: one function a route.

import { findVisibleCollection } from "#community/collections/read.js";
import { projectEntries } from "#content/projects/entries.js";
import { visibleProjects } from "#content/projects/read.js";
import { fail } from "#platform/errors.js";
import { type Route, route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import type { Viewer } from "#platform/http/viewer.js";
import { defaultPictureName } from "#platform/pictures/read.js";
import * as contract from "./contract.js";
import { sendPicture } from "./send-picture.js";

export const cdnRoutes: Route[] = [
  route(contract.getUserPicture, (call, resources) =>
    sendPicture(call, resources, { kind: "user", ownerId: call.params.id, file: call.params.file }),
  ),

  route(contract.getOrganizationPicture, (call, resources) =>
    sendPicture(call, resources, { kind: "organization", ownerId: call.params.id, file: call.params.file }),
  ),

  route(contract.getCollectionIcon, async (call, resources) => {
    const { id, file } = call.params;
    const name = { kind: "collection", ownerId: id, file } as const;
    if (file === defaultPictureName) return sendPicture(call, resources, name);
    const collection = await findVisibleCollection(resources.db, call.viewer, id);
    if (!collection) throw fail.fileNotFound();
    return sendPicture(call, resources, name, collection.visibility !== "private");
  }),

  route(contract.getProjectIcon, async (call, resources) => {
    const { id, file } = call.params;
    const name = { kind: "project", ownerId: id, file } as const;
    // Drawn from the id alone: it tells nothing about the project, not even whether there is one.
    if (file === defaultPictureName) return sendPicture(call, resources, name);
    if (!file.endsWith(iconEnding)) throw fail.fileNotFound();
    return sendPicture(call, resources, name, await isPublicProject(resources, call.viewer, id));
  }),

  route(contract.getGalleryPicture, async (call, resources) => {
    const { id, file } = call.params;
    if (file === defaultPictureName || file.endsWith(iconEnding)) throw fail.fileNotFound();
    const isPublic = await isPublicProject(resources, call.viewer, id);
    return sendPicture(call, resources, { kind: "project", ownerId: id, file }, isPublic);
  }),
];

/** Icons and gallery pictures are in two folders; no picture is in both. */
const iconEnding = "_128.webp";

/** Whether it is public; throws fileNotFound if the caller cannot see it. */
async function isPublicProject(resources: Resources, viewer: Viewer, id: string): Promise<boolean> {
  const entry = (await projectEntries(resources).load([id])).get(id);
  if (!entry || !(await visibleProjects(resources.db, viewer, [entry])).has(id)) throw fail.fileNotFound();
  return entry.isPublic;
}
