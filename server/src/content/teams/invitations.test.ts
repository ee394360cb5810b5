// Inviting to teams, accepting, declining and leaving (decisions §4 and §5).
import { describe, expect, test } from "vitest";
import { removeAccount } from "#accounts/users/write.js";
import { write } from "#platform/changes/write.js";
import type { TestUser } from "#test/callers/actors.js";
import { addMember, makeOrg, makeProject } from "#test/worlds/content.js";
import { teamWorld } from "#test/worlds/team-world.js";

const world = await teamWorld();
const { as, users, entry, notices, shown, resources } = world;

const invite = (as_: TestUser, teamId: string, userName: unknown) =>
  as.user(as_).post(`/api/team/${teamId}/invite`, { userName });
const accept = (user: TestUser, teamId: string) => as.user(user).patch(`/api/team/${teamId}/invite`);
const leave = (user: TestUser, teamId: string) => as.user(user).post(`/api/team/${teamId}/leave`);

describe("inviteMember", () => {
  test("takes a username in any case or an id, and gives no rights and no access before it is accepted", async () => {
    const [owner, ada, bob] = (await users(3)) as [TestUser, TestUser, TestUser];
    const project = await makeProject(world, owner, { visibility: "private" });
    const reply = await invite(owner, project.teamId, ada.userName.toUpperCase());
    expect(reply).toSucceed();
    expect(reply.body.data).toMatchObject({
      userId: ada.id,
      teamId: project.teamId,
      userName: ada.userName,
      role: "Member",
      isOwner: false,
      accepted: false,
      permissions: [],
      organisationPermissions: [],
    });
    expect(await invite(owner, project.teamId, bob.id)).toSucceed();
    expect(await as.user(ada).get(`/api/project/${project.slug}`)).toFail(404, "projectNotFound");
    expect(await as.user(ada).get(`/api/team/${project.teamId}/members`)).toFail(404, "teamNotFound");
    expect(await invite(ada, project.teamId, bob.id)).toFail(404, "teamNotFound");
  });

  test("a pending member has no rights, whatever permissions the entry has", async () => {
    const [owner, ada, bob] = (await users(3)) as [TestUser, TestUser, TestUser];
    const project = await makeProject(world, owner);
    await addMember(world, project.teamId, ada, { accepted: false });
    expect(await invite(ada, project.teamId, bob.id)).toFail(403, "permissionMissing");
  });

  test("creates a notification that names the team, the inviter and the role", async () => {
    const [owner, ada] = (await users(2)) as [TestUser, TestUser];
    const project = await makeProject(world, owner);
    const org = await makeOrg(world, owner);
    await invite(owner, project.teamId, ada.id);
    await invite(owner, org.teamId, ada.id);
    expect(await notices(ada)).toEqual([
      { type: "organization_invite", body: { teamId: org.teamId, orgId: org.id, invitedBy: owner.id, role: "Member" } },
      {
        type: "team_invite",
        body: { teamId: project.teamId, projectId: project.id, invitedBy: owner.id, role: "Member" },
      },
    ]);
  });

  test("refuses with 409 if the user is already a member or invited", async () => {
    const [owner, ada] = (await users(2)) as [TestUser, TestUser];
    const project = await makeProject(world, owner);
    expect(await invite(owner, project.teamId, owner.id)).toFail(409, "alreadyMember");
    expect(await invite(owner, project.teamId, ada.id)).toSucceed();
    expect(await invite(owner, project.teamId, ada.userName)).toFail(409, "alreadyMember");
    await accept(ada, project.teamId);
    expect(await invite(owner, project.teamId, ada.id)).toFail(409, "alreadyMember");
  });

  test("answers 404 for an unknown user and for the placeholder of deleted accounts", async () => {
    const [owner, gone] = (await users(2)) as [TestUser, TestUser];
    const project = await makeProject(world, owner);
    await write(resources, { credential: "test" }, (tx) => removeAccount(tx, gone.id, resources.accountRemovals));
    for (const name of ["nobody-at-all", "AAAAAAAA", "deleted_user", gone.id, "' or 1=1 --"])
      expect(await invite(owner, project.teamId, name)).toFail(404, "userNotFound");
  });

  test("refuses a body that names no user", async () => {
    const [owner] = (await users(1)) as [TestUser];
    const project = await makeProject(world, owner);
    for (const name of [undefined, null, "", 7, {}, [], "x".repeat(65)])
      expect(await invite(owner, project.teamId, name)).toFail(400, "invalidRequest");
  });

  test("needs manage_invites, and is allowed for administrators but not for moderators", async () => {
    const [owner, member, ada] = (await users(3)) as [TestUser, TestUser, TestUser];
    const admin = await world.make.user({ role: "admin" });
    const moderator = await world.make.user({ role: "moderator" });
    const project = await makeProject(world, owner, { visibility: "private" });
    const org = await makeOrg(world, owner);
    await addMember(world, project.teamId, member, { permissions: ["edit_member", "remove_member"] });
    await addMember(world, org.teamId, member, { orgPermissions: ["edit_member", "add_project"] });
    for (const teamId of [project.teamId, org.teamId]) {
      for (const caller of [member, moderator])
        expect(await invite(caller, teamId, ada.id)).toFail(403, "permissionMissing");
      expect(await invite(admin, teamId, ada.id)).toSucceed();
    }
  });

  test("a team that the caller may not see is answered like one that does not exist", async () => {
    const [owner, stranger, ada] = (await users(3)) as [TestUser, TestUser, TestUser];
    const hidden = await makeProject(world, owner, { status: "draft" });
    const absent = shown(await invite(stranger, "AAAAAAAA", ada.id));
    expect(absent).toMatchObject({ status: 404, body: { code: "teamNotFound" } });
    expect(shown(await invite(stranger, hidden.teamId, ada.id))).toEqual(absent);
    const published = await makeProject(world, owner);
    expect(await invite(stranger, published.teamId, ada.id)).toFail(403, "permissionMissing");
    expect(await as.anyone.post(`/api/team/${published.teamId}/invite`, { userName: ada.id })).toFail(401);
  });

  test("a token needs the scope for the kind of team, and learns nothing about hidden teams without it", async () => {
    const [owner, ada, stranger] = (await users(3)) as [TestUser, TestUser, TestUser];
    const project = await makeProject(world, owner, { visibility: "private" });
    const org = await makeOrg(world, owner);
    const forProjects = await as.token(owner, { scopes: ["project_write"] });
    const forOrgs = await as.token(owner, { scopes: ["organization_write"] });
    const body = { userName: ada.id };
    const refusedOrg = await forProjects.post(`/api/team/${org.teamId}/invite`, body);
    expect(refusedOrg).toFail(403, "scopeMissing");
    expect(refusedOrg.body.message).toContain("organization_write");
    const refusedProject = await forOrgs.post(`/api/team/${project.teamId}/invite`, body);
    expect(refusedProject).toFail(403, "scopeMissing");
    expect(refusedProject.body.message).toContain("project_write");
    expect(await forProjects.post(`/api/team/${project.teamId}/invite`, body)).toSucceed();
    expect(await forOrgs.post(`/api/team/${org.teamId}/invite`, body)).toSucceed();
    const strangersToken = await as.token(stranger, { scopes: ["organization_write"] });
    expect(await strangersToken.post(`/api/team/${project.teamId}/invite`, body)).toFail(404, "teamNotFound");
  });

  test("a member of the organization joins its project at once and keeps their rights there", async () => {
    const [owner, ada, bob] = (await users(3)) as [TestUser, TestUser, TestUser];
    const org = await makeOrg(world, owner);
    const project = await makeProject(world, owner, { orgId: org.id });
    await addMember(world, org.teamId, ada, { permissions: ["edit_details", "manage_invites"] });
    await addMember(world, org.teamId, bob, { accepted: false });
    const reply = await invite(owner, project.teamId, ada.id);
    expect(reply.body.data).toMatchObject({ accepted: true, permissions: ["edit_details", "manage_invites"] });
    expect(await notices(ada)).toEqual([]);
    expect(await invite(ada, project.teamId, bob.id)).toSucceed();
    // Only invited to the organization, so the user has not agreed to anything yet.
    expect(await entry(project.teamId, bob)).toMatchObject({ accepted: 0, permissions: "[]" });
  });

  test("the owner of the organization cannot be invited to its project", async () => {
    const [owner, ada] = (await users(2)) as [TestUser, TestUser];
    const org = await makeOrg(world, owner);
    const project = await makeProject(world, owner, { orgId: org.id });
    await addMember(world, org.teamId, ada);
    expect(await invite(ada, project.teamId, owner.id)).toFail(409, "alreadyOwner");
  });
});

