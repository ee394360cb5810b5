// Concurrent requests (reliability N-6): one wins, the others are refused, and no team ends in a state that no request
// asked for.
import { expect, test } from "vitest";
import { removeAccount } from "#accounts/users/write.js";
import { write } from "#platform/changes/write.js";
import type { Reply, TestUser } from "#test/callers/actors.js";
import { addMember, makeOrg, makeProject } from "#test/worlds/content.js";
import { teamWorld } from "#test/worlds/team-world.js";

const world = await teamWorld();
const { as, users, entry, owners, notices, resources } = world;

const statuses = (replies: Reply[]) => replies.map(({ status }) => status).sort();
const rounds = Array.from({ length: 6 }, (_, round) => round);

test("inviteMember twenty times at once creates one invitation", async () => {
  const [owner, ada] = (await users(2)) as [TestUser, TestUser];
  for (const { teamId } of [await makeProject(world, owner), await makeOrg(world, owner)]) {
    const invite = () => as.user(owner).post(`/api/team/${teamId}/invite`, { userName: ada.id });
    const replies = await Promise.all(Array.from({ length: 20 }, invite));
    expect(statuses(replies)).toEqual([200, ...Array.from({ length: 19 }, () => 409)]);
  }
  expect(await notices(ada)).toHaveLength(2);
});

test("transferOwnership to three members at once succeeds once; the others find a different owner", async () => {
  for (const _ of rounds) {
    const [owner, ...heirs] = (await users(4)) as [TestUser, ...TestUser[]];
    const { teamId } = await makeProject(world, owner);
    for (const heir of heirs) await addMember(world, teamId, heir);
    const replies = await Promise.all(
      heirs.map((heir) => as.user(owner).patch(`/api/team/${teamId}/owner`, { userId: heir.id })),
    );
    expect(statuses(replies)).toEqual([200, 403, 403]);
    const winner = heirs[replies.findIndex(({ status }) => status === 200)];
    expect(await owners(teamId)).toEqual([winner?.id]);
  }
});

test("transferOwnership to a member who leaves at the same time never leaves a team without an owner", async () => {
  for (const _ of rounds) {
    const [owner, heir] = (await users(2)) as [TestUser, TestUser];
    const { teamId } = await makeOrg(world, owner);
    await addMember(world, teamId, heir);
    const [given, left] = await Promise.all([
      as.user(owner).patch(`/api/team/${teamId}/owner`, { userId: heir.id }),
      as.user(heir).post(`/api/team/${teamId}/leave`),
    ]);
    expect([
      [200, 409],
      [404, 200],
    ]).toContainEqual([given.status, left.status]);
    expect(await owners(teamId)).toHaveLength(1);
  }
});

test("a user who is removed from an organization while being added to its project is in neither", async () => {
  for (const _ of rounds) {
    const [owner, ada] = (await users(2)) as [TestUser, TestUser];
    const org = await makeOrg(world, owner);
    const project = await makeProject(world, owner, { orgId: org.id });
    await addMember(world, org.teamId, ada);
    const id = (await entry(org.teamId, ada))?.id;
    const [removed, added] = await Promise.all([
      as.user(owner).delete(`/api/team/${org.teamId}/member/${id}`),
      as.user(owner).post(`/api/team/${project.teamId}/members`, { userId: ada.id, permissions: ["edit_details"] }),
    ]);
    expect(removed).toSucceed();
    expect([200, 404]).toContain(added.status);
    expect(await entry(project.teamId, ada)).toBeUndefined();
  }
});

test("a project that joins an organization while its ownership is transferred ends with one owner", async () => {
  for (const _ of rounds) {
    const [owner, heir] = (await users(2)) as [TestUser, TestUser];
    const org = await makeOrg(world, owner);
    const project = await makeProject(world, owner);
    await addMember(world, project.teamId, heir);
    const [joined, given] = await Promise.all([
      as.user(owner).post(`/api/organization/${org.id}/projects`, { projectId: project.id }),
      as.user(owner).patch(`/api/team/${project.teamId}/owner`, { userId: heir.id }),
    ]);
    expect([
      [200, 409],
      [403, 200],
    ]).toContainEqual([joined.status, given.status]);
    expect(await owners(project.teamId)).toEqual(joined.status === 200 ? [] : [heir.id]);
  }
});

test("an organization that is deleted while the team of its project changes leaves the project to its owner", async () => {
  for (const _ of rounds) {
    const [owner, ada] = (await users(2)) as [TestUser, TestUser];
    const org = await makeOrg(world, owner);
    const project = await makeProject(world, owner, { orgId: org.id });
    await addMember(world, org.teamId, ada);
    const [deleted, invited] = await Promise.all([
      as.user(owner).delete(`/api/organization/${org.id}`),
      as.user(owner).post(`/api/team/${project.teamId}/invite`, { userName: ada.id }),
    ]);
    expect(deleted).toSucceed();
    expect(invited).toSucceed();
    expect(await owners(project.teamId)).toEqual([owner.id]);
    // If the invitation came first, it was removed with the team; otherwise the user is an outsider who has not
    // accepted yet.
    expect((await entry(project.teamId, ada))?.accepted ?? 0).toBe(0);
  }
});

test("acceptInvite while the invitation is withdrawn either succeeds or is refused, never with a server error", async () => {
  for (const _ of rounds) {
    const [owner, ada] = (await users(2)) as [TestUser, TestUser];
    const { teamId } = await makeProject(world, owner);
    const { body } = await as.user(owner).post(`/api/team/${teamId}/invite`, { userName: ada.id });
    const [accepted, removed] = await Promise.all([
      as.user(ada).patch(`/api/team/${teamId}/invite`),
      as.user(owner).delete(`/api/team/${teamId}/member/${body.data.id}`),
    ]);
    expect(removed).toSucceed();
    expect([200, 404]).toContain(accepted.status);
    expect(await entry(teamId, ada)).toBeUndefined();
  }
});

test("an account that is deleted while it is invited and made owner leaves no rows and causes no server error", async () => {
  for (const _ of rounds) {
    const [owner, ada] = (await users(2)) as [TestUser, TestUser];
    const [one, two] = [await makeProject(world, owner), await makeOrg(world, owner)];
    await addMember(world, two.teamId, ada);
    const end = () =>
      write(resources, { credential: "test" }, (tx) => removeAccount(tx, ada.id, resources.accountRemovals));
    const [, invited, given] = await Promise.all([
      end().catch(end),
      as.user(owner).post(`/api/team/${one.teamId}/invite`, { userName: ada.id }),
      as.user(owner).patch(`/api/team/${two.teamId}/owner`, { userId: ada.id }),
    ]);
    for (const { status } of [invited, given]) expect([200, 404, 409]).toContain(status);
    expect(await owners(one.teamId)).toEqual([owner.id]);
    expect(await owners(two.teamId)).toEqual([given.status === 200 ? "deleted_user" : owner.id]);
    expect(await entry(one.teamId, ada)).toBeUndefined();
  }
});
