// New files are scanned before anyone else can download them, on every way to publish; what waits or is found is held.
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { applyWebSettings } from "#config/config.js";
import { verify } from "#operations/verification/verify.js";
import { write } from "#platform/changes/write.js";
import type { Actor } from "#test/callers/actors.js";
import { readPage, submitFiles } from "#test/callers/page-forms.js";
import { jar, jarFile, publishTo, type UploadParts } from "#test/callers/uploads.js";
import { testApp } from "#test/server/harness.js";
import { marker, startClamd } from "#test/setup/clamd.js";
import { makeProject } from "#test/worlds/content.js";
import { retryDelayMs } from "./jobs.js";
import { findScanRun, startScanRun, stopScanRun } from "./rescan.js";

const clamd = await startClamd();
afterAll(() => clamd.stop());
const world = await testApp();
const { as, make, app, resources, clock, config } = world;
const { db } = resources;
const author = await make.user();
const me = as.user(author);
const moderator = await make.user({ role: "moderator" });
const desk = as.user(moderator);

/** As if an administrator had saved them. */
const set = (changes: Record<string, string> = {}) =>
  applyWebSettings(config, new Map(Object.entries({ MODSHELF_SCANNER: clamd.place, ...changes })));
const away = { MODSHELF_SCANNER: "127.0.0.1:1" };

beforeEach(() => {
  set();
  clamd.mood = "well";
  clamd.scanned.length = 0;
});

const infected = (name = "bad.jar") => jarFile(name, jar({ name: `${marker}.txt`, content: "" }));

async function publish(parts: UploadParts = {}, actor: Actor = me) {
  const project = await makeProject(world, author);
  const reply = await publishTo(actor, project.slug, parts);
  const { slug, data } = reply.body;
  const path = `/api/project/${project.slug}/version/${slug}`;
  const download = () => as.anyone.get(new URL(data.files[0].url as string).pathname).then(({ status }) => status);
  return { reply, project, data, path, download, page: `/project/${project.slug}/version/${slug}` };
}
const statusOf = async (path: string, actor: Actor = as.anyone) => (await actor.get(path)).status;
const events = async (projectId: string) =>
  (await db.selectFrom("events").select("type").where("project_id", "=", projectId).execute()).map(({ type }) => type);
const lift = async (name: string) => {
  await make.confirmed(moderator);
  const standing = (await desk.get("/api/moderation/quarantines")).body as { id: string; reason: string }[];
  const { id } = standing.find(({ reason }) => reason.includes(name))!;
  expect(await desk.delete(`/api/moderation/quarantine/${id}`)).toSucceed();
};
/** After the longest delay between two tries. */
const settleLater = async () => {
  clock.advance(2 * retryDelayMs(9));
  await app.jobs.settle();
};
const settle = () => app.jobs.settle();
const isSound = async () => {
  const { changeLog, memory, blobs, random } = resources;
  const found = await verify({ db, clock, random, changeLog, memory, blobs, deep: false, safetyMs: 0 });
  return found.filter(({ level }) => level === "error");
};

test("without a scanner everything is as before, and nothing is recorded", async () => {
  applyWebSettings(config, new Map());
  const { reply, path, download } = await publish({ primaryFile: infected() });
  expect(reply.body.message).toBe("Version published");
  expect([await statusOf(path), await download()]).toEqual([200, 200]);
  expect(await db.selectFrom("file_scans").selectAll().execute()).toEqual([]);
});

