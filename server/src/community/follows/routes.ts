// The routes of follows.

import { findProfile } from "#accounts/users/read.js";
import { joinArray } from "#content/catalog/ready-bytes.js";
import { getOrg } from "#content/organizations/read.js";
import { projectEntries } from "#content/projects/entries.js";
import { getVisibleProject } from "#content/projects/read.js";
import { getTaxonomy } from "#content/taxonomy/read.js";
import { type Actor, write } from "#platform/changes/write.js";
import type { Db } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import { type Route, route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import { done } from "#platform/http/schemas.js";
import type { SignedIn } from "#platform/http/viewer.js";
import { type Author, followAuthor, isFollowed, unfollowAuthor } from "./authors.js";
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

  route(contract.getUserFollow, async ({ params, viewer }, { db }) => ({
    following: await isFollowed(db, viewer.user.id, await getUser(db, params.ref)),
  })),
  route(contract.followUser, async ({ params, ...call }, resources) => {
    await follow(resources, call, await getUser(resources.db, params.ref));
    return done("You follow this user");
  }),
  route(contract.unfollowUser, async ({ params, ...call }, resources) => {
    await unfollow(resources, call, await getUser(resources.db, params.ref));
    return done("You no longer follow this user");
  }),

  route(contract.getOrganizationFollow, async ({ params, viewer }, { db }) => ({
    following: await isFollowed(db, viewer.user.id, await getOrganization(db, params.ref)),
  })),
  route(contract.followOrganization, async ({ params, ...call }, resources) => {
    await follow(resources, call, await getOrganization(resources.db, params.ref));
    return done("You follow this organization");
  }),
  route(contract.unfollowOrganization, async ({ params, ...call }, resources) => {
    await unfollow(resources, call, await getOrganization(resources.db, params.ref));
    return done("You no longer follow this organization");
  }),
];

async function getUser(db: Db, ref: string): Promise<Author> {
  const profile = await findProfile(db, ref);
  if (!profile) throw fail.userNotFound();
  return { kind: "user", id: profile.id };
}

const getOrganization = async (db: Db, ref: string): Promise<Author> => ({
  kind: "organization",
  id: (await getOrg(db, ref)).id,
});

interface Caller {
  viewer: SignedIn;
  actor: Actor;
}

async function follow(resources: Resources, { viewer, actor }: Caller, author: Author): Promise<void> {
  if (!(await write(resources, actor, (tx) => followAuthor(tx, viewer, author)))) throw fail.alreadyFollowing();
}

async function unfollow(resources: Resources, { viewer, actor }: Caller, author: Author): Promise<void> {
  if (!(await write(resources, actor, (tx) => unfollowAuthor(tx, viewer.user.id, author)))) throw fail.notFollowing();
}
