// Undoing the move of a project into an organization.
import { describe, expect, test } from "vitest";
import type { TestUser } from "#test/callers/actors.js";
import { location, readPage, submit } from "#test/callers/page-forms.js";
import { addMember, makeOrg, makeProject } from "#test/worlds/content.js";
import { teamWorld } from "#test/worlds/team-world.js";

const world = await teamWorld();
const { as, make, clock, owners, entry, resources } = world;
const day = 24 * 60 * 60_000;

async function moved() {
  const [owner, editor, boss] = [await make.user(), await make.user(), await make.user()];
  const project = await makeProject(world, owner, { name: "Lamps" });
  await addMember(world, project.teamId, editor, { permissions: ["edit_details"] });
  const org = await makeOrg(world, boss);
  await addMember(world, org.teamId, owner, { orgPermissions: ["add_project"], permissions: ["edit_details"] });
  expect(await as.user(owner).post(`/api/organization/${org.id}/projects`, { projectId: project.id })).toSucceed();
  const path = `/project/${project.id}/settings/move/undo`;
  const undo = (by: TestUser) => submit(as.user(by), path);
  const orgOf = async () =>
    (await resources.db.selectFrom("projects").select("org_id").where("id", "=", project.id).executeTakeFirst())
      ?.org_id;
  return { owner, editor, boss, project, org, path, undo, orgOf };
}

describe("getUndoMovePage and submitUndoMove", () => {
  test("give the project back to its former owner, with its former team", async () => {
    const { owner, editor, project, path, undo, orgOf } = await moved();
    const members = await readPage(as.user(owner), `/project/${project.slug}/settings/members`);
    expect(members.text).toContain(path);
    expect((await readPage(as.user(owner), path)).text).toContain("Lamps leaves");
    expect(await orgOf()).not.toBeNull();
    expect(location(await undo(owner))).toBe(`/project/${project.slug}/settings/members?done=saved`);
    expect(await orgOf()).toBeNull();
    expect(await owners(project.teamId)).toEqual([owner.id]);
    expect(await entry(project.teamId, editor)).toMatchObject({
      ...{ role: "Member", accepted: 1, permissions: '["edit_details"]' },
    });
    expect((await undo(owner)).status).toBe(404);
    expect((await as.anyone.get(`/api/project/${project.slug}`)).body.project.orgId).toBeNull();
  });

  test("are only for the user who moved it", async () => {
    const { editor, boss, path, undo, orgOf, org } = await moved();
    const admin = await make.user({ role: "admin" });
    for (const other of [editor, boss, admin]) {
      expect((await undo(other)).status).toBe(404);
      expect((await readPage(as.user(other), path)).status).toBe(404);
    }
    expect(await orgOf()).toBe(org.id);
  });

  test("work for seven days", async () => {
    const { owner, undo, orgOf, org, project } = await moved();
    await clock.during(7 * day + 1, async () => {
      expect((await undo(owner)).status).toBe(404);
      expect((await readPage(as.user(owner), `/project/${project.slug}/settings/members`)).text).not.toContain("/undo");
    });
    expect(await orgOf()).toBe(org.id);
  });

  test("end when the user leaves the organization, even if they join again", async () => {
    const { owner, boss, org, path, undo, orgOf, project } = await moved();
    expect((await readPage(as.user(owner), "/dashboard")).text).toContain(path);
    const { id } = (await entry(org.teamId, owner))!;
    expect(await as.user(boss).delete(`/api/team/${org.teamId}/member/${id}`)).toSucceed();
    expect((await readPage(as.user(owner), "/dashboard")).text).not.toContain(path);
    expect((await undo(owner)).status).toBe(404);
    await addMember(world, org.teamId, owner, { orgPermissions: ["add_project"] });
    expect((await undo(owner)).status).toBe(404);
    expect(await orgOf()).toBe(org.id);
    expect(await owners(project.teamId)).toEqual([]);
  });

  test("end when the organization is transferred, no matter which member made the move", async () => {
    const { owner, boss, org, undo, orgOf } = await moved();
    const own = await makeProject(world, boss);
    expect(await as.user(boss).post(`/api/organization/${org.id}/projects`, { projectId: own.id })).toSucceed();
    const buyer = await make.user();
    await addMember(world, org.teamId, buyer);
    expect(await as.user(boss).patch(`/api/team/${org.teamId}/owner`, { userId: buyer.id })).toSucceed();
    expect((await undo(owner)).status).toBe(404);
    // The former owner is still a member.
    expect((await submit(as.user(boss), `/project/${own.id}/settings/move/undo`)).status).toBe(404);
    expect(await orgOf()).toBe(org.id);
    expect(await as.user(buyer).get(`/api/project/${own.id}`)).toSucceed();
  });

  test("end when the project leaves the organization in another way, or the organization is deleted", async () => {
    const out = await moved();
    expect(await as.user(out.boss).delete(`/api/organization/${out.org.id}/project/${out.project.id}`)).toSucceed();
    expect((await out.undo(out.owner)).status).toBe(404);
    expect(await owners(out.project.teamId)).toEqual([out.boss.id]);
    const ended = await moved();
    expect(await as.user(ended.boss).delete(`/api/organization/${ended.org.id}`)).toSucceed();
    expect((await ended.undo(ended.owner)).status).toBe(404);
    expect(await owners(ended.project.teamId)).toEqual([ended.boss.id]);
  });

  test("do not restore members whose accounts were deleted", async () => {
    const { owner, editor, project, undo } = await moved();
    await resources.db.deleteFrom("users").where("id", "=", editor.id).execute();
    expect((await undo(owner)).status).toBe(303);
    expect(await entry(project.teamId, editor)).toBeUndefined();
    expect(await owners(project.teamId)).toEqual([owner.id]);
  });
});