describe("acceptInvite", () => {
  test("makes the invited user a member, even of a project that they could not see", async () => {
    const [owner, ada] = (await users(2)) as [TestUser, TestUser];
    const project = await makeProject(world, owner, { visibility: "private" });
    await invite(owner, project.teamId, ada.id);
    expect(await accept(ada, project.teamId)).toSucceed();
    expect(await as.user(ada).get(`/api/project/${project.slug}`)).toSucceed();
    expect(await notices(ada)).toEqual([]);
    expect(await accept(ada, project.teamId)).toFail(404, "inviteNotFound");
  });

  test("answers 404 if there is no open invitation, and does not tell hidden teams from missing ones", async () => {
    const [owner, stranger] = (await users(2)) as [TestUser, TestUser];
    const hidden = await makeProject(world, owner, { status: "withheld" });
    const shownProject = await makeProject(world, owner);
    expect(await accept(stranger, shownProject.teamId)).toFail(404, "inviteNotFound");
    expect(await accept(owner, shownProject.teamId)).toFail(404, "inviteNotFound");
    expect(shown(await accept(stranger, hidden.teamId))).toEqual(shown(await accept(stranger, "AAAAAAAA")));
  });

  test("an invitation and its notification end when the project is deleted", async () => {
    const [owner, ada] = (await users(2)) as [TestUser, TestUser];
    const project = await makeProject(world, owner);
    await invite(owner, project.teamId, ada.id);
    expect(await as.user(owner).delete(`/api/project/${project.id}`)).toSucceed();
    expect(await notices(ada)).toEqual([]);
    expect(await accept(ada, project.teamId)).toFail(404, "teamNotFound");
  });

  test("refuses an invitation of another user and one that was withdrawn", async () => {
    const [owner, ada, bob] = (await users(3)) as [TestUser, TestUser, TestUser];
    const org = await makeOrg(world, owner);
    const { body } = await invite(owner, org.teamId, ada.id);
    expect(await accept(bob, org.teamId)).toFail(404, "inviteNotFound");
    expect(await as.user(owner).delete(`/api/team/${org.teamId}/member/${body.data.id}`)).toSucceed();
    expect(await notices(ada)).toEqual([]);
    expect(await accept(ada, org.teamId)).toFail(404, "inviteNotFound");
  });
});

