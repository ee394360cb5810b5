// The routes of follows.

import { joinArray } from "#content/catalog/ready-bytes.js";
import { projectEntries } from "#content/projects/entries.js";
import { getVisibleProject } from "#content/projects/read.js";
import { getTaxonomy } from "#content/taxonomy/read.js";
import { write } from "#platform/changes/write.js";
import { type Route, route } from "#platform/http/endpoint.js";
import { done } from "#platform/http/schemas.js";
import * as contract from "./contract.js";
import { checkPreferences } from "./policy.js";
import { findFollow, listFollowedIds, listFollows } from "./read.js";
import { followProject, setPreferences, unfollowProject } from "./write.js";

export const followRoutes: Route[] = [
  route(contract.getFollowedProjects, async ({ query, viewer }, resources) => {
    const ids = await listFollowedIds(resources.db, viewer);
    if (query.idsOnly === "true") return ids;
    const entries = await projectEntries(resources).load(ids);
    return joinArray(ids.flatMap((id) => entries.get(id)?.listItem ?? []));
  }),

  route(contract.getFollows, ({ viewer }, { db }) => listFollows(db, viewer)),

  route(contract.getFollow, async ({ params, viewer }, resources) => {
    const { id } = await getVisibleProject(resources, viewer, params.ref);
    const follow = await findFollow(resources.db, viewer.user.id, id);
    return { following: follow !== undefined, preferences: follow?.preferences ?? null };
  }),

  route(contract.followProject, async ({ params, body, viewer, actor }, resources) => {
    const input = checkPreferences(await getTaxonomy(resources), body);
    const preferences = await write(resources, actor, (tx) => followProject(tx, viewer, params.ref, input));
    return { ...done("You follow this project"), preferences };
  }),

  route(contract.setFollowPreferences, async ({ params, body, viewer, actor }, resources) => {
    const input = checkPreferences(await getTaxonomy(resources), body);
    const preferences = await write(resources, actor, (tx) => setPreferences(tx, viewer, params.ref, input));
    return { ...done("Preferences saved"), preferences };
  }),

  route(contract.unfollowProject, async ({ params, viewer, actor }, resources) => {
    await write(resources, actor, (tx) => unfollowProject(tx, viewer, params.ref));
    return done("You no longer follow this project");
  }),
];
