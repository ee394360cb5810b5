// Plans and collections as packs, on a site for Minecraft. The formats themselves are tested in
// content/bundles/packs.pure.test.ts.
import { parse } from "smol-toml";
import { describe, expect, test } from "vitest";
import { counterOf } from "#content/downloads/counters.js";
import { readPreset } from "#content/taxonomy/presets.js";
import { setTaxonomy } from "#content/taxonomy/write.js";
import { write } from "#platform/changes/write.js";
import type { Reply } from "#test/callers/actors.js";
import { judge, readByDirectory } from "#test/files/archive-readers.js";
import { testApp } from "#test/server/harness.js";
import { setProject } from "#test/worlds/content.js";
import { TestMods } from "#test/worlds/test-mods.js";

const world = await testApp();
const { as, make, resources } = world;
await write(resources, { credential: "test" }, (tx) => setTaxonomy(tx, readPreset("minecraft"), "test"));
const author = await make.user();
const mods = new TestMods(world, author);
const place = { gameVersions: ["1.21.1"], loaders: ["fabric"] };
await mods.version("core@1.0", { ...place, fileName: "core.jar" });
await mods.version("lamp@1.0", { ...place, fileName: "lamp.jar", needs: "core" });
await mods.version("moth@1.0", { ...place, fileName: "moth.jar", needs: "!lamp" });
await mods.version("old@1.0", { ...place, fileName: "old.jar", gameVersions: ["1.20.1"] });
await mods.project("paint", { types: ["resourcepack"] });
await mods.version("paint@1.0", { ...place, fileName: "paint.zip", loaders: ["minecraft"] });
await mods.project("warden", { types: ["plugin"] });
await mods.version("warden@1.0", { ...place, fileName: "warden.jar", loaders: ["paper"] });
await setProject(world, mods.id("lamp"), { client_side: "required", server_side: "unsupported" });

const slug = (name: string) => mods.projects.get(name)!.slug;
const wish = { gameVersion: "1.21.1", loader: "fabric", loaderVersion: "0.16.10" };
const exportOf = (names: string[], more: object = {}, actor = as.anyone) =>
  actor.post("/api/export", { projects: names.map((name) => ({ project: mods.id(name) })), ...wish, ...more });
const contentsOf = ({ bytes }: Reply) =>
  Object.fromEntries(
    Object.entries(readByDirectory(bytes)).map(([name, content]) => [name, Buffer.from(content, "hex").toString()]),
  );
const indexOf = async (reply: Reply) => {
  expect(reply).toSucceed();
  expect(await judge(reply.bytes)).toBe("ok");
  const { "modrinth.index.json": index, ...others } = contentsOf(reply);
  expect(others).toEqual({});
  return JSON.parse(index!);
};
const pathsOf = async (reply: Reply) => (await indexOf(reply)).files.map(({ path }: { path: string }) => path);
const place8 = "v=1.21.1&l=fabric";

