// Ownership, roles and permissions of members; invalid and hostile calls first.
import { describe, expect, test } from "vitest";
import type { TestUser } from "#test/callers/actors.js";
import { addMember, makeOrg, makeProject } from "#test/worlds/content.js";
import { teamWorld } from "#test/worlds/team-world.js";

const world = await teamWorld();
const { as, users, entry, owners, shown, resources } = world;
type Users = [TestUser, TestUser, TestUser, TestUser];
const four = async () => (await users(4)) as Users;

const transfer = (by: TestUser, teamId: string, userId: unknown) =>
  as.user(by).patch(`/api/team/${teamId}/owner`, { userId });
const override = (by: TestUser, teamId: string, body: object) => as.user(by).post(`/api/team/${teamId}/members`, body);
const edit = async (by: TestUser, teamId: string, member: TestUser, body: object) =>
  as.user(by).patch(`/api/team/${teamId}/member/${(await entry(teamId, member))?.id}`, body);
const remove = async (by: TestUser, teamId: string, member: TestUser) =>
  as.user(by).delete(`/api/team/${teamId}/member/${(await entry(teamId, member))?.id}`);
const permissionsOf = async (teamId: string, user: TestUser) => {
  const row = await entry(teamId, user);
  return row && { permissions: JSON.parse(row.permissions), org: JSON.parse(row.org_permissions) };
};

describe("transferOwnership", () => {
  test("the new owner has the role Owner, the old one stays as a Member without permissions", async () => {
    const [owner, ada] = await four();
    for (const { teamId } of [await makeProject(world, owner), await makeOrg(world, owner)]) {
      await addMember(world, teamId, ada, { permissions: ["edit_details"] });
      expect(await transfer(owner, teamId, ada.id)).toSucceed();
      expect(await owners(teamId)).toEqual([ada.id]);
      expect(await entry(teamId, ada)).toMatchObject({ role: "Owner", permissions: "[]", org_permissions: "[]" });
      expect(await entry(teamId, owner)).toMatchObject({ role: "Member", accepted: 1, is_owner: 0, permissions: "[]" });
      expect(await transfer(owner, teamId, owner.id)).toFail(403, "ownerOnly");
    }
  });

  test("is for the owner and administrators only, whatever permissions a member has", async () => {
    const [owner, ada, bob] = await four();
    const admin = await world.make.user({ role: "admin" });
    const moderator = await world.make.user({ role: "moderator" });
    const { teamId } = await makeProject(world, owner);
    await addMember(world, teamId, ada);
    await addMember(world, teamId, bob);
    for (const caller of [ada, moderator]) expect(await transfer(caller, teamId, ada.id)).toFail(403, "ownerOnly");
    expect(await transfer(admin, teamId, bob.id)).toSucceed();
    expect(await owners(teamId)).toEqual([bob.id]);
  });

  test("the new owner must be an accepted member and not already the owner", async () => {
    const [owner, invited, stranger] = await four();
    const { teamId } = await makeProject(world, owner);
    await addMember(world, teamId, invited, { accepted: false });
    for (const id of [invited.id, stranger.id, "AAAAAAAA", "deleted_user", stranger.userName])
      expect(await transfer(owner, teamId, id)).toFail(404, "memberNotFound");
    expect(await transfer(owner, teamId, owner.id)).toFail(409, "alreadyOwner");
    for (const id of [undefined, null, 7, [stranger.id]]) expect(await transfer(owner, teamId, id)).toFail(400);
    expect(await owners(teamId)).toEqual([owner.id]);
  });

  test("a project of an organization has no owner of its own that could be replaced", async () => {
    const [owner, ada] = await four();
    const org = await makeOrg(world, owner);
    const project = await makeProject(world, owner, { orgId: org.id });
    await addMember(world, project.teamId, ada);
    expect(await transfer(owner, project.teamId, ada.id)).toFail(409, "wrongState");
    expect(await owners(project.teamId)).toEqual([]);
  });

  test("the new owner of an organization owns its projects and needs no entries in them", async () => {
    const [owner, ada] = await four();
    const org = await makeOrg(world, owner);
    const project = await makeProject(world, owner, { orgId: org.id });
    await addMember(world, org.teamId, ada, { permissions: [] });
    await addMember(world, project.teamId, ada, { permissions: [] });
    await transfer(owner, org.teamId, ada.id);
    expect(await entry(project.teamId, ada)).toBeUndefined();
    expect(await as.user(ada).post(`/api/team/${project.teamId}/invite`, { userName: "nobody-at-all" })).toFail(
      404,
      "userNotFound",
    );
    expect(await as.user(owner).post(`/api/team/${project.teamId}/invite`, { userName: ada.id })).toFail(403);
  });
});

