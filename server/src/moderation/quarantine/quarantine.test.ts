// Quarantine: who can use it, which data it leaves unchanged, and that it cannot be bypassed. Its effect on every route
// of every server is shown in test/api/quarantine.test.ts.
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { removeAccount } from "#accounts/users/write.js";
import { counterOf } from "#content/downloads/counters.js";
import { repair, verify } from "#operations/verification/verify.js";
import { write } from "#platform/changes/write.js";
import type { Actor } from "#test/callers/actors.js";
import { jar, jarFile, publishTo, toForm } from "#test/callers/uploads.js";
import { testApp } from "#test/server/harness.js";
import { addMember, makeProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";

const world = await testApp();
const second = await testApp({ sharedWith: world });
const { as, make, clock, resources } = world;
const { db } = resources;
const author = await make.user();
const moderator = await make.user({ role: "moderator" });
const desk = as.user(moderator);
const path = "/api/moderation/quarantine";

const hold = (body: object, actor: Actor = desk) => actor.post(path, { reason: "Reads saved passwords", ...body });
const lift = (id: string, actor: Actor = desk) => actor.delete(`${path}/${id}`);
const isShown = async (versionId: string) => (await as.anyone.get(`/api/version/${versionId}`)).status === 200;

async function makeHeld(bytes = jar()) {
  const project = await makeProject(world, author);
  const version = await makeVersion(world, author, project.id, { bytes });
  return { project, version };
}

describe("createQuarantine", () => {
  test.each([
    {},
    { versionId: null, sha512: null },
    { versionId: "AAAAAAAA", sha512: "a".repeat(128) },
    { sha512: "a".repeat(127) },
    { sha512: "g".repeat(128) },
    { sha512: "a".repeat(40) },
    { versionId: "AAAAAAAA", deny: true },
    { versionId: "AAAAAAAA", reason: "" },
    { versionId: "AAAAAAAA", reason: "x".repeat(513) },
    { versionId: "AAAAAAAA", reason: "two\nlines" },
    { versionId: 5 },
  ])("refuses %o", async (body) => {
    expect(await hold(body)).toFail(400, "invalidRequest");
  });

  test("is for moderators, as everything about it", async () => {
    const { version } = await makeHeld();
    const id = (await hold({ versionId: version.id })).body.quarantine.id;
    for (const user of [author, await make.user()]) {
      const actor = as.user(user);
      for (const reply of [
        await hold({ versionId: version.id }, actor),
        await lift(id, actor),
        await actor.get("/api/moderation/quarantines"),
        await actor.get(`${path}/${id}`),
        await actor.get(`/api/moderation/version/${version.id}`),
        await actor.get(`/api/moderation/version/${version.id}/primary-file`),
        await actor.get(`/api/moderation/file/${version.sha1}`),
      ])
        expect(reply).toFail(403, "moderatorOnly");
    }
    expect(await isShown(version.id)).toBe(false);
  });

  test("is refused for missing or already quarantined versions", async () => {
    const { version } = await makeHeld();
    expect(await hold({ versionId: "AAAAAAAA" })).toFail(404, "versionNotFound");
    expect(await hold({ versionId: version.id })).toSucceed();
    expect(await hold({ versionId: version.id })).toFail(409, "wrongState");
    expect(await hold({ sha512: version.sha512 })).toSucceed();
    expect(await hold({ sha512: version.sha512.toUpperCase() })).toFail(409, "wrongState");
  });

  test("happens once when ten are sent in parallel to two servers", async () => {
    const { version } = await makeHeld();
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, at) => hold({ versionId: version.id }, (at % 2 ? as : second.as).user(moderator))),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const reply of replies) if (reply.status !== 200) expect(reply).toFail(409, "wrongState");
  });

  test("for a content applies to every version of every project, under every name", async () => {
    const bytes = jar();
    const [one, other] = [await makeHeld(bytes), await makeHeld()];
    const extra = await makeVersion(world, author, other.project.id, { additional: [{ name: "extra.jar", bytes }] });
    const reply = await hold({ sha512: one.version.sha512 });
    expect(reply.body).toMatchObject({ versions: 2, quarantine: { sha512: one.version.sha512, versionId: null } });
    expect([await isShown(one.version.id), await isShown(extra.id), await isShown(other.version.id)]).toEqual([
      false,
      false,
      true,
    ]);
    const { versions } = (await desk.get(`${path}/${reply.body.quarantine.id}`)).body;
    expect(versions.map(({ id, quarantined }: never) => [id, quarantined]).sort()).toEqual(
      [
        [one.version.id, true],
        [extra.id, true],
      ].sort(),
    );
  });

  test("tells the owner, the author and the project's thread why", async () => {
    const [owner, publisher, former] = [await make.user(), await make.user(), await make.user()];
    const project = await makeProject(world, owner);
    await addMember(world, project.teamId, publisher);
    const bytes = jar();
    const version = await makeVersion(world, publisher, project.id, { bytes });
    await makeVersion(world, former, (await makeProject(world, await make.user())).id, { bytes });
    const { id } = (await hold({ sha512: version.sha512 })).body.quarantine;
    const about = { projectId: project.id, versionId: version.id, versionNumber: version.versionNumber };
    const notices = async (userId: string) =>
      (await db.selectFrom("notifications").selectAll().where("user_id", "=", userId).execute()).map(
        ({ type, body }) => [type, JSON.parse(body)],
      );
    for (const user of [owner, publisher])
      expect(await notices(user.id)).toEqual([["version_quarantined", { ...about, reason: "Reads saved passwords" }]]);
    // A publisher who has left the team since is not notified.
    expect(await notices(former.id)).toEqual([]);
    clock.advance(1000);
    await lift(id);
    expect(await notices(owner.id)).toEqual([["version_released", about]]);
    const { threadId } = (await as.user(owner).get(`/api/project/${project.id}/review`)).body;
    const { messages } = (await as.user(owner).get(`/api/thread/${threadId}`)).body;
    expect(messages).toMatchObject([
      { authorId: "moderator", body: { text: expect.stringMatching(/in quarantine: Reads saved passwords/) } },
      { authorId: "moderator", body: { text: expect.stringMatching(/out of quarantine/) } },
    ]);
  });

  test("shows versions that need the held one as needing any, and the same again afterwards", async () => {
    const { project, version } = await makeHeld();
    const needing = await makeVersion(world, author, (await makeProject(world, author)).id, {
      dependencies: [{ projectId: project.id, versionId: version.id, type: "required" }],
    });
    const dependency = async () => (await as.anyone.get(`/api/version/${needing.id}`)).body.dependencies[0];
    const { id } = (await hold({ versionId: version.id })).body.quarantine;
    expect(await dependency()).toMatchObject({ projectId: project.id, versionId: null });
    await lift(id);
    expect(await dependency()).toMatchObject({ projectId: project.id, versionId: version.id });
  });

  test("outlives the moderator's account", async () => {
    const leaving = await make.user({ role: "moderator" });
    const { version } = await makeHeld();
    const { id } = (await hold({ versionId: version.id }, as.user(leaving))).body.quarantine;
    await write(resources, {}, (tx) => removeAccount(tx, leaving.id, resources.accountRemovals));
    expect((await desk.get(`${path}/${id}`)).body).toMatchObject({ createdBy: null, dateLifted: null });
    expect(await isShown(version.id)).toBe(false);
  });
});