describe("exportPlan", () => {
  test("answers with a .mrpack of the plan: hashes, sizes, sides and URLs of its files", async () => {
    const reply = await exportOf(["lamp"], { format: "mrpack", name: "Für den Winter!" });
    expect(reply.headers.get("content-type")).toBe("application/x-modrinth-modpack+zip");
    expect(reply.headers.get("content-disposition")).toBe('attachment; filename="fu-r-den-winter.mrpack"');
    expect(Number(reply.headers.get("content-length"))).toBe(reply.bytes.length);
    const index = await indexOf(reply);
    expect(index).toMatchObject({
      ...{ name: "Für den Winter!", versionId: expect.stringMatching(/^[0-9a-f]{12}$/) },
      dependencies: { minecraft: "1.21.1", "fabric-loader": "0.16.10" },
    });
    const { body } = await as.anyone.post("/api/resolve", { projects: [{ project: mods.id("lamp") }], ...wish });
    expect(index.files).toEqual(
      body.files.map(({ file }: { file: Record<string, string> }) => ({
        path: `mods/${file.name}`,
        hashes: { sha1: file.sha1_hash, sha512: file.sha512_hash },
        ...(file.name === "lamp.jar" && { env: { client: "required", server: "unsupported" } }),
        downloads: [file.url],
        fileSize: file.size,
      })),
    );
    expect((await exportOf(["lamp"], { format: "mrpack", name: "Für den Winter!" })).bytes).toEqual(reply.bytes);
  });

  test("answers with a packwiz folder, and with an archive of the files", async () => {
    const reply = await exportOf(["lamp"], { format: "packwiz" });
    expect(await judge(reply.bytes)).toBe("ok");
    const folder = contentsOf(reply);
    const names = ["core", "lamp"].map((name) => `mods/${slug(name)}.pw.toml`);
    expect(Object.keys(folder).sort()).toEqual(["index.toml", ...names, "pack.toml"].sort());
    expect(parse(folder["pack.toml"]!).versions).toEqual({ minecraft: "1.21.1", fabric: "0.16.10" });
    expect(parse(folder[names[1]!]!)).toMatchObject({ name: "lamp", filename: "lamp.jar", side: "client" });
    const archive = contentsOf(await exportOf(["lamp"], { format: "zip" }));
    expect(Object.keys(archive).sort()).toEqual(["core.jar", "lamp.jar", "manifest.json"]);
    expect(JSON.parse(archive["manifest.json"]!)).toMatchObject({ format: 1, gameVersion: "1.21.1", loader: "fabric" });
  });

  test("puts each type into its folder, and needs no version of the loader if no file needs a loader", async () => {
    const body = { projects: [{ project: mods.id("paint") }], gameVersion: "1.21.1", format: "mrpack" };
    const index = await indexOf(await as.anyone.post("/api/export", body));
    expect(index).toMatchObject({
      files: [{ path: "resourcepacks/paint.zip" }],
      dependencies: { minecraft: "1.21.1" },
    });
    expect(Object.keys(index.dependencies)).toEqual(["minecraft"]);
    const server = { ...body, projects: [{ project: mods.id("warden") }], loader: "paper" };
    expect(await pathsOf(await as.anyone.post("/api/export", server))).toEqual(["plugins/warden.jar"]);
  });

  test("takes installed files by their hashes, and leaves nothing out", async () => {
    const { sha512 } = mods.versions.get("core@1.0")!;
    const body = { ...wish, format: "mrpack", installed: [sha512] };
    expect(await pathsOf(await as.anyone.post("/api/export", body))).toEqual(["mods/core.jar"]);
    const unknown = await as.anyone.post("/api/export", { ...body, installed: [sha512, "f".repeat(128)] });
    expect(unknown).toFail(409, "wrongState");
    expect(unknown.body.issues).toEqual([{ path: "installed.1", message: "belongs to no version here" }]);
    const clash = await exportOf(["lamp", "moth"], { format: "mrpack" });
    expect(clash).toFail(409, "wrongState");
    expect(clash.body.issues[0].message).toContain("incompatible");
    const missing = await exportOf(["lamp", "old"], { format: "mrpack" });
    expect(missing.body.issues).toEqual([{ path: "projects", message: `${slug("old")} has no version for 1.21.1` }]);
  });

  test.each([
    ["format", { format: "rar" }],
    ["format", {}],
    ["gameVersion", { format: "mrpack", gameVersion: undefined }],
    ["loader", { format: "packwiz", loader: undefined }],
    ["loaderVersion", { format: "mrpack", loaderVersion: undefined }],
    ["loaderVersion", { format: "packwiz", loaderVersion: 'x"\n' }],
    ["name", { format: "mrpack", name: "" }],
    ["projects", { format: "mrpack", projects: [] }],
  ])("names %s if it is wrong: %o", async (path, more) => {
    const reply = await exportOf(["lamp"], more);
    expect(reply).toFail(400, "invalidRequest");
    expect(reply.body.issues[0].path).toBe(path);
  });

  test("has no pack with files that a launcher could not download", async () => {
    await mods.version("veiled@1.0", { ...place, fileName: "veiled.jar" });
    await setProject(world, mods.id("veiled"), { visibility: "private" });
    expect(await exportOf(["veiled"], { format: "mrpack" })).toFail(404, "projectNotFound");
    expect(await exportOf(["veiled"], { format: "mrpack" }, as.user(author))).toFail(409, "wrongState");
    expect(await exportOf(["veiled"], { format: "zip" }, as.user(author))).toSucceed();
    const { text } = await as.user(author).get(`/project/${slug("veiled")}/download?${place8}`);
    expect(text).toContain("Some of these files are not public");
  });
});

