// Uploads in parts over HTTP: they continue after an interruption, tolerate repeated and hostile parts, belong to one
// account, and end in a version or are deleted.
import { createHash, randomBytes } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fromJson, toJson } from "#lib/json.js";
import { deleteExpired } from "#operations/background/housekeeping.js";
import type { Actor, Reply } from "#test/callers/actors.js";
import { jar } from "#test/callers/uploads.js";
import { zip } from "#test/files/archives.js";
import { testApp } from "#test/server/harness.js";
import { makeProject } from "#test/worlds/content.js";

const world = await testApp({ settings: { MODSHELF_MAX_PRIMARY_FILE_SIZE: "12 MiB" } });
const { as, make, clock, resources, dataDir } = world;
const { db } = resources;

const mib = 1024 * 1024;
const hour = 60 * 60 * 1000;
const sha512 = (bytes: Buffer) => createHash("sha512").update(bytes).digest("hex");
/** A unique archive that is larger than one part. */
const largeJar = (size = 9 * mib) => zip([{ name: "noise.bin", content: randomBytes(size), isStored: true }]);

async function author() {
  const user = await make.user();
  const project = await makeProject(world, user);
  return { user, actor: as.user(user), project };
}

const begin = (actor: Actor, size: number, name = "lamps.jar") => actor.post("/api/upload", { name, size });

function send(
  actor: Actor,
  id: string,
  offset: number,
  bytes: Buffer,
  more: Record<string, string> = {},
): Promise<Reply> {
  return actor.form("PATCH", `/api/upload/${id}`, {
    offset: String(offset),
    ...more,
    part: new File([new Uint8Array(bytes)], "part"),
  });
}

async function sendAll(actor: Actor, bytes: Buffer, name?: string, partBytes = 4 * mib): Promise<string> {
  const { id } = (await begin(actor, bytes.length, name)).body.upload;
  for (let at = 0; at < bytes.length; at += partBytes) {
    const part = bytes.subarray(at, at + partBytes);
    expect(await send(actor, id, at, part, { sha512: sha512(part) })).toSucceed();
  }
  return id;
}

/** The files that are kept between requests. */
const retained = () => readdirSync(join(dataDir, "files/tmp")).filter((name) => name.endsWith(".part"));

