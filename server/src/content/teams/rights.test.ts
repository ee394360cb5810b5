// Rights end with membership (reliability A-4): after each way of leaving, every write and every private read is tried.
import { describe, expect, test } from "vitest";
import { removeAccount, setRole } from "#accounts/users/write.js";
import { orgPermissions, projectPermissions } from "#content/members/permissions.js";
import { assignableScopes } from "#lib/scopes.js";
import { write } from "#platform/changes/write.js";
import type { Actor, TestUser } from "#test/callers/actors.js";
import { addMember, makeOrg, makeProject, type TestOrg, type TestProject } from "#test/worlds/content.js";
import { teamWorld } from "#test/worlds/team-world.js";

const world = await teamWorld();
const { as, users, entry, owners, resources } = world;

interface Place {
  owner: TestUser;
  ada: TestUser;
  bystander: TestUser;
  org: TestOrg;
  /** A private project in the organization. */
  project: TestProject;
}

/** Ada has every permission in the organization and in its project. */
async function makePlace(): Promise<Place> {
  const [owner, ada, bystander] = (await users(3)) as [TestUser, TestUser, TestUser];
  const org = await makeOrg(world, owner);
  const project = await makeProject(world, owner, { orgId: org.id, visibility: "private" });
  await addMember(world, org.teamId, ada, { permissions: projectPermissions, orgPermissions });
  await addMember(world, org.teamId, bystander, { permissions: ["upload_version"] });
  return { owner, ada, bystander, org, project };
}

type Attempt = (actor: Actor, place: Place) => Promise<{ status: number }>;

const privateReads: Record<string, Attempt> = {
  project: (actor, { project }) => actor.get(`/api/project/${project.id}`),
  team: (actor, { project }) => actor.get(`/api/team/${project.teamId}/members`),
};

const memberId = async ({ org, bystander }: Place) => (await entry(org.teamId, bystander))?.id ?? "gone";

const writes: Record<string, Attempt> = {
  "edit the project": (actor, { project }) => actor.patch(`/api/project/${project.id}`, { summary: "Taken over" }),
  "describe the project": (actor, { project }) =>
    actor.patch(`/api/project/${project.id}/description`, { description: "Taken over" }),
  "invite to the project": (actor, { project }) =>
    actor.post(`/api/team/${project.teamId}/invite`, { userName: "deleted_user" }),
  "override in the project": (actor, { project, bystander }) =>
    actor.post(`/api/team/${project.teamId}/members`, { userId: bystander.id, permissions: [] }),
  "invite to the organization": (actor, { org }) =>
    actor.post(`/api/team/${org.teamId}/invite`, { userName: "deleted_user" }),
  "edit a member": async (actor, place) =>
    actor.patch(`/api/team/${place.org.teamId}/member/${await memberId(place)}`, { role: "Fool" }),
  "remove a member": async (actor, place) =>
    actor.delete(`/api/team/${place.org.teamId}/member/${await memberId(place)}`),
  "edit the organization": (actor, { org }) => actor.patch(`/api/organization/${org.id}`, { name: "Taken over" }),
  "take the project out": (actor, { org, project }) =>
    actor.delete(`/api/organization/${org.id}/project/${project.id}`),
  "delete the organization": (actor, { org }) => actor.delete(`/api/organization/${org.id}`),
  "delete the project": (actor, { project }) => actor.delete(`/api/project/${project.id}`),
};

/** Names of the attempts that still succeed. */
async function whatWorks(actor: Actor, place: Place, attempts: Record<string, Attempt>): Promise<string[]> {
  const works: string[] = [];
  for (const [name, attempt] of Object.entries(attempts)) {
    const { status } = await attempt(actor, place);
    // A 404 for something inside the project would also mean that the permission check was passed.
    if (status !== 403 && status !== 404 && status !== 401) works.push(`${name} ${status}`);
  }
  return works;
}

test("while ada is a member, every attempt below succeeds", async () => {
  for (const [name, attempt] of Object.entries({ ...privateReads, ...writes })) {
    const place = await makePlace();
    const { status } = await attempt(as.user(place.ada), place);
    expect(status, name).toBe(name.startsWith("invite") ? 404 : 200);
  }
});

const waysOut: Record<string, (place: Place) => Promise<unknown>> = {
  "ada leaves the organization": ({ ada, org }) => as.user(ada).post(`/api/team/${org.teamId}/leave`),
  "ada is removed from the organization": async ({ owner, ada, org }) =>
    as.user(owner).delete(`/api/team/${org.teamId}/member/${(await entry(org.teamId, ada))?.id}`),
  "ada is removed and had an entry in the project": async ({ owner, ada, org, project }) => {
    await as
      .user(owner)
      .post(`/api/team/${project.teamId}/members`, { userId: ada.id, permissions: projectPermissions });
    return as.user(owner).delete(`/api/team/${org.teamId}/member/${(await entry(org.teamId, ada))?.id}`);
  },
  "ada was the owner, transferred it and left": async ({ owner, ada, org }) => {
    await as.user(owner).patch(`/api/team/${org.teamId}/owner`, { userId: ada.id });
    await as.user(ada).patch(`/api/team/${org.teamId}/owner`, { userId: owner.id });
    return as.user(ada).post(`/api/team/${org.teamId}/leave`);
  },
};

