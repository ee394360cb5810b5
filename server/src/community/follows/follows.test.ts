// Tests following projects: who may follow, the follower count under load, and notification preferences.
import { describe, expect, test } from "vitest";
import { testApp, uniqueName } from "#test/server/harness.js";
import { makeManyProjects, makeProject, setProject } from "#test/worlds/content.js";
import { maxFollows } from "./policy.js";

const world = await testApp();
const { as, make, resources } = world;
const { db } = resources;
const owner = await make.user();

const followersOf = async (id: string): Promise<number> =>
  (await as.user(owner).get(`/api/project/${id}`)).body.project.followers;
const rowsOf = (projectId: string) =>
  db.selectFrom("follows").select("user_id").where("project_id", "=", projectId).execute();
const followed = async (actor: typeof as.anyone): Promise<string[]> =>
  (await actor.get("/api/user/follows?idsOnly=true")).body;

const anything = { gameVersions: null, loaders: null, channels: ["release", "beta", "alpha", "dev"] };

describe("followProject and unfollowProject", () => {
  test("take id, slug and old slug, count, and are refused when there is nothing to change", async () => {
    const reader = as.user(await make.user());
    const project = await makeProject(world, owner);
    const path = `/api/project/${project.slug}/follow`;
    expect(await reader.delete(path)).toFail(409, "notFollowing");
    const reply = await reader.post(path);
    expect(reply).toSucceed();
    expect(reply.body).toEqual({
      success: true,
      message: expect.any(String),
      preferences: { mode: "default", ...anything },
    });
    expect(await followersOf(project.id)).toBe(1);
    expect(await reader.post(`/api/project/${project.id}/follow`)).toFail(409, "alreadyFollowing");
    expect(await followersOf(project.id)).toBe(1);
    const slug = uniqueName("renamed");
    expect(await as.user(owner).patch(`/api/project/${project.id}`, { slug })).toSucceed();
    expect(await reader.delete(`/api/project/${project.slug.toUpperCase()}/follow`)).toSucceed();
    expect(await followersOf(project.id)).toBe(0);
    expect(await reader.delete(path)).toFail(409, "notFollowing");
  });

  test("refuse invisible projects exactly like missing ones", async () => {
    const reader = as.user(await make.user());
    const hidden = await makeProject(world, owner, { visibility: "private" });
    const draft = await makeProject(world, owner, { status: "draft" });
    for (const method of ["POST", "DELETE", "PATCH", "GET"]) {
      const essence = async (ref: string) => {
        const { status, text } = await reader.call(method, `/api/project/${ref}/follow`, {
          ...(method === "PATCH" && { json: { mode: "all" } }),
        });
        return [status, text.replace(/"requestId":"\w+"/, "")];
      };
      const absent = await essence("no-such-project");
      expect(absent[0]).toBe(404);
      for (const ref of [hidden.id, hidden.slug, draft.id]) expect(await essence(ref)).toEqual(absent);
    }
    expect(await rowsOf(hidden.id)).toEqual([]);
    expect(await as.user(owner).post(`/api/project/${hidden.id}/follow`)).toSucceed();
    expect(await followersOf(hidden.id)).toBe(1);
  });

  test("need a signed-in user, and for a token user_write", async () => {
    const reader = await make.user();
    const { id } = await makeProject(world, owner);
    expect(await as.anyone.post(`/api/project/${id}/follow`)).toFail(401, "signInNeeded");
    const token = await as.token(reader, { scopes: ["user_read", "project_write"] });
    expect(await token.post(`/api/project/${id}/follow`)).toFail(403, "scopeMissing");
    expect(await rowsOf(id)).toEqual([]);
  });

  test("keep the count exact when many follow and unfollow in parallel, each of them twice", async () => {
    const { id } = await makeProject(world, owner);
    const readers = await Promise.all(Array.from({ length: 12 }, () => make.user()));
    const all = (act: (reader: ReturnType<typeof as.user>) => Promise<{ status: number }>) =>
      Promise.all(readers.flatMap((reader) => [act(as.user(reader)), act(as.user(reader))]));
    const statuses = (await all((reader) => reader.post(`/api/project/${id}/follow`))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(12);
    expect(statuses.filter((status) => status === 409)).toHaveLength(12);
    expect(await followersOf(id)).toBe(12);
    const ended = (await all((reader) => reader.delete(`/api/project/${id}/follow`))).map(({ status }) => status);
    expect(ended.filter((status) => status === 200)).toHaveLength(12);
    expect([await followersOf(id), await rowsOf(id)]).toEqual([0, []]);
    const mixed = readers.map((reader, at) =>
      at % 2 === 0
        ? as.user(reader).post(`/api/project/${id}/follow`)
        : as.user(reader).patch("/api/collections/follows/projects", { projects: [id] }),
    );
    await Promise.all(mixed);
    expect(await followersOf(id)).toBe(12);
  });

  test("stop at the limit, and bulk changes nothing past it", async () => {
    const reader = await make.user();
    const [last, next] = [await makeProject(world, owner), await makeProject(world, owner)];
    const ids = await makeManyProjects(world, last.id, maxFollows - 1);
    for (let start = 0; start < ids.length; start += 500)
      await db
        .insertInto("follows")
        .values(
          ids
            .slice(start, start + 500)
            .map((id) => ({ user_id: reader.id, project_id: id, preferences: "{}", date_created: 0 })),
        )
        .execute();
    expect(await as.user(reader).post(`/api/project/${last.id}/follow`)).toSucceed();
    expect(await as.user(reader).post(`/api/project/${next.id}/follow`)).toFail(409, "limitReached");
    const bulk = await as.user(reader).patch("/api/collections/follows/projects", { projects: [next.id, last.id] });
    expect(bulk).toFail(409, "limitReached");
    expect([await followersOf(last.id), await followersOf(next.id)]).toEqual([1, 0]);
    // Nothing is new, so nothing is refused.
    expect(await as.user(reader).patch("/api/collections/follows/projects", { projects: [last.id] })).toSucceed();
  });

  test("a project goes with its follows, and an account with the figures it added to", async () => {
    const reader = await make.user({ password: "follows-1234" });
    const projects = [await makeProject(world, owner), await makeProject(world, owner)];
    for (const { id } of projects) expect(await as.user(reader).post(`/api/project/${id}/follow`)).toSucceed();
    expect(await as.user(owner).delete(`/api/project/${projects[0]!.id}`)).toSucceed();
    expect(await followed(as.user(reader))).toEqual([projects[1]!.id]);
    expect(await as.user(reader).delete("/api/user", { password: "follows-1234" })).toSucceed();
    expect(await followersOf(projects[1]!.id)).toBe(0);
    expect(await rowsOf(projects[1]!.id)).toEqual([]);
  });
});

describe("getFollowedProjects and getFollows", () => {
  test("list the followed projects, most downloaded first, as projects, ids or preferences", async () => {
    const reader = as.user(await make.user());
    expect((await reader.get("/api/user/follows")).body).toEqual([]);
    const [few, many] = [await makeProject(world, owner), await makeProject(world, owner)];
    await setProject(world, many.id, { downloads: 7 });
    for (const { id } of [few, many]) await reader.post(`/api/project/${id}/follow`);
    expect(await followed(reader)).toEqual([many.id, few.id]);
    const listed = (await reader.get("/api/user/follows")).body;
    expect(listed).toEqual((await as.anyone.get(`/api/projects?ids=${many.id},${few.id}`)).body);
    expect((await reader.get("/api/user/follows/preferences")).body).toEqual([
      { projectId: many.id, dateFollowed: expect.stringMatching(/Z$/), preferences: { mode: "default", ...anything } },
      { projectId: few.id, dateFollowed: expect.any(String), preferences: expect.any(Object) },
    ]);
  });

  test("a project that becomes private stays followed, unseen, and can still be left", async () => {
    const reader = as.user(await make.user());
    const project = await makeProject(world, owner);
    await reader.post(`/api/project/${project.id}/follow`);
    await setProject(world, project.id, { visibility: "private" });
    expect(await followed(reader)).toEqual([]);
    expect((await reader.get("/api/user/follows")).body).toEqual([]);
    expect((await reader.get("/api/user/follows/preferences")).body).toEqual([]);
    expect(await followersOf(project.id)).toBe(1);
    await setProject(world, project.id, { visibility: "listed" });
    expect(await followed(reader)).toEqual([project.id]);
    await setProject(world, project.id, { visibility: "private" });
    expect(await reader.delete(`/api/project/${project.slug}/follow`)).toSucceed();
    expect(await followersOf(project.id)).toBe(0);
    expect(await reader.delete(`/api/project/${project.slug}/follow`)).toFail(404, "projectNotFound");
  });

  test("a user cannot have the name that the list's URL uses", async () => {
    const sent = { userName: "Follows", email: `${uniqueName()}@example.com`, password: "follows-1234" };
    expect(await as.anyone.post("/api/auth/signup", sent)).toFail(400, "nameReserved");
  });
});

describe("getFollow and setFollowPreferences", () => {
  test("change the named fields and keep the others", async () => {
    const reader = as.user(await make.user());
    const { id, slug } = await makeProject(world, owner);
    const path = `/api/project/${slug}/follow`;
    expect((await reader.get(path)).body).toEqual({ following: false, preferences: null });
    expect(await reader.patch(path, { mode: "none" })).toFail(409, "notFollowing");
    const chosen = { mode: "filtered", gameVersions: ["0.4.8", "0.4.8"], channels: ["beta", "release"] };
    expect(await reader.post(path, chosen)).toSucceed();
    const first = { mode: "filtered", gameVersions: ["0.4.8"], loaders: null, channels: ["release", "beta"] };
    expect((await reader.get(path)).body).toEqual({ following: true, preferences: first });
    const saved = await reader.patch(`/api/project/${id}/follow`, { loaders: ["quilt"], gameVersions: null });
    const second = { ...first, gameVersions: null, loaders: ["quilt"] };
    expect(saved.body.preferences).toEqual(second);
    expect((await reader.patch(path, {})).body.preferences).toEqual(second);
    expect((await reader.patch(path, { mode: "default" })).body.preferences).toEqual({ ...second, mode: "default" });
  });

  test.each<[string, unknown]>([
    ["a mode that is none", { mode: "sometimes" }],
    ["an unknown game version", { gameVersions: ["9.9.9-nowhere"] }],
    ["an unknown loader", { loaders: ["quilt", "__proto__"] }],
    ["no channel at all", { channels: [] }],
    ["an unknown channel", { channels: ["release", "nightly"] }],
    ["a text for a list", { gameVersions: "0.4.8" }],
    ["a list of lists", { loaders: [["quilt"]] }],
    ["more than anybody plays", { gameVersions: Array.from({ length: 201 }, () => "0.4.8") }],
    ["a very long name", { loaders: ["x".repeat(65)] }],
    ["a list for the whole", []],
    ["a number", 7],
  ])("refuse %s and follow nothing", async (_what, body) => {
    const reader = as.user(await make.user());
    const { id } = await makeProject(world, owner);
    expect(await reader.post(`/api/project/${id}/follow`, body)).toFail(400);
    expect(await rowsOf(id)).toEqual([]);
    await reader.post(`/api/project/${id}/follow`);
    expect(await reader.patch(`/api/project/${id}/follow`, body)).toFail(400);
    expect((await reader.get(`/api/project/${id}/follow`)).body.preferences.mode).toBe("default");
  });
});