describe("an upload", () => {
  test("beginUpload, sendPart, finishUpload and createVersion publish a version from parts", async () => {
    const { actor, project } = await author();
    const bytes = largeJar();
    const id = await sendAll(actor, bytes);
    const finished = await actor.post(`/api/upload/${id}/finish`);
    expect(finished).toSucceed();
    expect(finished.body.upload).toMatchObject({ isFinished: true, offset: bytes.length, sha512: sha512(bytes) });
    const version = { versionNumber: "1.0", gameVersions: ["0.4.8"], loaders: ["quilt"], primaryUpload: id };
    const reply = await actor.post(`/api/project/${project.slug}/version`, version);
    expect(reply).toSucceed();
    expect(reply.body.data.primaryFile).toMatchObject({ name: "lamps.jar", sha512_hash: sha512(bytes) });
    const path = new URL(reply.body.data.primaryFile.url).pathname;
    expect((await as.anyone.get(path)).bytes.equals(bytes)).toBe(true);
    expect((await actor.get("/api/upload")).body).toEqual([]);
    // The answer was lost, so the client repeats the request.
    const again = await actor.post(`/api/project/${project.slug}/version`, version);
    expect(again.body).toMatchObject({ unchanged: true, data: { id: reply.body.data.id } });
  });

  test("finishUpload returns the metadata of the archive", async () => {
    const { actor } = await author();
    const manifest = {
      schema_version: 1,
      quilt_loader: {
        id: "fancy-lamps",
        version: "2.1.0",
        metadata: { name: "Fancy lamps", description: "Lamps that light themselves" },
        depends: [{ id: "cosmic_reach", versions: ">=0.4.7 <0.4.9" }],
      },
    };
    const bytes = jar({ name: "quilt.mod.json", content: JSON.stringify(manifest) });
    const id = await sendAll(actor, bytes);
    const { upload } = (await actor.post(`/api/upload/${id}/finish`)).body;
    expect(upload.file).toMatchObject({
      problem: null,
      type: "jar",
      id: "fancy-lamps",
      name: "Fancy lamps",
      version: "2.1.0",
      description: "Lamps that light themselves",
      gameVersionRange: ">=0.4.7 <0.4.9",
    });
    expect(upload.file.gameVersions).toEqual(["0.4.8", "0.4.7"]);
  });

  test("finishUpload says why a file cannot be published", async () => {
    const { actor } = await author();
    const id = await sendAll(actor, Buffer.from("this is no archive at all"));
    const { upload } = (await actor.post(`/api/upload/${id}/finish`)).body;
    expect(upload.isFinished).toBe(true);
    expect(upload.file.problem).toMatch(/its type is unknown/);
  });

  test("finishUpload and getUpload say it in the language that is asked for, and in English for others", async () => {
    const { actor } = await author();
    const id = await sendAll(actor, zip([{ name: "../outside", content: "x" }]));
    const problemIn = async (lang: string) => (await actor.get(`/api/upload/${id}?lang=${lang}`)).body.file.problem;
    const { upload } = (await actor.post(`/api/upload/${id}/finish?lang=de-AT`)).body;
    expect(upload.file.problem).toContain('(er enthält „..“): "../outside"');
    expect(await problemIn("zh-Hans")).toContain("（包含“..”）");
    for (const lang of ["en", "zh-TW", "xx", "-"]) expect(await problemIn(lang)).toContain('(it contains ".."): ');
    const page = await actor.get(`/new?upload=${id}`, { headers: { accept: "text/html", "accept-language": "de" } });
    expect(page.text).toContain("er enthält „..“");
    // A row of an earlier release.
    const { facts } = await db.selectFrom("uploads").select("facts").where("id", "=", id).executeTakeFirstOrThrow();
    const old = toJson<unknown>({ ...(fromJson(facts!) as object), problem: "[An old] sentence" });
    await db.updateTable("uploads").set({ facts: old }).where("id", "=", id).execute();
    expect(await problemIn("de")).toBe("[An old] sentence");
  });

  test("getUpload says where to continue", async () => {
    const { actor } = await author();
    const bytes = largeJar();
    const { id } = (await begin(actor, bytes.length)).body.upload;
    await send(actor, id, 0, bytes.subarray(0, 2 * mib));
    expect((await actor.get(`/api/upload/${id}`)).body).toMatchObject({ offset: 2 * mib, isFinished: false });
  });

  test("sendPart accepts the same part twice, even at the same time, and stores it once", async () => {
    const { actor, project } = await author();
    const bytes = largeJar();
    const { id } = (await begin(actor, bytes.length)).body.upload;
    const first = bytes.subarray(0, 2 * mib);
    const replies = await Promise.all([1, 2, 3, 4].map(() => send(actor, id, 0, first)));
    for (const reply of replies) expect(reply.body.upload.offset).toBe(2 * mib);
    expect(await send(actor, id, 0, first)).toSucceed();
    expect((await send(actor, id, 2 * mib, bytes.subarray(2 * mib))).body.upload.offset).toBe(bytes.length);
    const version = { versionNumber: "1.0", gameVersions: ["0.4.8"], primaryUpload: id };
    const reply = await actor.post(`/api/project/${project.slug}/version`, version);
    expect(reply.body.data.primaryFile.sha512_hash).toBe(sha512(bytes));
  });

  test("sendPart refuses parts that do not fit", async () => {
    const { actor } = await author();
    const { id } = (await begin(actor, 4 * mib)).body.upload;
    const part = randomBytes(mib);
    expect(await send(actor, id, mib, part)).toFail(409, "uploadOffsetWrong");
    expect(await send(actor, id, 0, part, { sha512: sha512(randomBytes(8)) })).toFail(400, "checksumWrong");
    expect(await send(actor, id, 0, part.subarray(1))).toFail(400, "invalidRequest");
    expect(await send(actor, id, 0, randomBytes(5 * mib))).toFail(400, "invalidRequest");
    expect(await send(actor, id, 0, randomBytes(9 * mib))).toFail(413, "fileTooLarge");
    expect(await send(actor, id, 0, randomBytes(8 * mib + 1))).toFail(413, "fileTooLarge");
    expect(await send(actor, id, -1, part)).toFail(400, "invalidRequest");
    expect(await actor.form("PATCH", `/api/upload/${id}`, { offset: "0" })).toFail(400, "invalidRequest");
    expect((await actor.get(`/api/upload/${id}`)).body.offset).toBe(0);
    await send(actor, id, 0, part);
    // Overlaps the received bytes and continues after them.
    expect(await send(actor, id, mib / 2, part)).toFail(409, "uploadOffsetWrong");
  });

  test("beginUpload refuses files that could not be published", async () => {
    const { actor } = await author();
    expect(await begin(actor, 13 * mib * 20)).toFail(413, "fileTooLarge");
    expect(await begin(actor, 0)).toFail(400, "invalidRequest");
    expect(await begin(actor, 10, "///")).toFail(400, "fileRefused");
    expect(await actor.post("/api/upload", { name: "a.jar", size: "ten" })).toFail(400, "invalidRequest");
    expect((await begin(actor, 10, "../../etc/pass wd.jar")).body.upload.name).toBe("pass-wd.jar");
  });

  test("beginUpload limits how much an account can store", async () => {
    const { actor } = await author();
    for (let count = 0; count < 20; count++) expect(await begin(actor, 1)).toSucceed();
    expect(await begin(actor, 1)).toFail(409, "limitReached");
    const other = await author();
    // 128 MiB is the largest additional file, and the limit is four times that.
    for (let count = 0; count < 4; count++) expect(await begin(other.actor, 128 * mib)).toSucceed();
    expect(await begin(other.actor, 1)).toFail(409, "limitReached");
  });

  test("belongs to one account: other users do not find it", async () => {
    const { actor, project } = await author();
    const stranger = await author();
    const id = await sendAll(actor, jar());
    const path = `/api/upload/${id}`;
    expect(await stranger.actor.get(path)).toFail(404, "uploadNotFound");
    expect(await send(stranger.actor, id, 0, jar())).toFail(404, "uploadNotFound");
    expect(await stranger.actor.post(`${path}/finish`)).toFail(404, "uploadNotFound");
    expect(await stranger.actor.delete(path)).toFail(404, "uploadNotFound");
    const version = { versionNumber: "1.0", gameVersions: ["0.4.8"], primaryUpload: id };
    expect(await stranger.actor.post(`/api/project/${stranger.project.slug}/version`, version)).toFail(
      404,
      "uploadNotFound",
    );
    expect(await stranger.actor.post(`/api/project/${project.slug}/version`, version)).toFail(403, "permissionMissing");
    expect(await as.anyone.get(path)).toFail(401, "signInNeeded");
  });

  test("createVersion refuses an incomplete upload, which can then be continued", async () => {
    const { actor, project } = await author();
    const bytes = largeJar();
    const { id } = (await begin(actor, bytes.length)).body.upload;
    await send(actor, id, 0, bytes.subarray(0, 4 * mib));
    const version = { versionNumber: "1.0", gameVersions: ["0.4.8"], primaryUpload: id };
    const path = `/api/project/${project.slug}/version`;
    expect(await actor.post(path, version)).toFail(409, "uploadUnfinished");
    await send(actor, id, 4 * mib, bytes.subarray(4 * mib));
    expect(await actor.post(path, { ...version, gameVersions: ["nine"] })).toFail(400, "invalidRequest");
    expect(await actor.post(path, { ...version, primaryUpload: "nothing" })).toFail(404, "uploadNotFound");
    expect(await actor.post(path, version)).toSucceed();
  });

  test("createVersion and updateVersion accept additional uploads, each once and within the limits", async () => {
    const { actor, project } = await author();
    const path = `/api/project/${project.slug}/version`;
    const [first, second, third] = [
      await sendAll(actor, jar()),
      await sendAll(actor, jar(), "b.jar"),
      await sendAll(actor, jar(), "c.jar"),
    ];
    const version = { versionNumber: "1.0", gameVersions: ["0.4.8"], primaryUpload: first };
    expect(await actor.post(path, { ...version, additionalUploads: [first] })).toFail(400, "invalidRequest");
    expect(await actor.post(path, { ...version, additionalUploads: [{}] })).toFail(400, "invalidRequest");
    const reply = await actor.post(path, { ...version, additionalUploads: [second] });
    expect(reply.body.data.files.map(({ name }: { name: string }) => name)).toEqual(["lamps.jar", "b.jar"]);
    const edited = await actor.patch(`${path}/1.0`, { additionalUploads: [third] });
    expect(edited.body.data.files.map(({ name }: { name: string }) => name)).toEqual(["lamps.jar", "b.jar", "c.jar"]);
    const large = await sendAll(actor, largeJar(13 * mib), "large.jar", 8 * mib);
    expect(await actor.post(path, { ...version, versionNumber: "2", primaryUpload: large })).toFail(
      413,
      "fileTooLarge",
    );
  });

  test("two concurrent publications from one upload create one version", async () => {
    const { actor, project } = await author();
    const id = await sendAll(actor, largeJar());
    const version = { versionNumber: "1.0", gameVersions: ["0.4.8"], primaryUpload: id };
    const replies = await Promise.all([1, 2, 3].map(() => actor.post(`/api/project/${project.slug}/version`, version)));
    for (const reply of replies) expect(reply).toSucceed();
    expect(new Set(replies.map(({ body }) => body.data.id)).size).toBe(1);
  });

  test("deleteUpload deletes its bytes", async () => {
    const { actor } = await author();
    const before = retained().length;
    const bytes = largeJar();
    const { id } = (await begin(actor, bytes.length)).body.upload;
    await send(actor, id, 0, bytes.subarray(0, 4 * mib));
    expect(retained()).toHaveLength(before + 1);
    expect(await actor.delete(`/api/upload/${id}`)).toSucceed();
    expect(retained()).toHaveLength(before);
    expect(await actor.get(`/api/upload/${id}`)).toFail(404, "uploadNotFound");
  });

  test("must start again if its bytes are gone from this server", async () => {
    const { actor } = await author();
    const bytes = largeJar();
    const { id } = (await begin(actor, bytes.length)).body.upload;
    const known = new Set(retained());
    await send(actor, id, 0, bytes.subarray(0, 4 * mib));
    for (const name of retained()) if (!known.has(name)) await resources.blobs.removeRetained(name);
    expect(await actor.get(`/api/upload/${id}`)).toFail(404, "uploadNotFound");
    expect(await send(actor, id, 4 * mib, bytes.subarray(4 * mib))).toFail(404, "uploadNotFound");
  });
});