describe("overrideMember", () => {
  test("gives a member of the organization different rights in one of its projects, and only there", async () => {
    const [owner, ada, bob] = await four();
    const org = await makeOrg(world, owner);
    const [one, other] = [
      await makeProject(world, owner, { orgId: org.id }),
      await makeProject(world, owner, { orgId: org.id }),
    ];
    await addMember(world, org.teamId, ada, { permissions: ["manage_invites"] });
    const reply = await override(owner, one.teamId, {
      userId: ada.id,
      role: "Artist",
      permissions: ["edit_details", "edit_details"],
    });
    expect(reply.body.data).toMatchObject({ role: "Artist", accepted: true, permissions: ["edit_details"] });
    const inviteTo = (teamId: string) => as.user(ada).post(`/api/team/${teamId}/invite`, { userName: bob.id });
    expect(await inviteTo(one.teamId)).toFail(403, "permissionMissing");
    expect(await inviteTo(other.teamId)).toSucceed();
  });

  test("a member with only edit_member can narrow rights, but not widen them", async () => {
    const [owner, editor, ada] = await four();
    const org = await makeOrg(world, owner);
    const { teamId } = await makeProject(world, owner, { orgId: org.id });
    await addMember(world, org.teamId, editor, { permissions: ["edit_member", "delete_project"] });
    await addMember(world, org.teamId, ada, { permissions: ["edit_details", "upload_version"] });
    const permissions = ["edit_details", "delete_project"];
    expect(await override(editor, teamId, { userId: ada.id, permissions })).toFail(403, "ownerOnly");
    expect(await override(editor, teamId, { userId: editor.id, permissions: ["edit_details"] })).toFail(403);
    expect(await override(editor, teamId, { userId: ada.id, permissions: ["edit_details"] })).toSucceed();
    expect(await override(ada, teamId, { userId: editor.id, permissions: [] })).toFail(403, "permissionMissing");
  });

  test("is refused for outsiders, invitees, the owner, members of the project, and other teams", async () => {
    const [owner, stranger, invited, ada] = await four();
    const org = await makeOrg(world, owner);
    const { teamId } = await makeProject(world, owner, { orgId: org.id });
    const alone = await makeProject(world, owner);
    await addMember(world, org.teamId, invited, { accepted: false });
    await addMember(world, org.teamId, ada);
    for (const userId of [stranger.id, invited.id, "AAAAAAAA", ada.userName])
      expect(await override(owner, teamId, { userId, permissions: [] })).toFail(404, "memberNotFound");
    expect(await override(owner, teamId, { userId: owner.id })).toFail(409, "alreadyOwner");
    expect(await override(owner, teamId, { userId: ada.id })).toSucceed();
    expect(await override(owner, teamId, { userId: ada.id })).toFail(409, "alreadyMember");
    for (const team of [alone.teamId, org.teamId])
      expect(await override(owner, team, { userId: ada.id })).toFail(409, "wrongState");
    expect(await override(owner, teamId, { userId: ada.id, permissions: ["own_everything"] })).toFail(400);
    expect(await override(owner, teamId, { userId: ada.id, role: "x".repeat(33) })).toFail(400);
  });
});