describe("quarantined versions", () => {
  test("cannot be edited, withdrawn, deleted or needed by anybody, and its number stays taken", async () => {
    const { project, version } = await makeHeld();
    await hold({ versionId: version.id });
    const me = as.user(author);
    const own = `/api/project/${project.id}/version`;
    const report = { reportType: "other", itemType: "version", itemId: version.id, body: "What became of it?" };
    for (const reply of [
      await me.patch(`${own}/${version.id}`, { title: "Harmless" }),
      await me.post(`${own}/${version.id}/yank`, { reason: "x" }),
      await me.delete(`${own}/${version.id}`),
      await me.post("/api/report", report),
    ])
      expect(reply).toFail(404, "versionNotFound");
    const dependencies = [{ projectId: project.id, versionId: version.id, dependencyType: "required" }];
    const elsewhere = await makeProject(world, author);
    expect(await publishTo(me, elsewhere.id, { dependencies })).toFail(400, "invalidRequest");
    // Neither other bytes nor the same ones can reuse the version number.
    for (const bytes of [jar(), version.bytes])
      expect(
        await publishTo(me, project.id, { versionNumber: version.versionNumber, primaryFile: jarFile("a.jar", bytes) }),
      ).toFail(409, "versionNumberTaken");
    expect(await isShown(version.id)).toBe(false);
  });

  test("cannot be published again by content: as a new version, under another name, or together with other files", async () => {
    const { project, version } = await makeHeld();
    const me = as.user(author);
    const fresh = await makeVersion(world, author, project.id);
    await hold({ sha512: version.sha512 });
    const held = jarFile("harmless.jar", version.bytes);
    expect(await publishTo(me, project.id, { primaryFile: held })).toFail(422, "contentDenied");
    expect(await publishTo(me, project.id, { additionalFiles: [held] })).toFail(422, "contentDenied");
    const edit = () =>
      me.call("PATCH", `/api/project/${project.id}/version/${fresh.id}`, { body: toForm({ additionalFiles: [held] }) });
    expect(await edit()).toFail(422, "contentDenied");
    expect(await isShown(fresh.id)).toBe(true);
    const { body } = await desk.get(`/api/moderation/file/${version.sha512}`);
    await lift(body.quarantine.id);
    expect(await edit()).toSucceed();
  });

  test("is no version to be submitted with", async () => {
    const project = await makeProject(world, author, { status: "draft", description: "Words" });
    const version = await makeVersion(world, author, project.id);
    await hold({ versionId: version.id });
    const reply = await as.user(author).post(`/api/project/${project.id}/submit-for-review`);
    expect(reply).toFail(409, "wrongState");
    expect(reply.body.message).toContain("a version");
  });

  test("goes with its project, if that is deleted", async () => {
    const { project, version } = await makeHeld();
    const { id } = (await hold({ versionId: version.id })).body.quarantine;
    expect(await as.user(author).delete(`/api/project/${project.id}`)).toSucceed();
    expect(await desk.get(`${path}/${id}`)).toFail(404, "quarantineNotFound");
  });

  test("never comes out by publishing while it is put in, on two servers", { timeout: 60_000 }, async () => {
    const project = await makeProject(world, author);
    for (let round = 0; round < 8; round++) {
      const bytes = jar();
      const sha512 = createHash("sha512").update(bytes).digest("hex");
      const publish = () => publishTo(second.as.user(author), project.id, { primaryFile: jarFile("a.jar", bytes) });
      const [published, held] = await Promise.all([publish(), hold({ sha512 })]);
      expect(held).toSucceed();
      const wasPublished = published.status === 200;
      if (!wasPublished && published.status !== 404) expect(published).toFail(422, "contentDenied");
      const { versions } = (await desk.get(`/api/moderation/file/${sha512}`)).body;
      for (const version of versions) expect(version.quarantined).toBe(true);
    }
  });
});

