// Tokens that are bound to one project have no rights anywhere else.
import { describe, expect, test } from "vitest";
import { publishTo } from "#test/callers/uploads.js";
import { testApp } from "#test/server/harness.js";
import { addMember, makeOrg, makeProject } from "#test/worlds/content.js";
import { boundScopes } from "./policy.js";

const world = await testApp();
const { as, make } = world;

const shared = { name: "CI", dateExpires: "2099-12-31" };

async function bound(options: { role?: "admin" | "moderator" } = {}) {
  const user = await make.user(options);
  const own = await makeProject(world, user, { status: "approved" });
  const other = await makeProject(world, user, { status: "approved" });
  const hidden = await makeProject(world, user, { visibility: "private" });
  const made = await as.user(user).post("/api/pat", { ...shared, authScopes: boundScopes, projectId: own.slug });
  expect(made).toSucceed();
  return { user, own, other, hidden, made, ci: as.bearer(made.body.token) };
}

describe("createToken for one project", () => {
  test("says which one it is for, here and in the list", async () => {
    const { user, own, made } = await bound();
    expect(made.body.projectId).toBe(own.id);
    const listed = (await as.user(user).get("/api/pat")).body;
    expect(listed[0].projectId).toBe(own.id);
    const plain = await as.user(user).post("/api/pat", { ...shared, authScopes: [], projectId: null });
    expect(plain.body.projectId).toBeNull();
  });

  test("refuses scopes that reach beyond a project, also later", async () => {
    const { user, own, made } = await bound();
    const wide = { ...shared, authScopes: ["version_create", "notification_read"], projectId: own.id };
    expect(await as.user(user).post("/api/pat", wide)).toFail(400, "scopesNotForOneProject");
    const change = { authScopes: ["organization_write"] };
    expect(await as.user(user).patch(`/api/pat/${made.body.id}`, change)).toFail(400, "scopesNotForOneProject");
    const [token] = (await as.user(user).get("/api/pat")).body;
    expect(token.scopes).not.toContain("organization_write");
  });

  test.each(["public", "private"])(
    "is refused for another user's %s project as for a missing one",
    async (visibility) => {
      const { user } = await bound();
      const theirs = await makeProject(world, await make.user(), {
        visibility: visibility === "private" ? "private" : "listed",
      });
      for (const projectId of [theirs.id, "nothing-of-that-name"])
        expect(await as.user(user).post("/api/pat", { ...shared, authScopes: [], projectId })).toFail(
          404,
          "projectNotFound",
        );
    },
  );
});

describe("a token for one project", () => {
  test("publishes there, and nowhere else", async () => {
    const { ci, own, other } = await bound();
    const publish = (ref: string) => publishTo(ci, ref);
    expect(await publish(own.id)).toSucceed();
    expect(await publish(other.id)).toFail(403, "permissionMissing");
  });

  test("cannot see its owner's other hidden projects", async () => {
    const { ci, hidden, user } = await bound();
    expect(await as.user(user).get(`/api/project/${hidden.id}`)).toSucceed();
    expect(await ci.get(`/api/project/${hidden.id}`)).toFail(404);
    expect(await ci.patch(`/api/project/${hidden.id}`, { name: "Taken over" })).toFail(404);
    expect((await ci.get(`/api/projects?ids=["${hidden.id}"]`)).body).toEqual([]);
  });

  test("edits its project, and no other", async () => {
    const { ci, own, other } = await bound();
    expect(await ci.patch(`/api/project/${own.id}`, { summary: "A summary that is new" })).toSucceed();
    expect(await ci.patch(`/api/project/${other.id}`, { summary: "A summary that is new" })).toFail(403);
    expect(await ci.patch(`/api/team/${other.teamId}/owner`, { userId: "nobody" })).toFail(403);
  });

  test.each(["admin", "moderator"] as const)("gives a %s no powers beyond it", async (role) => {
    const { ci } = await bound({ role });
    const theirs = await makeProject(world, await make.user(), { visibility: "private" });
    expect(await ci.get(`/api/project/${theirs.id}`)).toFail(404);
    expect(await ci.patch(`/api/project/${theirs.id}`, { name: "Taken over" })).toFail(404);
  });

  test("works for a project of an organization as far as its owner may there", async () => {
    const [boss, member] = [await make.user(), await make.user()];
    const org = await makeOrg(world, boss);
    const inside = await makeProject(world, boss, { orgId: org.id });
    await addMember(world, org.teamId, member, { permissions: ["upload_version"] });
    const made = await as
      .user(member)
      .post("/api/pat", { ...shared, authScopes: ["project_write", "version_create"], projectId: inside.id });
    const ci = as.bearer(made.body.token);
    expect(await publishTo(ci, inside.id)).toSucceed();
    expect(await ci.patch(`/api/project/${inside.id}`, { name: "Renamed" })).toFail(403, "permissionMissing");
  });

  test("ends with its project", async () => {
    const { ci, own, user } = await bound();
    expect(await as.user(user).delete(`/api/project/${own.id}`)).toSucceed();
    expect(await ci.get("/api/tags/loaders")).toFail(401);
  });
});