describe("an upload expires", () => {
  test("a day after its last part, and listUploads leaves it out", async () => {
    const { actor } = await author();
    const bytes = largeJar();
    const { id } = (await begin(actor, bytes.length)).body.upload;
    const count = retained().length;
    clock.advance(23 * hour);
    await send(actor, id, 0, bytes.subarray(0, 4 * mib));
    clock.advance(23 * hour);
    await deleteExpired(resources);
    expect((await actor.get("/api/upload")).body.map((one: { id: string }) => one.id)).toEqual([id]);
    clock.advance(2 * hour);
    expect(await actor.get(`/api/upload/${id}`)).toFail(404, "uploadNotFound");
    await deleteExpired(resources);
    expect((await actor.get("/api/upload")).body).toEqual([]);
    expect(retained().length).toBeLessThanOrEqual(count);
  });

  test("after two days even if parts still arrive", async () => {
    // A separate clock, because files have the time of the machine.
    const fresh = await testApp();
    const actor = fresh.as.user(await fresh.make.user());
    const { id } = (await begin(actor, 100 * mib)).body.upload;
    for (let part = 0; part < 3; part++) {
      fresh.clock.advance(15 * hour);
      // The sweep that is due now would otherwise delete the next part as an old file.
      await fresh.app.jobs.settle();
      expect(await send(actor, id, part * mib, randomBytes(mib))).toSucceed();
    }
    fresh.clock.advance(4 * hour);
    expect(await actor.get(`/api/upload/${id}`)).toFail(404, "uploadNotFound");
  });
});