describe("liftQuarantine", () => {
  test("restores versions without another quarantine (getQuarantine shows them)", async () => {
    const { version } = await makeHeld();
    const byId = (await hold({ versionId: version.id })).body.quarantine.id;
    const byHash = await hold({ sha512: version.sha512 });
    expect(byHash.body.versions).toBe(0);
    expect((await lift(byId)).body.versions).toBe(0);
    expect(await isShown(version.id)).toBe(false);
    expect((await lift(byHash.body.quarantine.id)).body.versions).toBe(1);
    expect(await isShown(version.id)).toBe(true);
    expect(await lift(byId)).toFail(409, "wrongState");
    expect(await lift("AAAAAAAA")).toFail(404, "quarantineNotFound");
    expect(await hold({ versionId: version.id })).toSucceed();
  });

  test("getQuarantines lists active quarantines, and lifted ones with the moderator", async () => {
    const { version } = await makeHeld();
    const { id } = (await hold({ versionId: version.id })).body.quarantine;
    const list = async (query: string) => (await desk.get(`/api/moderation/quarantines?${query}`)).body;
    expect((await list(""))[0]).toMatchObject({ id, versionId: version.id, createdBy: { id: moderator.id } });
    await lift(id);
    expect((await list("")).map((one: { id: string }) => one.id)).not.toContain(id);
    const [lifted] = (await list("state=lifted")).filter((one: { id: string }) => one.id === id);
    expect(lifted).toMatchObject({ liftedBy: { userName: moderator.userName }, dateLifted: expect.any(String) });
    expect(await list("state=all&limit=1")).toHaveLength(1);
    expect(await desk.get("/api/moderation/quarantines?state=odd")).toFail(400, "invalidRequest");
  });
});