describe("with a scanner", () => {
  test("a clean version is public at once; the same content is not scanned twice with the same signatures", async () => {
    const file = jarFile();
    const { reply, path, download, project } = await publish({
      primaryFile: file,
      additionalFiles: [{ ...file, name: "copy.jar" }],
    });
    expect(reply.body).toMatchObject({ success: true, message: "Version published" });
    expect([await statusOf(path), await download()]).toEqual([200, 200]);
    expect(clamd.scanned).toHaveLength(1);
    expect(await events(project.id)).toContain("version.published");
    await publish({ primaryFile: file });
    expect(clamd.scanned).toHaveLength(1);
    clamd.version = "ClamAV 1.4.6/27801/Tue Nov 17 09:00:00 2026";
    await publish({ primaryFile: file });
    expect(clamd.scanned).toHaveLength(2);
  });

  test("an infected version goes into quarantine: author and moderators learn the file and the signature, and a false alarm can be released", async () => {
    const file = infected("virus.jar");
    const { reply, path, download, project, page } = await publish({ primaryFile: jarFile(), additionalFiles: [file] });
    expect(reply).toSucceed();
    expect(reply.body.message).toContain("hidden until the malware scan");
    await settle();
    expect([await statusOf(path), await statusOf(path, me), await download()]).toEqual([404, 404, 404]);
    const reason = "The malware scanner found Test.Malware in virus.jar";
    expect((await readPage(me, page)).text).toContain(reason);
    expect((await readPage(me, `/project/${project.slug}/moderation`)).text).toContain(reason);
    const [standing] = (await desk.get("/api/moderation/quarantines")).body;
    expect(standing).toMatchObject({ reason, createdBy: null });
    for (const user of [author, moderator]) {
      const rows = await db.selectFrom("notifications").select("type").where("user_id", "=", user.id).execute();
      expect(rows.map(({ type }) => type)).toContain("version_quarantined");
    }
    expect(await events(project.id)).not.toContain("version.published");
    // The same content cannot be published elsewhere until a moderator decides.
    expect((await publish({ primaryFile: file })).reply.status).toBe(422);
    expect(await isSound()).toEqual([]);
    expect(await desk.delete(`/api/moderation/quarantine/${standing.id}`)).toSucceed();
    expect([await statusOf(path), await download()]).toEqual([200, 200]);
    expect(await events(project.id)).toContain("version.published");
    // The finding is accepted, but not every finding.
    expect((await publish({ primaryFile: file })).reply.body.message).toBe("Version published");
    expect(await isSound()).toEqual([]);
  });

  test("uploads in parts and the form of the website are scanned too, and lead to the same page", async () => {
    const project = await makeProject(world, author);
    const { name, bytes } = infected("parts.jar");
    const { id } = (await me.post("/api/upload", { name, size: bytes.length })).body.upload;
    const part = new File([new Uint8Array(bytes)], "part");
    expect(await me.form("PATCH", `/api/upload/${id}`, { offset: "0", part })).toSucceed();
    const fields = { versionNumber: "1.0", gameVersions: ["0.4.8"], loaders: ["quilt"] };
    const reply = await me.post(`/api/project/${project.slug}/version`, { ...fields, primaryUpload: id });
    expect(reply.body.message).toContain("hidden until the malware scan");
    const other = infected("form.jar");
    const form = { ...fields, versionNumber: "2.0", title: "Two", releaseChannel: "release" };
    const sent = await submitFiles(me, `/project/${project.slug}/version/new`, form, {
      primaryFile: [new File([new Uint8Array(other.bytes)], other.name)],
    });
    expect(sent.status).toBe(303);
    await settle();
    for (const [number, file] of [
      ["1.0", name],
      ["2.0", other.name],
    ]) {
      expect(await statusOf(`/api/project/${project.slug}/version/${number}`)).toBe(404);
      const page = await readPage(me, `/project/${project.slug}/version/${number}`);
      expect(page.text).toContain(`found Test.Malware in ${file}`);
    }
    const next = await readPage(me, new URL(sent.headers.get("location")!, "http://x").pathname);
    expect(next.status).toBe(200);
  });

  test("a version waits while the scanner cannot be reached, and appears by itself afterwards", async () => {
    set(away);
    const file = jarFile();
    const versionNumber = "2.0";
    const { reply, path, download, project, page, data } = await publish({ primaryFile: file, versionNumber });
    expect(reply.body).toMatchObject({ success: true, slug: "2.0", data: { versionNumber } });
    expect(reply.body.message).toContain("hidden until the malware scan");
    for (const actor of [as.anyone, me]) expect(await statusOf(path, actor)).toBe(404);
    expect(await download()).toBe(404);
    expect((await as.anyone.get(`/api/project/${project.slug}`)).body.project.gameVersions).toEqual([]);
    const { text } = await readPage(me, page);
    expect(text).toContain("is waiting for the malware scan");
    expect(text).not.toContain("quarantine");
    expect((await readPage(as.anyone, page)).status).toBe(404);
    // Sending it again is not an error, and other bytes are.
    const again = await publishTo(me, project.slug, { primaryFile: file, versionNumber });
    expect(again.body).toMatchObject({ unchanged: true, data: { id: data.id } });
    expect((await publishTo(me, project.slug, { versionNumber })).status).toBe(409);
    await settle();
    expect(await statusOf(path)).toBe(404);
    expect(await isSound()).toEqual([]);
    set();
    await settleLater();
    expect([await statusOf(path), await download()]).toEqual([200, 200]);
    expect((await events(project.id)).filter((type) => type === "version.published")).toHaveLength(1);
    expect((await as.anyone.get(`/api/project/${project.slug}`)).body.project.gameVersions).toEqual(["0.4.8"]);
    expect(await isSound()).toEqual([]);
  });

  test("the operator can publish at once and scan later; what is found then goes into quarantine", async () => {
    set({ ...away, MODSHELF_SCANNER_UNAVAILABLE: "publish" });
    const { reply, path } = await publish({ primaryFile: infected("late.jar") });
    expect(reply.body.message).toBe("Version published");
    expect(await statusOf(path)).toBe(200);
    set({ MODSHELF_SCANNER_UNAVAILABLE: "publish" });
    await settleLater();
    expect(await statusOf(path)).toBe(404);
    expect(await isSound()).toEqual([]);
  });

  test("versions that wait are released if the operator decides so, or turns the scanner off", async () => {
    set(away);
    const [first, second] = [await publish(), await publish()];
    set({ ...away, MODSHELF_SCANNER_UNAVAILABLE: "publish" });
    await settleLater();
    expect(await statusOf(first.path)).toBe(200);
    set({ ...away });
    const third = await publish();
    expect(await statusOf(third.path)).toBe(404);
    applyWebSettings(config, new Map());
    await settleLater();
    for (const { path } of [second, third]) expect(await statusOf(path)).toBe(200);
    expect(await db.selectFrom("file_scans").select("state").where("state", "=", "waiting").execute()).toEqual([]);
  });

  test.each(["hold", "publish"] as const)("a file that is too large for the scanner: %s", async (choice) => {
    set({ MODSHELF_SCANNER_UNAVAILABLE: choice });
    clamd.mood = "strict";
    const { path, page } = await publish({
      primaryFile: jarFile("big.jar", jar({ name: "x".repeat(200), content: "y".repeat(5000), isStored: true })),
    });
    await settle();
    expect(await statusOf(path)).toBe(choice === "hold" ? 404 : 200);
    if (choice === "publish") return;
    expect((await readPage(me, page)).text).toContain("big.jar is larger than the malware scanner accepts");
    await lift("big.jar");
    expect(await statusOf(path)).toBe(200);
  });

  test("a scanner that always fails for a file leads to a moderator's decision", async () => {
    clamd.mood = "failing";
    const { path, page } = await publish({ primaryFile: jarFile("odd.jar") });
    for (let tries = 0; tries < 7; tries++) {
      await settleLater();
    }
    await make.confirmed(moderator);
    expect(await statusOf(path)).toBe(404);
    expect((await readPage(me, page)).text).toContain("The malware scanner could not scan odd.jar");
  });

  test("additional files of a public version are refused instead of hiding it", async () => {
    const { path, data } = await publish();
    const add = (file: ReturnType<typeof jarFile>) => {
      const form = new FormData();
      form.append("additionalFiles", new Blob([new Uint8Array(file.bytes)]), file.name);
      return me.call("PATCH", path, { body: form });
    };
    const refused = await add(infected("more.jar"));
    expect(refused).toFail(400, "fileRefused");
    expect(refused.body.message).toContain("the malware scanner found Test.Malware in it");
    const [entry] = await db.selectFrom("audit_log").select("detail").where("action", "=", "scan.refuse").execute();
    expect(entry!.detail).toContain("more.jar");
    set(away);
    expect(await add(jarFile("later.jar"))).toFail(400, "fileRefused");
    set();
    expect(await add(jarFile("fine.jar"))).toSucceed();
    expect((await as.anyone.get(path)).body.data.files).toHaveLength(2);
    expect(data.files).toHaveLength(1);
  });
});

