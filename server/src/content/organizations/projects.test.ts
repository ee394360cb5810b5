// Moving projects into an organization and out of it.
import { describe, expect, test } from "vitest";
import type { TestUser } from "#test/callers/actors.js";
import { addMember, makeOrg, makeProject } from "#test/worlds/content.js";
import { teamWorld } from "#test/worlds/team-world.js";

const world = await teamWorld();
const { as, users, entry, owners, notices, shown } = world;
const three = async () => (await users(3)) as [TestUser, TestUser, TestUser];
const add = (by: TestUser, org: string, projectId: unknown) =>
  as.user(by).post(`/api/organization/${org}/projects`, { projectId });
const remove = (by: TestUser, org: string, project: string) =>
  as.user(by).delete(`/api/organization/${org}/project/${project}`);
const projectOf = async (id: string, user: TestUser) => (await as.user(user).get(`/api/project/${id}`)).body.project;

describe("addOrganizationProject", () => {
  test("empties the project's team; from then on the members of the organization work on it", async () => {
    const [owner, helper, member] = await three();
    const invited = await world.make.user();
    const org = await makeOrg(world, owner);
    const project = await makeProject(world, owner, { visibility: "private" });
    await addMember(world, project.teamId, helper);
    await addMember(world, org.teamId, member, { permissions: ["manage_invites"] });
    await as.user(owner).post(`/api/team/${project.teamId}/invite`, { userName: invited.id });
    expect(await add(owner, org.slug, project.slug)).toSucceed();
    const after = await projectOf(project.id, member);
    expect(after).toMatchObject({ orgId: org.id, organisation: { id: org.id, slug: org.slug }, members: [] });
    expect(await as.user(helper).get(`/api/project/${project.id}`)).toFail(404);
    expect(await notices(invited)).toEqual([]);
    expect(await as.user(member).post(`/api/team/${project.teamId}/invite`, { userName: helper.id })).toSucceed();
  });

  test("needs add_project in the organization and ownership of the project", async () => {
    const [owner, adder, other] = await three();
    const org = await makeOrg(world, owner);
    await addMember(world, org.teamId, adder, { orgPermissions: ["add_project"] });
    await addMember(world, org.teamId, other, { orgPermissions: ["remove_project"] });
    const own = await makeProject(world, adder);
    const shared = await makeProject(world, other);
    await addMember(world, shared.teamId, adder);
    expect(await add(adder, org.id, shared.id)).toFail(403, "ownerOnly");
    expect(await add(other, org.id, shared.id)).toFail(403, "permissionMissing");
    expect(await add(await world.make.user(), org.id, own.id)).toFail(403, "permissionMissing");
    expect(await add(adder, org.id, own.id)).toSucceed();
  });

  test("answers 409 for a project that is already in an organization, even in this one", async () => {
    const [owner] = await three();
    const [one, other] = [await makeOrg(world, owner), await makeOrg(world, owner)];
    const project = await makeProject(world, owner);
    expect(await add(owner, one.id, project.id)).toSucceed();
    for (const org of [one, other]) expect(await add(owner, org.id, project.id)).toFail(409, "wrongState");
    expect(await projectOf(project.id, owner)).toMatchObject({ orgId: one.id });
  });

  test("does not tell hidden projects from missing ones", async () => {
    const [owner, other] = await three();
    const org = await makeOrg(world, owner);
    const hidden = await makeProject(world, other, { visibility: "private" });
    const absent = shown(await add(owner, org.id, "AAAAAAAA"));
    expect(absent).toMatchObject({ status: 404, body: { code: "projectNotFound" } });
    expect(shown(await add(owner, org.id, hidden.id))).toEqual(absent);
    expect(await add(owner, "AAAAAAAA", hidden.id)).toFail(404, "organizationNotFound");
    for (const id of [undefined, null, "", 5, {}]) expect(await add(owner, org.id, id)).toFail(400, "invalidRequest");
  });

  test("if two organizations add a project at the same time, one gets it", async () => {
    const [owner] = await three();
    for (let round = 0; round < 5; round++) {
      const orgs = [await makeOrg(world, owner), await makeOrg(world, owner)];
      const project = await makeProject(world, owner);
      const replies = await Promise.all(orgs.map((org) => add(owner, org.id, project.id)));
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
      expect(await owners(project.teamId)).toEqual([]);
    }
  });
});

describe("removeOrganizationProject", () => {
  test("the owner of the organization becomes its only member, not the user who removed it", async () => {
    const [owner, remover, outsider] = await three();
    const org = await makeOrg(world, owner);
    const project = await makeProject(world, owner, { orgId: org.id, visibility: "private" });
    await addMember(world, org.teamId, remover, { permissions: [], orgPermissions: ["remove_project"] });
    await addMember(world, project.teamId, outsider);
    expect(await remove(remover, org.slug, project.slug)).toSucceed();
    expect(await owners(project.teamId)).toEqual([owner.id]);
    expect(await entry(project.teamId, owner)).toMatchObject({ role: "Inherited Owner" });
    const after = await projectOf(project.id, owner);
    expect(after).toMatchObject({ orgId: null, organisation: null });
    expect(after.members).toHaveLength(1);
    for (const user of [remover, outsider])
      expect(await as.user(user).get(`/api/project/${project.id}`)).toFail(404, "projectNotFound");
  });

  test("needs remove_project, and a project of this organization", async () => {
    const [owner, member] = await three();
    const [org, other] = [await makeOrg(world, owner), await makeOrg(world, owner)];
    const project = await makeProject(world, owner, { orgId: org.id });
    const alone = await makeProject(world, owner);
    await addMember(world, org.teamId, member, { orgPermissions: ["add_project", "delete_organization"] });
    expect(await remove(member, org.id, project.id)).toFail(403, "permissionMissing");
    for (const [ref, id] of [
      [other.id, project.id],
      [org.id, alone.id],
      [org.id, "AAAAAAAA"],
    ] as const)
      expect(await remove(owner, ref, id)).toFail(404, "projectNotFound");
    expect(await remove(owner, "AAAAAAAA", project.id)).toFail(404, "organizationNotFound");
    expect(await projectOf(project.id, owner)).toMatchObject({ orgId: org.id });
  });

  test("an administrator who removes it does not become its owner", async () => {
    const [owner] = await three();
    const admin = await world.make.user({ role: "admin" });
    const org = await makeOrg(world, owner);
    const project = await makeProject(world, owner, { orgId: org.id });
    expect(await remove(admin, org.id, project.id)).toSucceed();
    expect(await owners(project.teamId)).toEqual([owner.id]);
  });
});
