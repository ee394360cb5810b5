// Tests collections: who can see and edit them, their limits, their pictures, and the built-in collection of followed
// projects.
import { describe, expect, test } from "vitest";
import type { Actor, TestUser } from "#test/callers/actors.js";
import { drawPicture } from "#test/files/pictures.js";
import { testApp } from "#test/server/harness.js";
import { makeManyProjects, makeProject, setProject } from "#test/worlds/content.js";
import { maxCollectedProjects, maxCollections } from "./shapes.js";

const world = await testApp();
const { as, make, resources } = world;
const { db } = resources;
const owner = await make.user();
const [stranger, moderator] = [as.user(await make.user()), as.user(await make.user({ role: "moderator" }))];
const project = await makeProject(world, owner);
const secret = await makeProject(world, owner, { visibility: "private" });

async function makeCollection(actor: Actor, more: object = {}): Promise<string> {
  const reply = await actor.post("/api/collections", { name: "Lamps", ...more });
  expect(reply).toSucceed();
  return reply.body.collectionId;
}

const read = async (actor: Actor, id: string) => (await actor.get(`/api/collections/${id}`)).body;
/** Exactly the same refusal as for a missing object. */
const essence = ({ status, text }: { status: number; text: string }) => [status, text.replace(/"requestId":"\w+"/, "")];