describe.each(Object.keys(waysOut))("%s", (way) => {
  test("and every attempt fails, with a session and with an older token", async () => {
    const place = await makePlace();
    const token = await as.token(place.ada, { scopes: assignableScopes });
    expect(await token.get(`/api/project/${place.project.id}`)).toSucceed();
    expect(await waysOut[way]!(place)).toSucceed();
    for (const actor of [as.user(place.ada), token])
      expect(await whatWorks(actor, place, { ...privateReads, ...writes })).toEqual([]);
  });
});

test("members of an organization lose their rights in a project that leaves it", async () => {
  const place = await makePlace();
  await as.user(place.owner).delete(`/api/organization/${place.org.id}/project/${place.project.id}`);
  const ofProject = Object.fromEntries(Object.entries(writes).filter(([name]) => name.includes("project")));
  const { "take the project out": _out, ...left } = ofProject;
  expect(await whatWorks(as.user(place.ada), place, { ...privateReads, ...left })).toEqual([]);
});

test("members of a deleted organization lose their rights in its projects", async () => {
  const place = await makePlace();
  await as.user(place.owner).delete(`/api/organization/${place.org.id}`);
  expect(await whatWorks(as.user(place.ada), place, { ...privateReads, ...writes })).toEqual([]);
});

test("the former owner of a transferred project has no rights after being removed", async () => {
  const [giver, taker] = (await users(2)) as [TestUser, TestUser];
  const project = await makeProject(world, giver, { visibility: "private" });
  await addMember(world, project.teamId, taker, { permissions: [] });
  await as.user(giver).patch(`/api/team/${project.teamId}/owner`, { userId: taker.id });
  expect(await as.user(giver).patch(`/api/project/${project.id}`, { summary: "Still mine" })).toFail(403);
  await as.user(giver).post(`/api/team/${project.teamId}/leave`);
  expect(await as.user(giver).get(`/api/project/${project.id}`)).toFail(404, "projectNotFound");
});

test("a demoted administrator manages no teams", async () => {
  const place = await makePlace();
  const admin = await world.make.user({ role: "admin" });
  expect(await as.user(admin).patch(`/api/organization/${place.org.id}`, { name: "By staff" })).toSucceed();
  await write(resources, { credential: "test" }, (tx) => setRole(tx, admin.id, "user"));
  expect(await whatWorks(as.user(admin), place, { ...privateReads, ...writes })).toEqual([]);
});

test("permissions that are revoked in the organization are revoked in its projects", async () => {
  const place = await makePlace();
  const { owner, ada, org, project } = place;
  const id = (await entry(org.teamId, ada))?.id;
  const nothing = { permissions: [], organisationPermissions: [] };
  expect(await as.user(owner).patch(`/api/team/${org.teamId}/member/${id}`, nothing)).toSucceed();
  expect(await whatWorks(as.user(ada), place, writes)).toEqual([]);
  expect(await as.user(ada).get(`/api/project/${project.id}`)).toSucceed();
});

test("a deleted account leaves organizations and projects to the placeholder, each with one owner", async () => {
  const place = await makePlace();
  const { owner, ada, org, project, bystander } = place;
  await as.user(owner).post(`/api/team/${project.teamId}/invite`, { userName: bystander.id });
  const alone = await makeProject(world, owner);
  await write(resources, { credential: "test" }, (tx) => removeAccount(tx, owner.id, resources.accountRemovals));
  expect(await owners(org.teamId)).toEqual(["deleted_user"]);
  expect(await owners(alone.teamId)).toEqual(["deleted_user"]);
  expect((await as.anyone.get(`/api/organization/${org.id}`)).body.members[0]).toMatchObject({
    userName: "deleted_user",
    isOwner: true,
  });
  expect((await as.anyone.get(`/api/project/${alone.id}`)).body.project.members).toMatchObject([
    { userName: "deleted_user" },
  ]);
  // Members keep their rights.
  expect(await as.user(ada).patch(`/api/organization/${org.id}`, { name: "Goes on" })).toSucceed();
  expect(await as.user(ada).delete(`/api/organization/${org.id}/project/${project.id}`)).toSucceed();
  expect(await owners(project.teamId)).toEqual(["deleted_user"]);
});