describe("editMember", () => {
  test("the owner sets role and permissions; absent fields stay; duplicates are removed", async () => {
    const [owner, ada] = await four();
    const { teamId } = await makeProject(world, owner);
    await addMember(world, teamId, ada, { permissions: [] });
    const reply = await edit(owner, teamId, ada, { permissions: ["edit_details", "edit_details", "upload_version"] });
    expect(reply.body.data).toMatchObject({ role: "Member", permissions: ["edit_details", "upload_version"] });
    expect((await edit(owner, teamId, ada, { role: "" })).body.data).toMatchObject({
      role: "",
      permissions: ["edit_details", "upload_version"],
    });
    expect(await edit(owner, teamId, ada, {})).toSucceed();
  });

  test("a member with edit_member can revoke permissions and rename roles, but not add permissions", async () => {
    const [owner, editor, ada] = await four();
    const { teamId } = await makeProject(world, owner);
    await addMember(world, teamId, editor, { permissions: ["edit_member", "edit_details"] });
    await addMember(world, teamId, ada, { permissions: ["edit_details", "upload_version"] });
    const wider = { permissions: ["edit_details", "upload_version", "delete_version"] };
    for (const member of [ada, editor]) expect(await edit(editor, teamId, member, wider)).toFail(403, "ownerOnly");
    // Not even permissions that the editor has: in a project only the owner adds permissions.
    expect(await edit(editor, teamId, ada, { permissions: ["edit_member"] })).toFail(403, "ownerOnly");
    expect(await edit(editor, teamId, ada, { role: "Reviewer", permissions: ["upload_version"] })).toSucceed();
    expect(await permissionsOf(teamId, ada)).toEqual({ permissions: ["upload_version"], org: [] });
    expect(await edit(ada, teamId, editor, { role: "x" })).toFail(403, "permissionMissing");
  });

  test("in an organization, edit_member_default_permissions allows granting only permissions that the editor has", async () => {
    const [owner, editor, ada] = await four();
    const { teamId } = await makeOrg(world, owner);
    await addMember(world, teamId, editor, {
      permissions: ["upload_version"],
      orgPermissions: ["edit_member", "edit_member_default_permissions", "edit_details"],
    });
    await addMember(world, teamId, ada, { permissions: [], orgPermissions: ["edit_member"] });
    expect(await edit(editor, teamId, ada, { permissions: ["upload_version"] })).toSucceed();
    const beyond = await edit(editor, teamId, editor, { permissions: ["upload_version", "delete_project"] });
    expect(beyond).toFail(403, "permissionMissing");
    expect(beyond.body.message).toContain("delete_project");
    // Only the owner grants organization permissions, even to members who could pass on others.
    expect(await edit(editor, teamId, ada, { organisationPermissions: ["edit_member", "edit_details"] })).toFail(
      403,
      "ownerOnly",
    );
    const self = await edit(ada, teamId, ada, { permissions: ["upload_version", "edit_details"] });
    expect(self).toFail(403, "permissionMissing");
    expect(self.body.message).toContain("edit_member_default_permissions");
    expect(await edit(editor, teamId, ada, { organisationPermissions: [] })).toSucceed();
    expect(await edit(owner, teamId, ada, { organisationPermissions: ["delete_organization"] })).toSucceed();
    expect(await permissionsOf(teamId, ada)).toEqual({
      permissions: ["upload_version"],
      org: ["delete_organization"],
    });
  });

  test("the permissions of the owner cannot be changed; empty lists are accepted", async () => {
    const [owner] = await four();
    const { teamId } = await makeOrg(world, owner);
    expect(await edit(owner, teamId, owner, { permissions: ["edit_details"] })).toFail(409, "wrongState");
    expect(await edit(owner, teamId, owner, { organisationPermissions: ["edit_details"] })).toFail(409, "wrongState");
    const whole = { role: "Founder", permissions: [], organisationPermissions: [] };
    expect(await edit(owner, teamId, owner, whole)).toSucceed();
    expect(await entry(teamId, owner)).toMatchObject({ role: "Founder", is_owner: 1 });
  });

  test("refuses permissions that do not exist or do not apply, and members of other teams", async () => {
    const [owner, ada] = await four();
    const project = await makeProject(world, owner);
    const org = await makeOrg(world, owner);
    await addMember(world, project.teamId, ada, { permissions: [] });
    await addMember(world, org.teamId, ada, { permissions: [] });
    for (const body of [
      { permissions: ["everything"] },
      { permissions: "edit_details" },
      { permissions: ["add_project"] },
      { organisationPermissions: ["upload_version"] },
      { organisationPermissions: ["add_project"] },
      { role: 7 },
      { role: "r".repeat(33) },
    ])
      expect(await edit(owner, project.teamId, ada, body)).toFail(400, "invalidRequest");
    const foreign = (await entry(org.teamId, ada))?.id;
    const path = `/api/team/${project.teamId}/member`;
    for (const id of [foreign, ada.id, "AAAAAAAA"]) {
      expect(await as.user(owner).patch(`${path}/${id}`, { role: "x" })).toFail(404, "memberNotFound");
      expect(await as.user(owner).delete(`${path}/${id}`)).toFail(404, "memberNotFound");
    }
  });

  test("writes only the fields of the input to the row", async () => {
    const [owner, ada] = await four();
    const { teamId } = await makeProject(world, owner);
    await addMember(world, teamId, ada, { permissions: [] });
    const before = await entry(teamId, ada);
    await edit(owner, teamId, ada, { isOwner: true, is_owner: 1, accepted: false, userId: owner.id, teamId: "x" });
    expect(await entry(teamId, ada)).toEqual(before);
  });
});