describe("createCollection, getCollection and getCollectionOwner", () => {
  test("make a public collection that every caller can read", async () => {
    const actor = as.user(owner);
    const reply = await actor.post("/api/collections", { name: "Lamps", description: null });
    expect(reply.body).toEqual({ success: true, message: expect.any(String), collectionId: expect.any(String) });
    const id = reply.body.collectionId;
    expect(await read(as.anyone, id)).toEqual({
      id,
      userId: owner.id,
      name: "Lamps",
      description: null,
      icon: null,
      visibility: "public",
      dateCreated: expect.stringMatching(/Z$/),
      dateUpdated: expect.stringMatching(/Z$/),
      projects: [],
    });
    expect((await as.anyone.get(`/api/collections/${id}/owner`)).body).toEqual({
      id: owner.id,
      userName: owner.userName,
      avatar: expect.stringMatching(/^http/),
    });
  });

  test.each<[string, unknown]>([
    ["no name", {}],
    ["a name of one letter", { name: "x" }],
    ["a name of 33", { name: "x".repeat(33) }],
    ["a name of blanks", { name: "   " }],
    ["a name of two lines", { name: "a\nb" }],
    ["a long description", { name: "Lamps", description: "x".repeat(257) }],
    ["an unknown visibility", { name: "Lamps", visibility: "listed" }],
    ["a text for projects", { name: "Lamps", projects: "all" }],
    ["too many projects", { name: "Lamps", projects: Array.from({ length: 1001 }, () => "x") }],
    ["null", null],
  ])("refuse %s", async (_what, body) => {
    expect(await as.user(await make.user()).post("/api/collections", body)).toFail(400);
  });

  test("stop at the limit, even when many are created in parallel", async () => {
    const user = await make.user();
    const row = { user_id: user.id, name: "Full", description: "", visibility: "public" as const, icon_id: null };
    await db
      .insertInto("collections")
      .values(
        Array.from({ length: maxCollections - 2 }, (_, at) => ({
          ...row,
          id: `${user.id}-${at}`,
          date_created: 0,
          date_updated: 0,
        })),
      )
      .execute();
    const replies = await Promise.all(
      Array.from({ length: 6 }, () => as.user(user).post("/api/collections", { name: "More" })),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(2);
    for (const reply of replies.filter(({ status }) => status !== 200)) expect(reply).toFail(409, "limitReached");
    expect((await as.user(user).get("/api/collections")).body).toHaveLength(maxCollections);
  });
});

describe("the visibility of a collection", () => {
  test("private: only its owner can read it, and no other caller learns that it exists", async () => {
    const id = await makeCollection(as.user(owner), { visibility: "private", projects: [project.id] });
    const noRead = await as.token(owner, { scopes: ["user_read", "project_read"] });
    for (const path of ["", "/projects", "/owner"]) {
      expect(await as.user(owner).get(`/api/collections/${id}${path}`)).toSucceed();
      for (const actor of [as.anyone, stranger, moderator, noRead]) {
        const absent = essence(await actor.get(`/api/collections/AAAAAAAA${path}`));
        expect(absent[0]).toBe(404);
        expect(essence(await actor.get(`/api/collections/${id}${path}`))).toEqual(absent);
      }
    }
    for (const actor of [stranger, moderator])
      for (const [method, path, json] of [
        ["PATCH", "", { name: "Mine now" }],
        ["DELETE", "", undefined],
        ["PATCH", "/projects", { projects: [project.id] }],
        ["DELETE", "/projects", { projects: [project.id] }],
      ] as const) {
        const absent = essence(await actor.call(method, `/api/collections/AAAAAAAA${path}`, { json }));
        expect(essence(await actor.call(method, `/api/collections/${id}${path}`, { json }))).toEqual(absent);
      }
    expect(await read(as.user(owner), id)).toMatchObject({ name: "Lamps", projects: [project.id] });
  });

  test("unlisted: every caller who knows its id can read it; getUserCollections and getOwnCollections show it to the right callers", async () => {
    const user = await make.user();
    const own = as.user(user);
    const made: Record<string, string> = {};
    for (const visibility of ["public", "unlisted", "private"])
      made[visibility] = await makeCollection(own, { visibility });
    expect(await read(as.anyone, made.unlisted!)).toMatchObject({ visibility: "unlisted" });
    const seen = async (actor: Actor, path = `/api/user/${user.userName}/collections`): Promise<string[]> =>
      (await actor.get(path)).body.map((item: { visibility: string }) => item.visibility).sort();
    for (const actor of [as.anyone, stranger]) expect(await seen(actor)).toEqual(["public"]);
    expect(await seen(moderator)).toEqual(["public", "unlisted"]);
    expect(await seen(own)).toEqual(["private", "public", "unlisted"]);
    expect(await seen(own, "/api/collections")).toEqual(["private", "public", "unlisted"]);
    const blind = await as.token(user, { scopes: ["collection_read"] });
    expect(await seen(blind)).toEqual(["public"]);
    expect(await as.anyone.get("/api/user/nobody-at-all/collections")).toFail(404, "userNotFound");
    expect(await as.anyone.get("/api/collections")).toFail(401, "signInNeeded");
  });

  test("newest first", async () => {
    const own = as.user(await make.user());
    const ids: string[] = [];
    for (let at = 0; at < 3; at++) {
      world.clock.advance(1000);
      ids.unshift(await makeCollection(own));
    }
    expect((await own.get("/api/collections")).body.map(({ id }: { id: string }) => id)).toEqual(ids);
  });
});

describe("addCollectionProjects, removeCollectionProjects and getCollectionProjects", () => {
  test("take ids and slugs, skip unknown or invisible projects, and name only projects that the reader can see", async () => {
    const user = await make.user();
    const own = as.user(user);
    const id = await makeCollection(own);
    const popular = await makeProject(world, owner);
    await setProject(world, popular.id, { downloads: 50 });
    const projects = [project.id, popular.slug.toUpperCase(), secret.id, "AAAAAAAA", "../x", project.id];
    const reply = await own.patch(`/api/collections/${id}/projects`, { projects });
    expect(reply.body).toEqual({ success: true, message: "2 projects added" });
    expect((await read(as.anyone, id)).projects).toEqual([popular.id, project.id]);
    expect((await own.patch(`/api/collections/${id}/projects`, { projects })).body.message).toBe("0 projects added");

    const listed = (await as.anyone.get(`/api/collections/${id}/projects`)).body;
    expect(listed).toEqual((await as.anyone.get(`/api/projects?ids=${popular.id},${project.id}`)).body);
    await setProject(world, popular.id, { visibility: "private" });
    expect((await read(as.anyone, id)).projects).toEqual([project.id]);
    expect((await read(own, id)).projects).toEqual([project.id]);
    expect((await read(as.user(owner), id)).projects).toEqual([popular.id, project.id]);
    expect((await read(moderator, id)).projects).toEqual([popular.id, project.id]);
    expect((await as.anyone.get(`/api/collections/${id}/projects`)).body).toHaveLength(1);

    // Users may remove what they added, whether or not they can still see it.
    const removal = { projects: [popular.id, project.slug, "AAAAAAAA"] };
    expect((await own.delete(`/api/collections/${id}/projects`, removal)).body.message).toBe("2 projects removed");
    expect((await read(as.user(owner), id)).projects).toEqual([]);
  });

  test.each<[string, unknown]>([
    ["nothing", {}],
    ["a text", { projects: "x" }],
    ["a list of numbers", { projects: [1] }],
    ["null in a list", { projects: [null] }],
    ["a list of 1001", { projects: Array.from({ length: 1001 }, () => "x") }],
  ])("refuse %s", async (_what, body) => {
    const own = as.user(await make.user());
    for (const id of [await makeCollection(own), "follows"])
      for (const method of ["PATCH", "DELETE"])
        expect(await own.call(method, `/api/collections/${id}/projects`, { json: body })).toFail(400, "invalidRequest");
  });

  test("stop at the limit and then change nothing, even when many add in parallel", async () => {
    const own = as.user(await make.user());
    const ids = await makeManyProjects(world, project.id, maxCollectedProjects + 10);
    const id = await makeCollection(own, { projects: ids.slice(0, maxCollectedProjects - 5) });
    expect((await read(own, id)).projects).toHaveLength(maxCollectedProjects - 5);
    const add = (projects: string[]) => own.patch(`/api/collections/${id}/projects`, { projects });
    expect(await add(ids.slice(-6))).toFail(409, "limitReached");
    expect((await read(own, id)).projects).toHaveLength(maxCollectedProjects - 5);
    const replies = await Promise.all(ids.slice(-10).map((each) => add([each])));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(5);
    expect((await read(own, id)).projects).toHaveLength(maxCollectedProjects);
    expect(await add(ids.slice(0, 100))).toSucceed();
  });
});

describe("editCollection and deleteCollection", () => {
  test("are for the owner and for moderators, whose edits are in the audit log", async () => {
    const id = await makeCollection(as.user(owner), { description: "Old" });
    for (const reply of [
      await stranger.patch(`/api/collections/${id}`, { name: "Mine" }),
      await stranger.delete(`/api/collections/${id}`),
      await stranger.patch(`/api/collections/${id}/projects`, { projects: [project.id] }),
      await stranger.form("PATCH", `/api/collections/${id}`, { icon: await drawPicture() }),
    ])
      expect(reply).toFail(403, "ownerOnly");
    expect(await as.user(owner).patch(`/api/collections/${id}`, { name: "Light" })).toSucceed();
    expect(await moderator.patch(`/api/collections/${id}`, { description: null, visibility: "unlisted" })).toSucceed();
    expect(await read(as.anyone, id)).toMatchObject({ name: "Light", description: null, visibility: "unlisted" });
    const acts = await db.selectFrom("audit_log").select("action").where("object_id", "=", id).execute();
    expect(acts).toEqual([{ action: "collection.edit" }]);
    expect(await as.user(owner).delete(`/api/collections/${id}`)).toSucceed();
    expect(await as.user(owner).get(`/api/collections/${id}`)).toFail(404, "collectionNotFound");
    expect(await as.user(owner).delete(`/api/collections/${id}`)).toFail(404, "collectionNotFound");
    expect(await as.anyone.get(`/api/project/${project.id}`)).toSucceed();
  });

  test("take a form with an icon as well as JSON; getCollectionIcon shows it to callers who can see the collection", async () => {
    const own = as.user(owner);
    const id = await makeCollection(own);
    const sent = { name: "Pictured", visibility: "private", icon: await drawPicture() };
    expect(await own.form("PATCH", `/api/collections/${id}`, sent)).toSucceed();
    const { icon, name, visibility } = await read(own, id);
    expect([name, visibility]).toEqual(["Pictured", "private"]);
    const path = new URL(icon).pathname;
    expect(path).toMatch(new RegExp(`^/cdn/data/collection/${id}/\\w+_128\\.webp$`));
    const shown = await own.get(path);
    expect([shown.status, shown.headers.get("cache-control")]).toEqual([200, "private, no-store"]);
    const absent = essence(await as.anyone.get("/cdn/data/collection/AAAAAAAA/x_128.webp"));
    expect(absent[0]).toBe(404);
    for (const actor of [as.anyone, stranger, moderator]) expect(essence(await actor.get(path))).toEqual(absent);
    expect(await own.patch(`/api/collections/${id}`, { visibility: "public", icon })).toSucceed();
    expect((await as.anyone.get(path)).headers.get("cache-control")).toContain("immutable");
    expect((await as.anyone.get(`/cdn/data/collection/${id}/default.png`)).status).toBe(200);
    expect(await own.patch(`/api/collections/${id}`, { icon: "" })).toSucceed();
    expect((await read(own, id)).icon).toBeNull();
    expect((await as.anyone.get(path)).status).toBe(404);
  });

  test("refuse a file that is not a picture, and one that is too large, and keep the old one", async () => {
    const own = as.user(owner);
    const id = await makeCollection(own);
    expect(await own.form("PATCH", `/api/collections/${id}`, { icon: await drawPicture() })).toSucceed();
    const { icon } = await read(own, id);
    const send = (bytes: Uint8Array<ArrayBuffer>) =>
      own.form("PATCH", `/api/collections/${id}`, { name: "Other", icon: new Blob([bytes]) });
    expect(await send(new Uint8Array(100))).toFail(400, "imageUnusable");
    expect(await send(new Uint8Array(600 * 1024))).toFail(413, "fileTooLarge");
    expect(await read(own, id)).toMatchObject({ icon, name: "Lamps" });
    expect(await own.delete(`/api/collections/${id}`)).toSucceed();
    const left = await db.selectFrom("images").select("id").where("owner_id", "=", id).execute();
    expect(left).toEqual([]);
  });

  test("go with the account, pictures and all", async () => {
    const user: TestUser = await make.user({ password: "collect-1234" });
    const id = await makeCollection(as.user(user), { projects: [project.id] });
    await as.user(user).form("PATCH", `/api/collections/${id}`, { icon: await drawPicture() });
    expect(await as.user(user).delete("/api/user", { password: "collect-1234" })).toSucceed();
    expect(await as.anyone.get(`/api/collections/${id}`)).toFail(404, "collectionNotFound");
    expect(await db.selectFrom("images").select("id").where("owner_id", "=", id).execute()).toEqual([]);
  });
});

describe("the collection of followed projects", () => {
  test("is private and contains the followed projects; adding follows, removing unfollows", async () => {
    const user = await make.user();
    const own = as.user(user);
    const followers = async () => (await as.anyone.get(`/api/project/${project.id}`)).body.project.followers;
    const before = await followers();
    expect(await read(own, "follows")).toMatchObject({ id: "follows", userId: user.id, projects: [] });
    const projects = [project.slug, secret.id, "AAAAAAAA"];
    expect((await own.patch("/api/collections/follows/projects", { projects })).body.message).toBe("1 project added");
    expect(await followers()).toBe(before + 1);
    expect(await read(own, "follows")).toMatchObject({ visibility: "private", projects: [project.id] });
    const [item] = (await own.get("/api/collections/follows/projects")).body;
    expect(item).toMatchObject({ id: project.id, followers: before + 1 });
    expect((await own.get("/api/collections/follows/owner")).body.id).toBe(user.id);
    expect((await own.get(`/api/project/${project.id}/follow`)).body.following).toBe(true);
    expect((await own.get("/api/collections")).body).toEqual([]);
    expect(await own.delete("/api/collections/follows/projects", { projects })).toSucceed();
    expect([await followers(), (await read(own, "follows")).projects]).toEqual([before, []]);
  });

  test("is invisible to other users, cannot be edited, and needs the scopes of following", async () => {
    const user = await make.user();
    expect(await as.anyone.get("/api/collections/follows")).toFail(404, "collectionNotFound");
    expect(await as.user(user).patch("/api/collections/follows", { name: "Mine" })).toFail(409, "wrongState");
    expect(await as.user(user).delete("/api/collections/follows")).toFail(409, "wrongState");
    const token = await as.token(user, { scopes: ["collection_read", "collection_write"] });
    for (const path of ["", "/projects", "/owner"])
      expect(await token.get(`/api/collections/follows${path}`)).toFail(404, "collectionNotFound");
    for (const method of ["PATCH", "DELETE"])
      expect(
        await token.call(method, "/api/collections/follows/projects", { json: { projects: [project.id] } }),
      ).toFail(403, "scopeMissing");
    const whole = await as.token(user, { scopes: ["collection_read", "collection_write", "user_read", "user_write"] });
    expect(await whole.patch("/api/collections/follows/projects", { projects: [project.id] })).toSucceed();
    expect((await read(whole, "follows")).projects).toEqual([project.id]);
  });
});