describe("inspecting quarantined versions", () => {
  test("inspectVersion shows any version, and inspectVersionFile its files, uncounted", async () => {
    const { project, version } = await makeHeld();
    const { id } = (await hold({ versionId: version.id })).body.quarantine;
    const { body } = await desk.get(`/api/moderation/version/${version.id}`);
    expect(body).toMatchObject({
      version: { id: version.id, files: [{ sha512_hash: version.sha512 }] },
      project: { id: project.id, slug: project.slug },
      quarantined: true,
      quarantines: [{ id }],
    });
    const name = body.version.primaryFile.name;
    const file = await desk.get(`/api/moderation/version/${version.id}/${name}`);
    expect(file.bytes.equals(version.bytes)).toBe(true);
    expect(file.headers.get("cache-control")).toBe("private, no-store");
    await counterOf(resources).flush();
    const row = await db.selectFrom("versions").select("downloads").where("id", "=", version.id).executeTakeFirst();
    expect(row?.downloads).toBe(0);
    expect(await desk.get(`/api/moderation/version/${version.id}/other.jar`)).toFail(404, "fileNotFound");
    expect(await desk.get("/api/moderation/version/AAAAAAAA")).toFail(404, "versionNotFound");
  });

  test("inspectContent finds a content by either hash, wherever it is", async () => {
    const bytes = jar();
    const [one, other] = [await makeHeld(bytes), await makeHeld(bytes)];
    for (const hash of [one.version.sha1, one.version.sha512.toUpperCase()]) {
      const { body } = await desk.get(`/api/moderation/file/${hash}`);
      expect(body).toMatchObject({ ...hashes(one.version), size: bytes.length, denied: null, quarantine: null });
      expect(body.versions.map(({ id }: { id: string }) => id).sort()).toEqual(
        [one.version.id, other.version.id].sort(),
      );
    }
    expect((await desk.get(`/api/moderation/file/${"0".repeat(40)}`)).body).toEqual({
      sha1: "0".repeat(40),
      sha512: null,
      size: null,
      denied: null,
      quarantine: null,
      versions: [],
    });
    for (const hash of ["xyz", "a".repeat(41), "a".repeat(129)])
      expect(await desk.get(`/api/moderation/file/${hash}`)).toFail(400, "invalidRequest");
  });
});

const hashes = ({ sha1, sha512 }: { sha1: string; sha512: string }) => ({ sha1, sha512 });

describe("verification", () => {
  const subject = { ...resources, deep: false, safetyMs: 0 };
  const errors = async () => (await verify(subject)).filter(({ level }) => level === "error");
  const marks = async () => (await errors()).filter(({ check }) => check === "quarantine marks");

  test("finds a mark that no quarantine explains, and one that is missing, and mends both", async () => {
    expect(await errors()).toEqual([]);
    const [loose, lost] = [await makeHeld(), await makeHeld()];
    await hold({ sha512: lost.version.sha512 });
    const set = (id: string, date: number | null) =>
      db.updateTable("versions").set({ date_quarantined: date }).where("id", "=", id).execute();
    await set(loose.version.id, 5);
    await set(lost.version.id, null);
    expect((await marks()).map(({ about }) => about).sort()).toEqual(
      [`version ${loose.version.id}`, `version ${lost.version.id}`].sort(),
    );
    await repair(subject, { apply: true });
    expect(await errors()).toEqual([]);
    expect([await isShown(loose.version.id), await isShown(lost.version.id)]).toEqual([true, false]);
  });
});
