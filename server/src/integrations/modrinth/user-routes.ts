// Users and the projects that they follow, in Modrinth's form.
import { findProfile, listProfiles, toUser } from "#accounts/users/read.js";
import { listFollowedIds } from "#community/follows/read.js";
import { followProject, unfollowProject } from "#community/follows/write.js";
import { listPrepared, listProjectIdsOfUser } from "#content/projects/read.js";
import { write } from "#platform/changes/write.js";
import { fail } from "#platform/errors.js";
import { type Route, route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import { answer, draftList } from "./drafts.js";
import { projectItem } from "./items.js";
import { parseIdTexts } from "./lists.js";
import { toModrinthUser } from "./mapping.js";
import { projectsWithIds } from "./project-routes.js";
import type { ModrinthUser } from "./shapes.js";
import * as contract from "./user-contract.js";

export const modrinthUserRoutes: Route[] = [
  route(contract.modrinthGetUser, ({ params }, resources) => getUser(resources, params.ref)),
  route(contract.modrinthGetOwnUser, ({ viewer }, resources) => getUser(resources, viewer.user.id)),

  route(contract.modrinthGetUsers, async ({ query }, { db, config }) => {
    const rows = await listProfiles(db, parseIdTexts(query.ids));
    return rows.map((row) => toModrinthUser(toUser(row, config.http.cdnUrl)));
  }),

  route(contract.modrinthGetUserProjects, async ({ params, viewer }, resources) => {
    const { id } = await getUser(resources, params.ref);
    const ids = await listProjectIdsOfUser(resources.db, viewer, id, false);
    if (viewer.kind !== "anonymous") return projectsWithIds(resources, viewer, ids);
    return answer(resources, draftList((await listPrepared(resources, ids)).map(projectItem)));
  }),

  // Only the user sees their own follows.
  route(contract.modrinthGetFollows, async ({ params, viewer }, resources) => {
    const { id } = await getUser(resources, params.ref);
    if (id !== viewer.user.id) throw fail.userNotFound();
    return projectsWithIds(resources, viewer, await listFollowedIds(resources.db, viewer));
  }),

  route(contract.modrinthFollowProject, async ({ params, viewer, actor, reply }, resources) => {
    await write(resources, actor, (tx) => followProject(tx, viewer, params.ref, {}));
    return reply.code(204).send();
  }),

  route(contract.modrinthUnfollowProject, async ({ params, viewer, actor, reply }, resources) => {
    await write(resources, actor, (tx) => unfollowProject(tx, viewer, params.ref));
    return reply.code(204).send();
  }),
];

async function getUser({ db, config }: Resources, ref: string): Promise<ModrinthUser> {
  const row = await findProfile(db, ref);
  if (!row) throw fail.userNotFound();
  return toModrinthUser(toUser(row, config.http.cdnUrl));
}
