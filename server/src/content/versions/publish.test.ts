// createVersion: permissions, visibility, and repeated requests.
import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { statuses } from "#content/shapes/project.js";
import { jar, jarFile, publishTo, toForm, uploadForm } from "#test/callers/uploads.js";
import { noise } from "#test/files/archive-bombs.js";
import { zip } from "#test/files/archives.js";
import { siteUrl, testApp } from "#test/server/harness.js";
import { addMember, makeOrg, makeProject, setProject } from "#test/worlds/content.js";

const world = await testApp();
const { as, make, clock, resources, dataDir } = world;
const author = await make.user();
const me = as.user(author);
const list = async (ref: string) => (await me.get(`/api/project/${ref}/version`)).body.data;
const sha = (algorithm: string, bytes: Buffer) => createHash(algorithm).update(bytes).digest("hex");

describe("createVersion", () => {
  test("accepts the form of publish scripts, with a session or a token, and shows the whole version at once", async () => {
    const project = await makeProject(world, author);
    const library = await makeProject(world, author);
    const token = await as.token(author, { scopes: ["version_create"] });
    const file = { ...jarFile("My Mod (1).jar"), type: "application/java-archive" };
    const extra = jarFile("sources.jar");
    const reply = await publishTo(token, project.slug, {
      title: "First release",
      changelog: "Some *news*",
      featured: "true",
      releaseChannel: "beta",
      versionNumber: "1.0.0-Beta+1",
      loaders: ["quilt", "puzzle_loader"],
      gameVersions: ["0.4.8", "0.4.10"],
      dependencies: [{ projectId: library.id, versionId: null, dependencyType: "required" }],
      primaryFile: file,
      additionalFiles: [extra],
    });
    expect(reply).toSucceed();
    const { data, ...rest } = reply.body;
    expect(rest).toEqual({ success: true, message: "Version published", slug: "1.0.0-beta+1" });
    const path = `/cdn/data/project/${project.id}/version/${data.id}`;
    const primaryFile = {
      id: expect.stringMatching(/^\w{8}$/),
      isPrimary: true,
      name: "My-Mod-1.jar",
      size: file.bytes.length,
      type: "jar",
      url: `${siteUrl}${path}/My-Mod-1.jar`,
      sha1_hash: sha("sha1", file.bytes),
      sha512_hash: sha("sha512", file.bytes),
    };
    expect(data).toMatchObject({
      projectId: project.id,
      title: "First release",
      changelog: "Some *news*",
      featured: true,
      releaseChannel: "beta",
      versionNumber: "1.0.0-Beta+1",
      slug: "1.0.0-beta+1",
      loaders: ["quilt", "puzzle_loader"],
      gameVersions: ["0.4.10", "0.4.8"],
      dependencies: [{ projectId: library.id, versionId: null, dependencyType: "required" }],
      author: { id: author.id, role: "Owner" },
      downloads: 0,
      yanked: false,
      primaryFile,
      files: [primaryFile, { name: "sources.jar", isPrimary: false, sha512_hash: sha("sha512", extra.bytes) }],
    });
    expect((await as.anyone.get(`/api/project/${project.id}/version/1.0.0-beta+1`)).body.data).toEqual({
      ...data,
      isDuplicate: false,
    });
    expect((await as.anyone.get(`${path}/My-Mod-1.jar`)).bytes.equals(file.bytes)).toBe(true);
    const hash = sha("sha1", extra.bytes);
    expect((await as.anyone.get(`/api/version-file/${hash}?algorithm=sha1`)).body.id).toBe(data.id);
    const audits = await resources.db.selectFrom("audit_log").selectAll().where("object_id", "=", data.id).execute();
    expect(audits).toMatchObject([{ action: "version.create", actor_id: author.id }]);
  });

  test("needs only a number, game versions and a file; lists and flags may be texts", async () => {
    const project = await makeProject(world, author);
    const least = { versionNumber: "1", gameVersions: ["0.4.8"], primaryFile: jarFile() };
    const reply = await me.call("POST", `/api/project/${project.id}/version`, { body: toForm(least) });
    expect(reply.body.data).toMatchObject({
      title: "Version 1",
      changelog: "",
      featured: false,
      releaseChannel: "release",
      loaders: [],
      dependencies: [],
    });
    const form = uploadForm({ featured: "yes", dependencies: "", title: "Named" });
    form.append("unknown", "ignored");
    form.append("icon", new Blob(["ignored"]), "icon.png");
    const other = await me.call("POST", `/api/project/${project.id}/version`, { body: form });
    expect(other.body.data).toMatchObject({ title: "Named", featured: false, dependencies: [] });
  });

  test("fills missing fields from the archive's manifest if the values are valid", async () => {
    const project = await makeProject(world, author);
    const manifest = { id: "grass", name: "Better Grass", version: "2.5.0", depends: { "cosmic-reach": ">=0.4" } };
    const bytes = jar({ name: "puzzle.mod.json", content: JSON.stringify(manifest) });
    const given = { gameVersions: ["0.4.8"], primaryFile: jarFile("grass.jar", bytes) };
    const { body } = await me.call("POST", `/api/project/${project.id}/version`, { body: toForm(given) });
    expect(body.data).toMatchObject({
      versionNumber: "2.5.0",
      title: "Better Grass 2.5.0",
      loaders: ["puzzle_loader"],
    });
    const own = await publishTo(me, project.id, {
      versionNumber: "9",
      title: "Mine",
      loaders: [],
      primaryFile: given.primaryFile,
    });
    expect(own.body.data).toMatchObject({ versionNumber: "9", title: "Mine", loaders: [] });

    const odd = { ...manifest, name: `${"ä".repeat(60)}🌱🌱🌱`, version: "2.6.0-rc.1" };
    const plugin = await makeProject(world, author, { types: ["plugin"] });
    const longName = jarFile("a.jar", jar({ name: "puzzle.mod.json", content: JSON.stringify(odd) }));
    const filled = toForm({ gameVersions: ["0.4.8"], primaryFile: longName });
    const reply = await me.call("POST", `/api/project/${plugin.id}/version`, { body: filled });
    expect(reply.body.data).toMatchObject({ versionNumber: "2.6.0-rc.1", loaders: [] });
    expect(reply.body.data.title).toBe(`${"ä".repeat(53)} 2.6.0-rc.1`);

    const silent = toForm({ primaryFile: jarFile() });
    const refused = await me.call("POST", `/api/project/${project.id}/version`, { body: silent });
    expect(refused).toFail(400, "invalidRequest");
    expect(refused.body.issues.map(({ path }: { path: string }) => path)).toEqual(["versionNumber", "gameVersions"]);
  });

  test("keeps every byte of a large file, however it is split in transit", async () => {
    const project = await makeProject(world, author);
    const bytes = zip([{ name: "noise", content: noise(5_000_000, project.id), isStored: true }]);
    const form = uploadForm({ primaryFile: jarFile("large.jar", bytes), versionNumber: "1" });
    const sized = await me.call("POST", `/api/project/${project.id}/version`, { body: form });
    // Without a Content-Length, in chunks that do not end at the boundaries of the form.
    const encoded = new Request("http://a", {
      method: "POST",
      body: uploadForm({ primaryFile: jarFile("large.jar", bytes), versionNumber: "2" }),
    });
    const body = Buffer.from(await encoded.arrayBuffer());
    const pieces = Readable.from(
      (function* () {
        for (let at = 0, size = 1; at < body.length; at += size) {
          size = ((size * 7 + 3) % 90_000) + 1;
          yield body.subarray(at, at + size);
        }
      })(),
    );
    const response = await fetch(`${world.origin}/api/project/${project.id}/version`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${(await make.token(author, { scopes: ["version_create"] })).value}`,
        "content-type": encoded.headers.get("content-type")!,
      },
      ...({ body: Readable.toWeb(pieces), duplex: "half" } as object),
    });
    expect([sized.status, response.status]).toEqual([200, 200]);
    for (const number of ["1", "2"]) {
      const stored = await as.anyone.get(`/api/project/${project.id}/version/${number}/primary-file`);
      expect(stored.bytes.equals(bytes)).toBe(true);
    }
    expect((await list(project.id))[0].primaryFile.sha512_hash).toBe(sha("sha512", bytes));
  });

  test("updates the project's lists to the union over its versions, and dateUpdated", async () => {
    const project = await makeProject(world, author);
    const before = (await me.get(`/api/project/${project.id}`)).body.project;
    clock.advance(60_000);
    await publishTo(me, project.id, { loaders: ["quilt"], gameVersions: ["0.4.8"] });
    await publishTo(me, project.id, { loaders: ["puzzle_loader"], gameVersions: ["0.5.0", "0.4.8"] });
    const after = (await me.get(`/api/project/${project.id}`)).body.project;
    expect(after.gameVersions).toEqual(["0.5.0", "0.4.8"]);
    expect(after.loaders.toSorted()).toEqual(["puzzle_loader", "quilt"]);
    expect(Date.parse(after.dateUpdated) - Date.parse(before.dateUpdated)).toBeGreaterThanOrEqual(60_000);
  });

  test.each(statuses)("is allowed in status %s", async (status) => {
    const project = await makeProject(world, author, { status });
    expect(await publishTo(me, project.id)).toSucceed();
  });

  test("is refused in archived projects, even if the project was archived during the upload", async () => {
    const project = await makeProject(world, author, { visibility: "archived" });
    expect(await publishTo(me, project.id)).toFail(409, "projectArchived");
    const other = await makeProject(world, author);
    const { inspect } = resources.archives;
    resources.archives.inspect = async (...args) => {
      await setProject(world, other.id, { visibility: "archived" });
      return inspect(...args);
    };
    const reply = await publishTo(me, other.id);
    resources.archives.inspect = inspect;
    expect(reply).toFail(409, "projectArchived");
    expect(await list(other.id)).toEqual([]);
  });
});

describe("publishing is allowed for", () => {
  test("no one without a credential or the scope, and no outsiders or invitees", async () => {
    const open = await makeProject(world, author);
    const hidden = await makeProject(world, author, { visibility: "private" });
    expect(await publishTo(as.anyone, open.id)).toFail(401, "signInNeeded");
    const reader = await as.token(author, { scopes: ["version_read", "version_write", "project_create"] });
    expect(await publishTo(reader, open.id)).toFail(403, "scopeMissing");
    const stranger = await make.user();
    const invited = await make.user();
    for (const project of [open, hidden]) await addMember(world, project.teamId, invited, { accepted: false });
    for (const user of [stranger, invited]) {
      expect(await publishTo(as.user(user), open.id)).toFail(403, "permissionMissing");
      expect(await publishTo(as.user(user), hidden.id)).toFail(404, "projectNotFound");
    }
    expect(await publishTo(me, "nowhere")).toFail(404, "projectNotFound");
    const moderator = as.user(await make.user({ role: "moderator" }));
    expect(await publishTo(moderator, hidden.id)).toFail(403, "permissionMissing");
    for (const project of [open, hidden]) expect(await list(project.id)).toEqual([]);
  });

  test("members with upload_version, and no members without it", async () => {
    const project = await makeProject(world, author, { visibility: "private" });
    const [uploader, editor] = [await make.user(), await make.user()];
    await addMember(world, project.teamId, uploader, { permissions: ["upload_version"] });
    await addMember(world, project.teamId, editor, { permissions: ["edit_details", "delete_version"] });
    expect(await publishTo(as.user(editor), project.id)).toFail(403, "permissionMissing");
    const reply = await publishTo(as.user(uploader), project.id);
    expect(reply.body.data.author).toMatchObject({ id: uploader.id, role: "Member" });
  });

  test("members of the project's organization, by their default permissions", async () => {
    const owner = await make.user();
    const [uploader, other] = [await make.user(), await make.user()];
    const org = await makeOrg(world, owner);
    await addMember(world, org.teamId, uploader, { permissions: ["upload_version"] });
    await addMember(world, org.teamId, other, { permissions: [] });
    const project = await makeProject(world, owner, { orgId: org.id, status: "draft" });
    expect(await publishTo(as.user(owner), project.id)).toSucceed();
    expect(await publishTo(as.user(uploader), project.id)).toSucceed();
    expect(await publishTo(as.user(other), project.id)).toFail(403, "permissionMissing");
  });
});

describe("a repeated upload", () => {
  test("with the same number and primary file returns the existing version, unchanged", async () => {
    const project = await makeProject(world, author);
    const primaryFile = jarFile();
    const first = await publishTo(me, project.id, { versionNumber: "3.0", primaryFile });
    const again = await publishTo(me, project.id, { versionNumber: "3.0", primaryFile, title: "Other title" });
    expect(again).toSucceed();
    expect(again.body).toEqual({ ...first.body, message: expect.any(String), unchanged: true });
    expect(first.body.unchanged).toBeUndefined();
    expect(first.body.data).not.toHaveProperty("isDuplicate");
    expect(await publishTo(me, project.id, { versionNumber: "3.0" })).toFail(409, "versionNumberTaken");
    expect(await list(project.id)).toEqual([{ ...first.body.data, isDuplicate: false }]);
  });

  test("sent ten times at once creates one version, and every request gets it", async () => {
    const project = await makeProject(world, author);
    const parts = { versionNumber: "1.0", primaryFile: jarFile(), additionalFiles: [jarFile("extra.jar")] };
    const replies = await Promise.all(Array.from({ length: 10 }, () => publishTo(me, project.id, parts)));
    const [version, ...more] = await list(project.id);
    expect(more).toEqual([]);
    expect(replies.map(({ status, body }) => [status, body.data?.id])).toEqual(Array(10).fill([200, version.id]));
    expect(replies.filter(({ body }) => body.unchanged !== true)).toHaveLength(1);
  });

  test("with ten different files for one number: one wins, the others are refused", async () => {
    const project = await makeProject(world, author);
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => publishTo(me, project.id, { versionNumber: "1.0" })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)]);
    expect(await list(project.id)).toHaveLength(1);
  });

  test("with the same bytes for other versions and projects is accepted, and the bytes are stored once", async () => {
    const [a, b] = [await makeProject(world, author), await makeProject(world, await make.user())];
    const primaryFile = jarFile();
    const sha512 = sha("sha512", primaryFile.bytes);
    await publishTo(me, a.id, { primaryFile, additionalFiles: [{ ...primaryFile, name: "copy.jar" }] });
    await publishTo(me, a.id, { primaryFile });
    await addMember(world, b.teamId, author);
    await publishTo(me, b.id, { primaryFile });
    const folder = join(dataDir, "files/blobs", sha512.slice(0, 2), sha512.slice(2, 4));
    expect(readdirSync(folder)).toEqual([sha512]);
    const blobs = await resources.db.selectFrom("blobs").selectAll().execute();
    const mine = blobs.filter((blob) => Buffer.from(blob.sha512).toString("hex") === sha512);
    expect(mine).toMatchObject([{ size: primaryFile.bytes.length, date_orphaned: null }]);
  });

  test("with the same Idempotency-Key gets the same answer; a different form with that key is refused", async () => {
    const project = await makeProject(world, author);
    const [one, other] = [jarFile(), jarFile()];
    const send = (versionNumber: string, primaryFile: typeof one) =>
      me.with({ "idempotency-key": project.id }).call("POST", `/api/project/${project.id}/version`, {
        body: uploadForm({ versionNumber, primaryFile, title: "Same" }),
      });
    const first = await send("1.0", one);
    const again = await send("1.0", one);
    expect([again.text, again.headers.get("idempotent-replayed")]).toEqual([first.text, "true"]);
    expect(await send("1.1", one)).toFail(422, "idempotencyKeyReused");
    expect(await send("1.0", other)).toFail(422, "idempotencyKeyReused");
    expect(await list(project.id)).toHaveLength(1);
    // The probe of the storage has a file there for a moment, every few seconds.
    await expect.poll(() => readdirSync(join(dataDir, "files/tmp"))).toEqual([]);
  });
});
