// Imports between two real servers: what comes, what does not, and what the next run does.
import { expect, test } from "vitest";
import { findAccountByLogin } from "#accounts/users/read.js";
import { applyWebSettings } from "#config/config.js";
import { retryDelayMs } from "#moderation/scans/jobs.js";
import { drawPicture } from "#test/files/pictures.js";
import type { TestApp } from "#test/server/harness.js";
import { startClamd } from "#test/setup/clamd.js";
import { hiddenSlugs, importInto, makeImportWorld, siteOnPort } from "#test/worlds/import-world.js";
import { alone } from "./alone.js";
import { BadAnswer } from "./source.js";

const world = await makeImportWorld();
const { site, ada, bob } = world;
const { url } = site.config.http;

const targetWith = async (...names: string[]) => {
  const target = await siteOnPort();
  const users = new Map<string, Awaited<ReturnType<typeof target.make.user>>>();
  for (const userName of ["keeper", ...names]) users.set(userName, await target.make.user({ userName }));
  return { target, keeper: users.get("keeper")!, users };
};

/** Changes that jobs make of earlier ones, at any time. */
const ofJobs = ["figures", "job", "public", "search"];

/** The ends of the logs that every write appends to. */
const lastWrites = async ({ resources: { db } }: TestApp) => ({
  change: (
    await db
      .selectFrom("changes")
      .select("seq")
      .where("kind", "not in", ofJobs)
      .orderBy("seq", "desc")
      .limit(1)
      .executeTakeFirst()
  )?.seq,
  audit: (await db.selectFrom("audit_log").select("id").orderBy("id", "desc").limit(1).executeTakeFirst())?.id,
  imports: await db.selectFrom("imports").selectAll().orderBy("source_id").orderBy("kind").execute(),
  blobs: (await db.selectFrom("blobs").select("sha512").execute()).length,
});

const { target, keeper } = await targetWith();
const get = async (path: string, from = target) => (await from.as.anyone.get(path)).body;

test("a dry run says what would be created, and writes nothing", async () => {
  const before = await lastWrites(target);
  const report = await importInto(target, keeper, url, { options: { dryRun: true } });
  expect(report).toMatchObject({ dryRun: true, refused: [], unresolvedDependencies: [] });
  expect(report.counts).toMatchObject({
    users: { created: 3 },
    organizations: { created: 1 },
    projects: { created: 6 },
    versions: { created: 9 },
    pictures: { created: 2 },
  });
  expect(report.bytes).toBeGreaterThan(1000);
  expect(await lastWrites(target)).toEqual(before);
});

test("an import brings what is public, with its provenance, and nothing else", async () => {
  const report = await importInto(target, keeper, url);
  expect(report.counts).toMatchObject({ projects: { created: 6, refused: 0 }, versions: { created: 9 } });
  expect(report.refused).toEqual([]);
  for (const slug of hiddenSlugs) {
    const found = target.resources.db.selectFrom("projects").select("id").where("slug", "=", slug);
    expect(await found.executeTakeFirst()).toBeUndefined();
  }
  const { project } = await get("/api/project/fancy-lamps");
  expect(project.importedFrom).toEqual({ url: `${url}/project/fancy-lamps`, date: expect.stringMatching(/Z$/) });
  expect(project.datePublished).toBe((await get("/api/project/fancy-lamps", site)).project.datePublished);
  expect((await target.as.anyone.get("/project/fancy-lamps")).text).toContain("Imported from");
  expect((await get("/api/project/guild-lamps")).project.organisation.slug).toBe("lamp-guild");
  const audit = await target.resources.db
    .selectFrom("audit_log")
    .select(["credential", "detail"])
    .where("action", "=", "project.import")
    .where("object_id", "=", project.id)
    .executeTakeFirstOrThrow();
  expect([audit.credential, JSON.parse(audit.detail)]).toEqual([
    "command line",
    { source: url, sourceId: expect.any(String) },
  ]);
});

test("accounts that it made have no password, no confirmed address and no permissions", async () => {
  const account = await findAccountByLogin(target.resources.db, "bob");
  expect(account).toMatchObject({ password_hash: null, email_held: 0, email_verified: 0, role: "user" });
  expect(account?.email).toMatch(/@imported\.invalid$/);
  const members = await target.resources.db
    .selectFrom("team_members")
    .selectAll()
    .where("user_id", "=", account!.id)
    .where("is_owner", "=", 0)
    .execute();
  expect(members.length).toBe(2);
  expect(members.map(({ permissions, org_permissions }) => permissions + org_permissions)).toEqual(["[][]", "[][]"]);
});

