// Packs: what they contain becomes dependencies and a list, without revealing what the reader may not see.
import { describe, expect, test } from "vitest";
import { jar, publishTo, type UploadFile } from "#test/callers/uploads.js";
import { indexFile, metafile, mrpack, packwiz } from "#test/files/packs.js";
import { siteUrl, testApp } from "#test/server/harness.js";
import { listStatements } from "#test/server/statement-count.js";
import { makeProject, setProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";

const world = await testApp();
const { as, make, clock, resources } = world;
const [author, other] = [await make.user(), await make.user()];
const me = as.user(author);

const makePack = (parts = {}) => makeProject(world, author, { types: ["modpack"], ...parts });
const mrpackFile = (bytes: Buffer): UploadFile => ({ name: "pack.mrpack", bytes });
const fileOf = (path: string, { bytes }: { bytes: Buffer }, more = {}) => indexFile(path, bytes, more);
const contents = (ref: string, actor = as.anyone, query = "") =>
  actor.get(`/api/project/${ref}/version/latest/contents${query}`);

/** Two versions of a project, one hour apart. */
async function makeMod(parts = {}) {
  const project = await makeProject(world, other, parts);
  const first = await makeVersion(world, other, project.id, { versionNumber: "1.0.0" });
  clock.advance(3_600_000);
  const second = await makeVersion(world, other, project.id, { versionNumber: "1.1.0" });
  return { project, first, second };
}

describe("getPackContents", () => {
  test("lists each file with its project, version and update, and stores known projects as embedded", async () => {
    const [lamps, library, secret] = [await makeMod(), await makeMod(), await makeMod({ visibility: "private" })];
    const pack = await makePack();
    const bytes = mrpack(
      [
        fileOf("mods/lamps.jar", lamps.first, { env: { client: "required", server: "unsupported" } }),
        fileOf("mods/library.jar", library.second),
        fileOf("mods/secret.jar", secret.first),
        indexFile("mods/unknown.jar", "unknown", { downloads: [`${siteUrl}/cdn/unknown.jar`] }),
      ],
      [{ name: "overrides/config/a.json", content: "{}" }],
    );
    const byHand = { projectId: library.project.id, versionId: null, dependencyType: "required" };
    const reply = await publishTo(me, pack.id, { primaryFile: mrpackFile(bytes), dependencies: [byHand] });
    expect(reply).toSucceed();
    expect(reply.body.data.primaryFile).toMatchObject({ type: "mrpack", name: "pack.mrpack" });
    const embedded = { projectId: lamps.project.id, versionId: lamps.first.id, dependencyType: "embedded" };
    expect(reply.body.data.dependencies).toHaveLength(2);
    expect(reply.body.data.dependencies).toEqual(expect.arrayContaining([byHand, embedded]));
    const { body, headers } = await contents(pack.slug);
    const none = { project: null, version: null, update: null };
    const versionOf = ({ id, versionNumber }: typeof lamps.first) => ({ id, versionNumber, slug: versionNumber });
    expect(body).toMatchObject({ format: "modrinth", gameVersion: "1.20.1", loaders: ["quilt"], total: 4, page: 1 });
    expect(body.ownFiles).toEqual({ files: 1, bytes: 2, folders: [{ name: "config", files: 1 }] });
    expect(body.files).toMatchObject([
      {
        ...{ path: "mods/lamps.jar", size: 64, client: "required", server: "unsupported", host: "cdn.modrinth.com" },
        ...{ sha1: lamps.first.sha1, sha512: lamps.first.sha512, isInside: false },
        project: { id: lamps.project.id, slug: lamps.project.slug, icon: null },
        ...{ version: versionOf(lamps.first), update: versionOf(lamps.second) },
      },
      {
        path: "mods/library.jar",
        project: { id: library.project.id },
        version: versionOf(library.second),
        update: null,
      },
      { path: "mods/secret.jar", ...none },
      { path: "mods/unknown.jar", ...none, host: new URL(siteUrl).host },
    ]);
    expect((await contents(pack.slug, as.user(other))).body.files[2].project.id).toBe(secret.project.id);
    // Hidden and shown again: the list follows at once.
    await setProject(world, lamps.project.id, { status: "withheld" });
    expect((await contents(pack.slug)).body.files[0]).toMatchObject(none);
    await setProject(world, lamps.project.id, { status: "approved" });
    expect((await contents(pack.slug)).body.files[0].project.id).toBe(lamps.project.id);
    const etag = (await contents(pack.slug)).headers.get("etag")!;
    expect(headers.get("etag")).toBe(etag);
    const again = await as.anyone.call("GET", `/api/project/${pack.slug}/version/latest/contents`, {
      headers: { "if-none-match": etag },
    });
    expect(again.status).toBe(304);
    const page = (await contents(pack.slug, as.anyone, "?limit=1&page=2")).body;
    expect([page.total, page.files.map(({ path }: { path: string }) => path)]).toEqual([4, ["mods/library.jar"]]);
    // The v2 interface shows the same.
    const [version] = (await as.anyone.get(`/v2/project/${pack.slug}/version`)).body;
    expect(version.dependencies).toContainEqual(
      expect.objectContaining({ project_id: lamps.project.id, dependency_type: "embedded" }),
    );
    expect(await contents(lamps.project.slug)).toFail(404, "packNotFound");
    expect(await contents("never-was")).toFail(404, "projectNotFound");
  });

  test("a file that is published later is found, and one that is deleted is not", async () => {
    const pack = await makePack();
    const bytes = Buffer.from("published later");
    await publishTo(me, pack.id, { primaryFile: mrpackFile(mrpack([indexFile("mods/later.jar", bytes)])) });
    expect((await contents(pack.id)).body.files[0].project).toBeNull();
    const later = await makeProject(world, other);
    const version = await makeVersion(world, other, later.id, { bytes });
    expect((await contents(pack.id)).body.files[0]).toMatchObject({
      project: { id: later.id },
      version: { id: version.id },
    });
    expect(await as.user(other).call("DELETE", `/api/project/${later.id}/version/${version.id}`)).toSucceed();
    expect((await contents(pack.id)).body.files[0].project).toBeNull();
  });

  test("a packwiz folder works the same, also by SHA-1 and for archives inside", async () => {
    const [lamps, inside] = [await makeMod(), jar()];
    const bundled = await makeProject(world, other);
    await makeVersion(world, other, bundled.id, { bytes: inside });
    const pack = await makePack();
    const download = `url = "https://github.com/lamps.jar"\nhash-format = "sha1"\nhash = "${lamps.first.sha1}"`;
    const bytes = packwiz(
      [metafile("lamps", "", { download, side: "client" }), { file: "mods/inside.jar", content: inside }],
      { folder: "my-pack/" },
    );
    const reply = await publishTo(me, pack.id, {
      ...{ primaryFile: { name: "pack.zip", bytes }, versionNumber: undefined, title: undefined },
    });
    expect(reply).toSucceed();
    expect(reply.body.data).toMatchObject({ versionNumber: "2.0.0", title: "Wiz pack 2.0.0" });
    const { body } = await contents(pack.id);
    expect(body).toMatchObject({ format: "packwiz", total: 2 });
    expect(body.files).toMatchObject([
      { path: "mods/inside.jar", isInside: true, host: null, project: { id: bundled.id } },
      { path: "mods/lamps.jar", client: "required", server: "unsupported", project: { id: lamps.project.id } },
    ]);
    expect(reply.body.data.dependencies).toHaveLength(2);
  });
});

describe("createVersion with a pack", () => {
  test("refuses broken packs with the reason, and stores nothing", async () => {
    const pack = await makePack();
    const publish = (bytes: Buffer, name = "pack.mrpack") => publishTo(me, pack.id, { primaryFile: { name, bytes } });
    const reply = await publish(mrpack([indexFile("../a.jar", "a")]));
    expect(reply).toFail(400, "packInvalid");
    expect(reply.body.message).toMatch(/^pack\.mrpack is not a valid pack: the path "\.\.\/a\.jar" is not safe/);
    expect(await publish(mrpack([indexFile("a.jar", "a", { downloads: ["https://evil.example/a"] })]))).toFail(
      400,
      "packInvalid",
    );
    expect(await publish(packwiz([metafile("a", "a")], { indexHash: "00" }), "pack.zip")).toFail(400, "packInvalid");
    expect((await me.get(`/api/project/${pack.id}/version`)).body.data).toEqual([]);
    // Only modpacks can be packs.
    const mod = await makeProject(world, author);
    const primaryFile = mrpackFile(mrpack([indexFile("a.jar", "a")]));
    expect(await publishTo(me, mod.id, { primaryFile })).toFail(400, "fileRefused");
  });

  test("refuses a pack that lists denied contents", async () => {
    const [pack, bytes] = [await makePack(), Buffer.from("denied content")];
    const moderator = as.user(await make.user({ role: "moderator" }));
    const file = indexFile("mods/bad.jar", bytes);
    const { sha512 } = file.hashes;
    expect(await moderator.post("/api/moderation/denied-hash", { hash: sha512, reason: "malware" })).toSucceed();
    expect(await publishTo(me, pack.id, { primaryFile: mrpackFile(mrpack([file])) })).toFail(422, "contentDenied");
  });

  test("takes as many statements for 1,000 files as for 600, and edits keep what it contains", async () => {
    const mods: Awaited<ReturnType<typeof makeMod>>[] = [];
    for (let n = 0; n < 3; n++) mods.push(await makeMod());
    const publish = async (count: number) => {
      const pack = await makePack();
      const files = mods.map(({ first }, at) => fileOf(`mods/known-${at}.jar`, first));
      for (let n = files.length; n < count; n++) files.push(indexFile(`mods/${n}.jar`, `content ${n}`));
      const primaryFile = mrpackFile(mrpack(files));
      const statements = await listStatements(resources.db, async () => {
        expect(await publishTo(me, pack.id, { versionNumber: "1.0.0", primaryFile })).toSucceed();
      });
      // The server queries other tables in the background.
      const own = statements
        .map(({ query }) => query)
        .filter(({ sql }) => /pack_files|denied_hashes|insert into .?dependencies/.test(sql));
      return { pack, statements: new Set(own).size };
    };
    await publish(3);
    const [few, many] = [await publish(600), await publish(1000)];
    expect(many.statements).toBe(few.statements);
    expect(few.statements).toBeLessThan(10);

    const path = `/api/project/${many.pack.id}/version/1.0.0`;
    const { id: versionId, dependencies: before } = (await me.get(path)).body.data;
    expect(before).toHaveLength(3);
    // A client that sends everything back changes nothing.
    expect(await me.call("PATCH", path, { json: { dependencies: before } })).toSucceed();
    expect((await me.get(path)).body.data.dependencies).toEqual(before);
    const required = { projectId: mods[0]!.project.id, versionId: null, dependencyType: "required" };
    expect(await me.call("PATCH", path, { json: { dependencies: [required] } })).toSucceed();
    const changed = (await me.get(path)).body.data.dependencies;
    expect(changed).toHaveLength(3);
    expect(changed).toContainEqual(required);
    expect(await me.call("PATCH", path, { json: { dependencies: [] } })).toSucceed();
    const after = (await me.get(path)).body.data.dependencies;
    expect(after).toHaveLength(3);
    expect(after).toEqual(expect.arrayContaining(before));

    expect(await me.call("DELETE", path)).toSucceed();
    const left = resources.db.selectFrom("pack_files").select("path").where("version_id", "=", versionId);
    expect(await left.execute()).toEqual([]);
  });

  test("an upload in parts says what is in the pack, or what is wrong with it", async () => {
    const facts = async (name: string, bytes: Buffer) => {
      const { body } = await me.post("/api/upload", { name, size: bytes.length });
      const form = new FormData();
      form.append("offset", "0");
      form.append("part", new Blob([new Uint8Array(bytes)]), "part");
      await me.call("PATCH", `/api/upload/${body.upload.id}`, { body: form });
      return (await me.post(`/api/upload/${body.upload.id}/finish?lang=de`)).body.upload.file;
    };
    expect(await facts("a.mrpack", mrpack([indexFile("a.jar", "a")]))).toMatchObject({
      ...{ problem: null, type: "mrpack", name: "Test pack", version: "1.2.0", description: "For tests" },
      ...{ loaders: ["quilt"], gameVersionRange: "1.20.1", dependencies: [] },
    });
    const broken = await facts("a.mrpack", mrpack([], [], { formatVersion: 2 }));
    expect(broken.problem).toBe(
      'a.mrpack ist kein gültiges Modpack: formatVersion ist "2". Unterstützt wird nur Version 1 des Formats.',
    );
  });
});