describe("leaveTeam", () => {
  test("declines an invitation", async () => {
    const [owner, ada] = (await users(2)) as [TestUser, TestUser];
    const project = await makeProject(world, owner, { visibility: "private" });
    await invite(owner, project.teamId, ada.id);
    expect(await leave(ada, project.teamId)).toSucceed();
    expect(await entry(project.teamId, ada)).toBeUndefined();
    expect(await notices(ada)).toEqual([]);
    expect(await leave(ada, project.teamId)).toFail(404, "teamNotFound");
  });

  test("is allowed for every member except the owner", async () => {
    const [owner, ada, stranger] = (await users(3)) as [TestUser, TestUser, TestUser];
    const project = await makeProject(world, owner);
    await addMember(world, project.teamId, ada);
    expect(await leave(owner, project.teamId)).toFail(409, "ownerStays");
    expect(await leave(stranger, project.teamId)).toFail(404, "memberNotFound");
    expect(await leave(ada, project.teamId)).toSucceed();
    expect(await leave(ada, project.teamId)).toFail(404, "memberNotFound");
  });

  test("a user who leaves an organization also leaves its projects and loses invitations to them", async () => {
    const [owner, ada] = (await users(2)) as [TestUser, TestUser];
    const org = await makeOrg(world, owner);
    const joined = await makeProject(world, owner, { orgId: org.id });
    const invited = await makeProject(world, owner, { orgId: org.id });
    const elsewhere = await makeProject(world, owner);
    await addMember(world, elsewhere.teamId, ada);
    await invite(owner, invited.teamId, ada.id);
    await addMember(world, org.teamId, ada, { permissions: [] });
    await addMember(world, joined.teamId, ada);
    expect(await leave(ada, org.teamId)).toSucceed();
    for (const { teamId } of [org, joined, invited]) expect(await entry(teamId, ada)).toBeUndefined();
    expect(await entry(elsewhere.teamId, ada)).toMatchObject({ accepted: 1 });
    expect(await notices(ada)).toEqual([]);
  });

  test("a user who declines an organization stays in the project of it that they had joined", async () => {
    const [owner, ada] = (await users(2)) as [TestUser, TestUser];
    const org = await makeOrg(world, owner);
    const project = await makeProject(world, owner, { orgId: org.id });
    await addMember(world, project.teamId, ada);
    await invite(owner, org.teamId, ada.id);
    expect(await leave(ada, org.teamId)).toSucceed();
    expect(await entry(project.teamId, ada)).toMatchObject({ accepted: 1 });
  });

  test("a member cannot remove an entry that limits their rights in a project of their organization", async () => {
    const [owner, ada] = (await users(2)) as [TestUser, TestUser];
    const org = await makeOrg(world, owner);
    const project = await makeProject(world, owner, { orgId: org.id });
    await addMember(world, org.teamId, ada, { permissions: ["upload_version"] });
    await addMember(world, project.teamId, ada, { permissions: [] });
    expect(await leave(ada, project.teamId)).toFail(409, "wrongState");
    expect(await leave(ada, org.teamId)).toSucceed();
  });
});