test("only one import runs at a time, but a dry run may run beside it", async () => {
  const before = await lastWrites(target);
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
  const { promise: goOn, resolve: letGoOn } = Promise.withResolvers<void>();
  const first = alone(target.resources, async () => {
    reach();
    await goOn;
  });
  await reached;
  await expect(importInto(target, keeper, url)).rejects.toThrow("Another import is running here.");
  expect((await importInto(target, keeper, url, { options: { dryRun: true } })).counts.versions.unchanged).toBe(9);
  letGoOn();
  await first;
  expect(await lastWrites(target)).toEqual(before);
});

test("a second import changes nothing", async () => {
  const before = await lastWrites(target);
  const { counts, bytes } = await importInto(target, keeper, url);
  for (const kind of Object.values(counts)) expect(kind).toMatchObject({ created: 0, updated: 0, refused: 0 });
  expect(counts.versions.unchanged).toBe(9);
  expect(bytes).toBe(0);
  expect(await lastWrites(target)).toEqual(before);
});

test("later imports bring what has changed at the source, and leave alone what was changed here", async () => {
  const author = site.as.user(ada);
  const localId = (await get("/api/project/core-lib")).project.id;
  await target.resources.db.updateTable("projects").set({ summary: "Ours" }).where("slug", "=", "night-sky").execute();
  await site.as.user(bob).patch("/api/project/night-sky", { summary: "Theirs" });
  await author.patch("/api/project/core-lib", { name: "Core library" });
  await author.patch("/api/project/fancy-lamps/version/2.0.0", { title: "Three lamps" });
  await world.publish("core-lib", ada, { versionNumber: "1.2.0" });
  const [first, second] = (await get("/api/project/fancy-lamps", site)).project.gallery;
  const move = (id: string, orderIndex: number) =>
    author.patch(`/api/project/fancy-lamps/gallery/${id}`, { orderIndex, featured: false });
  for (const [id, index] of [
    [first.id, 9],
    [second.id, 10],
  ] as const)
    expect(await move(id, index)).toSucceed();
  const icon = await drawPicture({ color: "#ffff00" });
  expect(await author.form("PATCH", "/api/project/core-lib/icon", { icon })).toSucceed();

  const report = await importInto(target, keeper, url);
  expect(report.counts).toMatchObject({
    projects: { updated: 1, changedHere: 1, unchanged: 4 },
    versions: { created: 1, updated: 1, unchanged: 8 },
    pictures: { updated: 2 },
  });
  expect(report.changedHere).toEqual(["project night-sky"]);
  const { project } = await get("/api/project/core-lib");
  expect(project).toMatchObject({ id: localId, name: "Core library", icon: expect.stringContaining(".webp") });
  expect(project.dateUpdated).toBe((await get("/api/project/core-lib", site)).project.dateUpdated);
  const there = (await get("/api/project/fancy-lamps", site)).project.gallery;
  const titles = (gallery: { name: string; featured: boolean }[]) =>
    gallery.map(({ name, featured }) => [name, featured]);
  expect(titles((await get("/api/project/fancy-lamps")).project.gallery)).toEqual(titles(there));
  expect((await get("/api/project/fancy-lamps/version/2.0.0")).data.title).toBe("Three lamps");

  const again = await importInto(target, keeper, url, { options: { overwrite: true } });
  expect(again.counts.projects).toMatchObject({ updated: 1, changedHere: 0 });
  expect((await get("/api/project/night-sky")).project.summary).toBe("Theirs");
});

test("a project or version that was deleted here is not created again", async () => {
  const staff = await target.make.user({ role: "admin" });
  await target.make.confirmed(staff);
  expect(await target.as.user(staff).delete("/api/project/candle")).toSucceed();
  const report = await importInto(target, keeper, url);
  expect(report.counts.projects).toMatchObject({ created: 0, deletedHere: 1 });
  expect(await target.as.anyone.get("/api/project/candle")).toFail(404);
});