describe("removeMember", () => {
  test("needs remove_member, and cannot remove the owner", async () => {
    const [owner, remover, ada, stranger] = await four();
    for (const { teamId } of [await makeProject(world, owner), await makeOrg(world, owner)]) {
      await addMember(world, teamId, remover, { permissions: ["remove_member"], orgPermissions: ["remove_member"] });
      await addMember(world, teamId, ada, { permissions: ["edit_member"], orgPermissions: ["edit_member"] });
      expect(await remove(ada, teamId, remover)).toFail(403, "permissionMissing");
      expect(await remove(stranger, teamId, ada)).toFail(403, "permissionMissing");
      expect(await remove(remover, teamId, owner)).toFail(409, "ownerStays");
      expect(await remove(remover, teamId, ada)).toSucceed();
      expect(await remove(remover, teamId, remover)).toSucceed();
      expect(await entry(teamId, ada)).toBeUndefined();
    }
  });

  test("only the owner removes an entry that limits rights, because that grants rights", async () => {
    const [owner, remover, ada] = await four();
    const org = await makeOrg(world, owner);
    const { teamId } = await makeProject(world, owner, { orgId: org.id });
    await addMember(world, org.teamId, remover, { permissions: ["remove_member"] });
    await addMember(world, org.teamId, ada, { permissions: ["edit_details", "remove_member"] });
    await addMember(world, teamId, ada, { permissions: ["remove_member"] });
    for (const caller of [remover, ada]) expect(await remove(caller, teamId, ada)).toFail(403, "ownerOnly");
    expect(await remove(owner, teamId, ada)).toSucceed();
  });

  test("hidden teams are answered with 404 by every managing route", async () => {
    const [owner, stranger] = await four();
    const hidden = await makeProject(world, owner, { visibility: "private" });
    const memberId = (await entry(hidden.teamId, owner))?.id;
    const caller = as.user(stranger);
    const calls = (teamId: string) => [
      caller.patch(`/api/team/${teamId}/owner`, { userId: stranger.id }),
      caller.post(`/api/team/${teamId}/members`, { userId: stranger.id }),
      caller.patch(`/api/team/${teamId}/member/${memberId}`, { role: "x" }),
      caller.delete(`/api/team/${teamId}/member/${memberId}`),
      caller.get(`/api/team/${teamId}/members`),
      caller.post(`/api/team/${teamId}/leave`),
    ];
    const absent = (await Promise.all(calls("AAAAAAAA"))).map(shown);
    expect((await Promise.all(calls(hidden.teamId))).map(shown)).toEqual(absent);
    for (const reply of absent) expect(reply).toMatchObject({ status: 404, body: { code: "teamNotFound" } });
  });

  test("every change of a team is audited once, and the project shows it at once", async () => {
    const [owner, ada] = await four();
    const project = await makeProject(world, owner);
    const members = async () =>
      (await as.anyone.get(`/api/project/${project.id}`)).body.project.members.map((m: { role: string }) => m.role);
    expect(await members()).toEqual(["Owner"]);
    await as.user(owner).post(`/api/team/${project.teamId}/invite`, { userName: ada.id });
    await as.user(ada).patch(`/api/team/${project.teamId}/invite`);
    await edit(owner, project.teamId, ada, { role: "Artist" });
    expect(await members()).toEqual(["Owner", "Artist"]);
    await transfer(owner, project.teamId, ada.id);
    await remove(ada, project.teamId, owner);
    expect(await members()).toEqual(["Owner"]);
    const acts = await resources.db
      .selectFrom("audit_log")
      .select(["action", "actor_id"])
      .where("object_id", "=", project.teamId)
      .orderBy("id")
      .execute();
    expect(acts.map(({ action, actor_id }) => `${action} ${actor_id === owner.id ? "owner" : "ada"}`)).toEqual([
      "team.invite owner",
      "team.accept ada",
      "team.member.edit owner",
      "team.owner.set owner",
      "team.member.remove ada",
    ]);
  });
});