describe("getTeamMembers", () => {
  test("lists accepted members first; permissions are for members and moderators", async () => {
    const [owner, invited, ada, stranger] = (await users(4)) as [TestUser, TestUser, TestUser, TestUser];
    const moderator = await world.make.user({ role: "moderator" });
    const project = await makeProject(world, owner);
    await addMember(world, project.teamId, invited, { accepted: false, permissions: ["edit_details"] });
    await addMember(world, project.teamId, ada, { permissions: ["upload_version"] });
    const path = `/api/team/${project.teamId}/members`;
    for (const caller of [as.user(owner), as.user(ada), as.user(moderator)]) {
      const { body } = await caller.get(path);
      expect(body.map((member: { userId: string }) => member.userId)).toEqual([owner.id, ada.id, invited.id]);
      expect(body[1]).toMatchObject({ permissions: ["upload_version"] });
    }
    // Outsiders do not see invitees; an invitee sees themselves.
    for (const [caller, seen] of [
      [as.anyone, [owner, ada]],
      [as.user(stranger), [owner, ada]],
      [as.user(invited), [owner, ada, invited]],
    ] as const) {
      const { body } = await caller.get(path);
      expect(body.map((member: { userId: string }) => member.userId)).toEqual(seen.map(({ id }) => id));
      expect(body.flatMap((member: { permissions: string[] }) => member.permissions)).toEqual([]);
    }
  });

  test("members of the organization see the permissions of members in its project", async () => {
    const [owner, ada, bob] = (await users(3)) as [TestUser, TestUser, TestUser];
    const org = await makeOrg(world, owner);
    const project = await makeProject(world, owner, { orgId: org.id, visibility: "private" });
    await addMember(world, org.teamId, ada, { permissions: [] });
    await addMember(world, project.teamId, bob, { permissions: ["delete_version"] });
    const { body } = await as.user(ada).get(`/api/team/${project.teamId}/members`);
    expect(body).toMatchObject([{ userId: bob.id, permissions: ["delete_version"] }]);
    expect(await as.anyone.get(`/api/team/${project.teamId}/members`)).toFail(404, "teamNotFound");
  });
});