describe("getDownloadArchive", () => {
  const archive = (query: string) => `/project/${slug("lamp")}/download.zip?${place8}&${query}`;

  test("is a pack with the version of the project, if the format says so", async () => {
    const reply = await as.anyone.get(archive("format=mrpack&lv=0.16.10"));
    expect(reply.headers.get("content-disposition")).toBe(`attachment; filename="${slug("lamp")}-1.0.mrpack"`);
    expect(await indexOf(reply)).toMatchObject({
      ...{ name: "lamp", versionId: "1.0", summary: `http://modshelf.test/project/${slug("lamp")}` },
      dependencies: { "fabric-loader": "0.16.10" },
    });
    const etag = reply.headers.get("etag")!;
    const path = archive("format=mrpack&lv=0.16.10");
    expect((await as.anyone.get(path, { headers: { "if-none-match": etag } })).status).toBe(304);
    expect((await as.anyone.get(archive("format=mrpack&lv=0.16.9"))).headers.get("etag")).not.toBe(etag);
    expect((await as.anyone.head(path)).headers.get("content-length")).toBe(String(reply.bytes.length));
    const folder = await as.anyone.get(archive("format=packwiz&lv=0.16.10"));
    expect(folder.headers.get("content-disposition")).toContain(`${slug("lamp")}-1.0-packwiz.zip`);
    expect(Object.keys(contentsOf(folder))).toContain("pack.toml");
    expect(Object.keys(contentsOf(await as.anyone.get(archive("format=other"))))).toContain("manifest.json");
    expect(await as.anyone.get(archive("format=mrpack"))).toFail(400, "invalidRequest");
  });

  test("counts no download if it is a pack", async () => {
    const counted = new TestMods(world, author);
    await counted.version("loved@1.0", place);
    const path = `/project/${counted.projects.get("loved")!.slug}/download.zip?${place8}`;
    const downloads = async () => {
      await counterOf(resources).flush();
      return (await as.anyone.get(`/api/project/${counted.id("loved")}`)).body.project.downloads;
    };
    for (const format of ["mrpack", "packwiz"])
      expect(await as.anyone.get(`${path}&format=${format}&lv=1`)).toSucceed();
    expect(await downloads()).toBe(0);
    expect(await as.anyone.get(path)).toSucceed();
    expect(await downloads()).toBe(1);
  });

  test("is offered on the page, with a field for the version of the loader", async () => {
    const { text } = await as.anyone.get(`/project/${slug("lamp")}/download?${place8}`);
    expect(text).toContain("Fabric version");
    expect(text).toMatch(/<input name="lv" required/);
    for (const format of ["mrpack", "packwiz"]) expect(text).toContain(`name="format" value="${format}"`);
    const paint = await as.anyone.get(`/project/${slug("paint")}/download?v=1.21.1`);
    expect(paint.text).toContain('value="mrpack"');
    expect(paint.text).not.toContain('name="lv"');
  });
});

describe("getCollectionArchive", async () => {
  const collect = async (names: string[], fields: object = {}): Promise<string> => {
    const projects = names.map((name) => mods.id(name));
    return (await as.user(author).post("/api/collections", { name: "Winter", projects, ...fields })).body.collectionId;
  };
  const id = await collect(["lamp", "paint", "old"]);

  test("is a pack of what fits, which names what is left out", async () => {
    const reply = await as.anyone.get(`/collection/${id}/download.zip?${place8}%2Cminecraft&format=mrpack&lv=0.16.10`);
    expect(reply.headers.get("cache-control")).toBe("no-cache");
    const index = await indexOf(reply);
    expect(index.files.map(({ path }: { path: string }) => path).sort()).toEqual([
      "mods/core.jar",
      "mods/lamp.jar",
      "resourcepacks/paint.zip",
    ]);
    expect(index.summary).toBe(`http://modshelf.test/collection/${id} – Not included: old`);
  });

  test("is kept by no proxy if the collection is private", async () => {
    const secret = await collect(["lamp"], { visibility: "private" });
    const path = `/collection/${secret}/download.zip?${place8}&format=packwiz&lv=1`;
    expect((await as.anyone.get(path)).status).toBe(404);
    const own = await as.user(author).get(path);
    expect(own).toSucceed();
    expect(own.headers.get("cache-control")).toBe("private, no-store");
  });

  test("is offered on the page, or the page says what to choose", async () => {
    const page = async (query: string) => (await as.anyone.get(`/collection/${id}/download?${query}`)).text;
    const both = await page(`${place8}%2Cminecraft`);
    expect(both).toContain("Fabric version");
    expect(both).toContain("1 project is not included");
    expect(both).toContain('<input type="hidden" name="l" value="fabric,minecraft"');
    expect(await page("l=fabric")).toContain("Choose a game version above");
    expect(await page("v=1.21.1")).toContain("Choose a loader above");
    expect(await page("v=1.21.1&l=fabric,quilt")).toContain("Choose one of the loaders above");
  });
});