describe("a scan of everything", () => {
  const start = () => write(resources, {}, startScanRun);

  test("finds what was published without a scan, and leaves what a moderator has accepted", async () => {
    applyWebSettings(config, new Map());
    const [bad, fine] = [await publish({ primaryFile: infected("old.jar") }), await publish()];
    set();
    await start();
    await expect(start()).rejects.toThrow();
    await settle();
    expect([await statusOf(bad.path), await statusOf(fine.path)]).toEqual([404, 200]);
    const first = (await findScanRun(db))!;
    expect(first).toMatchObject({ isStopped: false, isUnreachable: false, failed: 0 });
    expect([first.done, first.found > 0, first.dateFinished !== null]).toEqual([first.total, true, true]);
    await lift("old.jar");
    await start();
    await settle();
    expect([await statusOf(bad.path), await statusOf(fine.path)]).toEqual([200, 200]);
    expect(await findScanRun(db)).toMatchObject({ found: 0, done: first.total });
    expect(await isSound()).toEqual([]);
  });

  test("waits for the scanner, continues where it was, and can be stopped", async () => {
    set(away);
    await start();
    await settle();
    expect(await findScanRun(db)).toMatchObject({ isUnreachable: true, dateFinished: null, done: 0 });
    set();
    await settleLater();
    const run = (await findScanRun(db))!;
    expect([run.done, run.isUnreachable, run.dateFinished !== null]).toEqual([run.total, false, true]);
    set(away);
    await start();
    await write(resources, {}, stopScanRun);
    set();
    await settleLater();
    expect(await findScanRun(db)).toMatchObject({ isStopped: true, done: 0 });
    await expect(write(resources, {}, stopScanRun)).rejects.toThrow();
  });
});
