// The routes of collections.

import { findProfile, toUser } from "#accounts/users/read.js";
import { addFollows, removeFollows } from "#community/follows/write.js";
import { joinArray } from "#content/catalog/ready-bytes.js";
import { projectEntries } from "#content/projects/entries.js";
import { write } from "#platform/changes/write.js";
import { fail } from "#platform/errors.js";
import { type Route, route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import { done } from "#platform/http/schemas.js";
import { needScope, type Viewer } from "#platform/http/viewer.js";
import * as contract from "./contract.js";
import {
  addProjects,
  createCollection,
  deleteCollection,
  refuseFollows,
  removeProjects,
  saveCollection,
} from "./edit.js";
import { getFollowedCollection, getFollower } from "./followed.js";
import { followsId } from "./policy.js";
import { findVisibleCollection, getCollection, listCollectionsOf, listVisibleIds, type ReadContext } from "./read.js";
import type { Collection } from "./shapes.js";

const context = ({ db, config }: Resources, viewer: Viewer): ReadContext => ({
  db,
  viewer,
  cdnUrl: config.http.cdnUrl,
});

const find = (resources: Resources, viewer: Viewer, id: string): Promise<Collection> =>
  id === followsId
    ? getFollowedCollection(resources.db, getFollower(viewer))
    : getCollection(context(resources, viewer), id);

export const collectionRoutes: Route[] = [
  route(contract.getOwnCollections, ({ viewer }, resources) =>
    listCollectionsOf(context(resources, viewer), viewer.user.id),
  ),

  route(contract.getUserCollections, async ({ params, viewer }, resources) => {
    const user = await findProfile(resources.db, params.ref);
    if (!user) throw fail.userNotFound();
    return listCollectionsOf(context(resources, viewer), user.id);
  }),

  route(contract.createCollection, async ({ body, viewer, actor }, resources) => {
    const { name, description, visibility = "public", projects = [] } = body;
    const input = { name, description: description ?? "", visibility };
    const collectionId = await write(resources, actor, (tx) => createCollection(tx, viewer, input, projects));
    return { ...done("Collection created"), collectionId };
  }),

  route(contract.getCollection, ({ params, viewer }, resources) => find(resources, viewer, params.id)),

  route(contract.getCollectionProjects, async ({ params, viewer }, resources) => {
    const { projects } = await find(resources, viewer, params.id);
    const entries = await projectEntries(resources).load(projects);
    return joinArray(projects.flatMap((id) => entries.get(id)?.listItem ?? []));
  }),

  route(contract.getCollectionOwner, async ({ params, viewer }, resources) => {
    const isFollows = params.id === followsId;
    const ownerId = isFollows
      ? getFollower(viewer).user.id
      : (await findVisibleCollection(resources.db, viewer, params.id))?.user_id;
    const owner = ownerId === undefined ? undefined : await findProfile(resources.db, ownerId);
    if (!owner) throw fail.collectionNotFound();
    const { id, userName, avatar } = toUser(owner, resources.config.http.cdnUrl);
    return { id, userName, avatar };
  }),

  route(contract.editCollection, async ({ params, body, files, viewer, actor }, resources) => {
    const { icon, description, ...fields } = body;
    // An empty text removes the picture; any other text is its current URL, which keeps it.
    const isRemoved = icon === null || icon === "";
    await saveCollection(resources, viewer, actor, {
      ...fields,
      id: params.id,
      ...(description !== undefined && { description: description ?? "" }),
      icon: files.icon?.bytes ?? (isRemoved ? null : undefined),
    });
    return done("Collection saved");
  }),

  route(contract.deleteCollection, async ({ params, viewer, actor }, resources) => {
    refuseFollows(params.id);
    await write(resources, actor, (tx) => deleteCollection(tx, viewer, params.id));
    return done("Collection deleted");
  }),

  route(contract.addCollectionProjects, async ({ params, body, viewer, actor }, resources) => {
    const added = await write(resources, actor, async (tx) => {
      if (params.id !== followsId) return addProjects(tx, viewer, params.id, body.projects);
      needScope(viewer, "user_write");
      return addFollows(tx, viewer.user.id, await listVisibleIds(tx.db, viewer, body.projects));
    });
    return done(counted(added, "added"));
  }),

  route(contract.removeCollectionProjects, async ({ params, body, viewer, actor }, resources) => {
    const removed = await write(resources, actor, async (tx) => {
      if (params.id !== followsId) return removeProjects(tx, viewer, params.id, body.projects);
      needScope(viewer, "user_write");
      const visible = await listVisibleIds(tx.db, viewer, body.projects);
      return removeFollows(tx, viewer.user.id, [...new Set([...body.projects, ...visible])]);
    });
    return done(counted(removed, "removed"));
  }),
];

const counted = (count: number, act: string): string => `${count} ${count === 1 ? "project" : "projects"} ${act}`;