test("one project: members and dependencies that are not here are reported, and come later", async () => {
  const { target: other, keeper: owner, users } = await targetWith("bob");
  const options = { selection: { by: "projects", refs: ["fancy-lamps"] }, createUsers: false } as const;
  const report = await importInto(other, owner, url, { options });
  expect(report.unmappedMembers).toEqual(["project fancy-lamps: ada (Owner)", "project fancy-lamps: bob (Member)"]);
  expect(report.unresolvedDependencies.length).toBe(2);
  expect((await get("/api/project/fancy-lamps", other)).project.members).toMatchObject([{ userName: "keeper" }]);
  expect((await get("/api/project/fancy-lamps/version/2.0.0", other)).data.author.userName).toBe("keeper");

  // A name alone is never enough, but the operator's word is.
  const made = await importInto(other, owner, url, { options: { ...options, createUsers: true } });
  expect(made.unmappedMembers.join()).toContain("--map-user bob=bob");
  const mapped = new Map([["bob", users.get("bob")!]]);
  const library = { selection: { by: "projects", refs: ["core-lib", "fancy-lamps"] }, mapped } as const;
  const more = await importInto(other, owner, url, { options: library });
  expect(more.counts).toMatchObject({ projects: { created: 1 }, versions: { updated: 1 } });
  const members = (await get("/api/project/fancy-lamps", other)).project.members;
  expect(members.map(({ userName }: { userName: string }) => userName)).toEqual(["keeper", "ada", "bob"]);
  expect((await get("/api/project/fancy-lamps/dependencies", other)).projects).toMatchObject([{ slug: "core-lib" }]);
});

test("the projects of a user belong to the owner here, and go through review if the operator wants it", async () => {
  const { target: other, keeper: owner } = await targetWith();
  const options = { selection: { by: "user", name: "cleo" }, review: true, createUsers: false } as const;
  const mapped = new Map([["cleo", owner]]);
  const report = await importInto(other, owner, url, { options: { ...options, mapped } });
  expect(report).toMatchObject({ refused: [], unmappedMembers: [] });
  const ofOrg = { selection: { by: "organization", name: "lamp-guild" }, createUsers: false, mapped } as const;
  const more = await importInto(other, owner, url, { options: ofOrg });
  expect(more.unmappedMembers).toEqual(["organization lamp-guild: bob (Member)"]);
  const rows = await other.resources.db.selectFrom("projects").select(["slug", "status"]).orderBy("slug").execute();
  expect(rows).toEqual([
    { slug: "candle", status: "processing" },
    { slug: "guild-lamps", status: "approved" },
  ]);
  expect(await get("/api/organization/lamp-guild", other)).toMatchObject({ members: [{ userName: "keeper" }] });
});

test("a slug that is taken here, and a project that is not public there, are refused; the rest comes", async () => {
  const { target: other, keeper: owner } = await targetWith();
  await other.as.user(owner).post("/api/project", { name: "Mine", slug: "core-lib", type: ["mod"], summary: "Mine" });
  const refs = ["core-lib", "secret-draft", "withheld-mod", "unknown-mod", "candle"];
  const report = await importInto(other, owner, url, { options: { selection: { by: "projects", refs } } });
  expect(report.refused.map(({ what }) => what).sort()).toEqual(
    ["core-lib", "secret-draft", "unknown-mod", "withheld-mod"].map((slug) => `project ${slug}`),
  );
  expect(report.counts.projects).toMatchObject({ created: 1, refused: 4 });
  await expect(
    importInto(other, owner, url, { kind: "modrinth", options: { selection: { by: "organization", name: "x" } } }),
  ).rejects.toThrow(BadAnswer);
});

test("versions that wait for the malware scan are there once, and the project is published after it", async () => {
  const { target: other, keeper: owner } = await targetWith();
  const clamd = await startClamd();
  const set = (place: string) => applyWebSettings(other.config, new Map([["MODSHELF_SCANNER", place]]));
  const options = { selection: { by: "projects", refs: ["candle"] } } as const;
  set("127.0.0.1:1");
  for (const created of [1, 0]) {
    const report = await importInto(other, owner, url, { options });
    expect(report.counts.versions).toMatchObject({ created, refused: 0 });
    expect(report.refused).toEqual([{ what: "publication of candle", reason: expect.stringContaining("version") }]);
    expect(await other.as.anyone.get("/api/project/candle")).toFail(404);
  }
  set(clamd.place);
  other.clock.advance(2 * retryDelayMs(9));
  await other.app.jobs.settle();
  expect((await importInto(other, owner, url, { options })).refused).toEqual([]);
  expect((await get("/api/project/candle/version", other)).data).toMatchObject([{ versionNumber: "0.1" }]);
  await clamd.stop();
});
