// Downloading a project with its dependencies: the page and the archive.
import { describe, expect, test } from "vitest";
import { counterOf } from "#content/downloads/counters.js";
import type { Actor, Reply } from "#test/callers/actors.js";
import { readByDirectory } from "#test/files/archive-readers.js";
import { testApp } from "#test/server/harness.js";
import { makeProject, setProject } from "#test/worlds/content.js";
import { TestMods } from "#test/worlds/test-mods.js";
import { makeVersion } from "#test/worlds/versions.js";

const world = await testApp({
  settings: {
    MODSHELF_LAUNCHER_LINKS:
      "Comet [quilt 0.4] <comet://x?v={version}&f={url}&n={name}>, Puzzler [puzzle_loader mod] <puzzler:{project}>, Plugins [plugin] <plug:{project}>",
    MODSHELF_LAUNCHER_COMMAND: "comet get {project}@{version} -l {loader}",
  },
});
const { as, make, resources } = world;
const author = await make.user();
const shelf = new TestMods(world, author);
await shelf.version("core@1.0");
await shelf.version("core@2.0");
await shelf.version("light@1.0", { needs: "core" });
await shelf.version("pinned@1.0", { needs: "core@1.0" });
await shelf.version("friend@1.0");
await shelf.version("foe@1.0");
await shelf.version("lantern@1.0", { needs: "light core ?friend !foe", fileName: "lantern.jar" });
await shelf.version("lantern@2.0-b", { needs: "light", channel: "beta", fileName: "lantern.jar" });
await shelf.version("lantern@3.0", { gameVersions: ["0.5.13"], loaders: ["puzzle_loader"] });

const pathOf = (name: string): string => `/project/${shelf.projects.get(name)!.slug}`;
const page = (
  path: string,
  { actor = as.anyone, setup = "" }: { actor?: Actor; setup?: string } = {},
): Promise<Reply> => actor.get(path, { headers: { accept: "text/html", ...(setup && { cookie: `setup=${setup}` }) } });
const zip = (name: string, query = "?v=0.4.8&l=quilt", actor = as.anyone): Promise<Reply> =>
  actor.get(`${pathOf(name)}/download.zip${query}`);
const big = ({ text }: Reply): string => /data-download[^>]*>(?:<svg.*?<\/svg>)? ?([^<]*)</.exec(text)?.[1] ?? "";
const chosen = ({ text }: Reply): string[] =>
  ["v", "l", "ch"].map((name) => {
    const select = new RegExp(`<select name="${name}".*?</select>`, "s").exec(text)?.[0] ?? "";
    return /value="([^"]*)" selected/.exec(select)?.[1] ?? "";
  });

describe("getDownloadPage", () => {
  test("lists the whole tree, optional files and conflicts", async () => {
    const reply = await page(`${pathOf("lantern")}/download?v=0.4.8&l=quilt`);
    expect(reply).toSucceed();
    expect(big(reply)).toMatch(/^Download all \(3 files, 192\sB\)$/);
    for (const name of ["lantern", "light", "core"]) expect(reply.text).toContain(`href="${pathOf(name)}"`);
    expect(reply.text).toContain(">2.0</a>");
    expect(reply.text).toContain("see above");
    expect(reply.text).toContain(`href="${pathOf("friend")}/download?v=0.4.8&amp;l=quilt&amp;ch=release"`);
    expect(reply.text).toMatch(/Incompatible with.*foe/s);
    expect(reply.text).toContain('content="noindex"');
  });

  test("offers launchers and a command for the version that the button delivers, if they take it", async () => {
    const path = `${pathOf("lantern")}/download`;
    const { slug } = shelf.projects.get("lantern")!;
    const opened = async (to: string, options = {}) =>
      [...(await page(to, options)).text.matchAll(/<a class="button quiet" href="(\w+:[^"]*)" rel="nofollow">/g)].map(
        ([, href]) => href!.replaceAll("&amp;", "&"),
      );
    const [comet, ...others] = await opened(path, { setup: "0.4.8|quilt" });
    expect(others).toEqual([]);
    const given = new URL(comet!).searchParams;
    expect([given.get("v"), given.get("n")]).toEqual(["1.0", "lantern"]);
    expect(given.get("f")).toMatch(/^http.*\/lantern\.jar$/);
    const { text } = await page(path, { setup: "0.4.8|quilt" });
    expect(text).toContain(`<code>comet get ${slug}@1.0 -l quilt</code>`);
    expect(text).toContain("curl -OJ");
    expect(await opened(path)).toEqual([`puzzler:${slug}`]);
    // The page of the project offers the same beside its download button, and a version's page for that version.
    const main = (await page(pathOf("lantern"), { setup: "0.4.8|quilt" })).text;
    expect(main).toContain(`<li><a href="${comet!.replaceAll("&", "&amp;")}" rel="nofollow">Open in Comet`);
    expect(main).toContain(`data-copy="comet get ${slug}@1.0 -l quilt"`);
    expect((await page(pathOf("lantern"))).text).toContain(`<li><a href="puzzler:${slug}" rel="nofollow">`);
    expect(await opened(`${pathOf("lantern")}/version/1.0`, { setup: "0.4.8|quilt" })).toEqual([comet]);
    // Nothing fits; the dependencies are missing; the version is withdrawn; programs cannot read the project.
    expect(await opened(`${path}?v=0.4.9&l=puzzle_loader`)).toEqual([]);
    const [held] = [await makeProject(world, author, { visibility: "private" })];
    const version = await makeVersion(world, author, held.id, { gameVersions: ["0.4.8"], loaders: ["quilt"] });
    const ofAuthor = { actor: as.user(author) };
    expect(await opened(`/project/${held.slug}/download`, ofAuthor)).toEqual([]);
    await setProject(world, held.id, { visibility: "unlisted" });
    expect(await opened(`/project/${held.slug}/download`)).toHaveLength(1);
    await as.user(author).post(`/api/project/${held.id}/version/${version.id}/yank`, { reason: "Broken" });
    expect(await opened(`/project/${held.slug}/download?version=${version.id}`)).toEqual([]);
    expect(await opened(`/project/${held.slug}/version/${version.versionNumber}`)).toEqual([]);
    expect((await page(`/project/${held.slug}`)).text).not.toContain("Other ways to download");
  });

  test("uses the visitor's set-up, and takes missing values from the version that fits best", async () => {
    expect(chosen(await page(`${pathOf("lantern")}/download`))).toEqual(["0.5.13", "puzzle_loader", "release"]);
    expect(chosen(await page(`${pathOf("lantern")}/download`, { setup: "0.4.8|quilt" }))).toEqual([
      "0.4.8",
      "quilt",
      "release",
    ]);
    expect(chosen(await page(`${pathOf("lantern")}/download?l=quilt`))).toEqual(["0.4.8", "quilt", "release"]);
    expect(chosen(await page(`${pathOf("lantern")}/download?v=0.5.13`, { setup: "0.4.8|" }))[0]).toBe("0.5.13");
  });

  test("uses less stable versions only if requested, or if there are no others", async () => {
    const beta = await page(`${pathOf("lantern")}/download?v=0.4.8&l=quilt&ch=beta`);
    expect(beta.text).toContain(">2.0-b</a>");
    await shelf.version("young@0.1", { channel: "alpha" });
    expect(chosen(await page(`${pathOf("young")}/download`))[2]).toBe("alpha");
  });

  test("delivers the version in the URL, and the versions that it pins", async () => {
    const reply = await page(`${pathOf("pinned")}/download?version=1.0`);
    expect(reply.text).toContain(">1.0</a>");
    expect(reply.text).not.toContain(">2.0</a>");
    expect(reply.text).toContain("download.zip?v=0.4.8&amp;l=quilt&amp;ch=release&amp;version=1.0");
  });

  test("offers a single file directly", async () => {
    expect(big(await page(`${pathOf("core")}/download`))).toMatch(/^Download file-2\.0\.jar/);
  });

  test("lists versions that nearly fit if none does", async () => {
    const reply = await page(`${pathOf("lantern")}/download?v=0.4.6&l=quilt`);
    expect(reply).toSucceed();
    expect(reply.text).toContain("There is no version for 0.4.6 · Quilt");
    expect(reply.text).toContain("<b>1.0</b>");
    expect(reply.text).not.toContain("data-download");
  });

  test("names missing dependencies, and still offers the file", async () => {
    await shelf.project("gone");
    await shelf.version("needy@1.0", { needs: "gone" });
    const reply = await page(`${pathOf("needy")}/download`);
    expect(reply.text).toContain("A required dependency is not available");
    expect(reply.text).toContain(shelf.projects.get("gone")!.slug);
    expect(big(reply)).toMatch(/^Download file-1\.0\.jar/);
    expect(await zip("needy")).toFail(409, "wrongState");
  });

  test("offers less stable versions if a dependency has no others", async () => {
    await shelf.version("raw@0.1", { channel: "beta" });
    await shelf.version("hopeful@1.0", { needs: "raw" });
    const reply = await page(`${pathOf("hopeful")}/download`);
    expect(reply.text).toContain("has no version that is stable enough");
    expect(reply.text).toContain("ch=dev");
  });

  test("names no project that the visitor may not see", async () => {
    await shelf.project("hidden", { visibility: "private", name: "Hidden thing" });
    await shelf.version("hidden@1.0");
    await shelf.version("leaky@1.0", { needs: "hidden" });
    const { slug } = shelf.projects.get("hidden")!;
    const stranger = await page(`${pathOf("leaky")}/download`);
    expect(stranger.text).not.toContain(slug);
    expect(stranger.text).not.toContain("Hidden thing");
    expect(stranger.text).toContain("A project you cannot see");
    expect((await page(`${pathOf("leaky")}/download`, { actor: as.user(author) })).text).toContain("Hidden thing");
    expect(await zip("leaky")).toFail(409);
    const own = await zip("leaky", "", as.user(author));
    expect(own).toSucceed();
    expect(own.headers.get("cache-control")).toBe("private, no-store");
  });

  test("ignores unknown parameters", async () => {
    for (const query of ["?v=x&l=y&ch=z", "?version=nothing", "?v=", "?v=0.5.13&v=0.4.8", "?version=__proto__"])
      expect(await page(`${pathOf("lantern")}/download${query}`), query).toSucceed();
  });
});

describe("getDownloadArchive", () => {
  const contents = (name: string) => shelf.versions.get(name)!.bytes.toString("hex");

  test("contains exactly the files of the resolver, with the hashes of the API, and a list of them", async () => {
    const reply = await zip("lantern");
    expect(reply).toSucceed();
    expect(reply.headers.get("content-type")).toBe("application/zip");
    expect(reply.headers.get("content-disposition")).toBe(
      `attachment; filename="${shelf.projects.get("lantern")!.slug}-1.0.zip"`,
    );
    expect(Number(reply.headers.get("content-length"))).toBe(reply.bytes.length);
    const found = readByDirectory(reply.bytes);
    const { "manifest.json": manifest, ...files } = found;
    expect(files).toEqual({
      "file-2.0.jar": contents("core@2.0"),
      "file-1.0.jar": contents("light@1.0"),
      "lantern.jar": contents("lantern@1.0"),
    });
    const plan = await as.anyone.post("/api/resolve", {
      projects: [{ project: shelf.id("lantern") }],
      ...{ gameVersion: "0.4.8", loader: "quilt", releaseChannel: "release" },
    });
    const listed = JSON.parse(Buffer.from(manifest!, "hex").toString());
    expect(listed).toMatchObject({ format: 1, gameVersion: "0.4.8", loader: "quilt", releaseChannel: "release" });
    const hashes = (list: { sha512?: string; file?: { sha512_hash: string } }[]) =>
      list.map((each) => each.sha512 ?? each.file!.sha512_hash).sort();
    expect(hashes(listed.files)).toEqual(hashes(plan.body.files));
  });

  test("is the same each time, and is not sent again to a client that has it", async () => {
    const [first, second] = [await zip("lantern"), await zip("lantern")];
    expect(second.bytes.equals(first.bytes)).toBe(true);
    const etag = first.headers.get("etag")!;
    const again = await as.anyone.get(`${pathOf("lantern")}/download.zip?v=0.4.8&l=quilt`, {
      headers: { "if-none-match": etag },
    });
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
  });

  test("has a content length in answers to HEAD", async () => {
    const path = `${pathOf("lantern")}/download.zip?v=0.4.8&l=quilt`;
    const [head, whole] = [await as.anyone.head(path), await as.anyone.get(path)];
    expect(head.status).toBe(200);
    expect(head.headers.get("content-length")).toBe(String(whole.bytes.length));
  });

  test("counts as a download of each file, once, but not if a page loads it as a picture", async () => {
    const counting = new TestMods(world, author);
    await counting.version("base@1.0");
    await counting.version("top@1.0", { needs: "base" });
    const user = await make.user();
    const path = `/project/${counting.projects.get("top")!.slug}/download.zip`;
    const downloads = async () => {
      await counterOf(resources).flush();
      const replies = ["base", "top"].map((name) => as.anyone.get(`/api/project/${counting.id(name)}`));
      return (await Promise.all(replies)).map(({ body }) => body.project.downloads);
    };
    expect(await as.user(user).get(path, { headers: { "sec-fetch-dest": "image" } })).toSucceed();
    expect(await downloads()).toEqual([0, 0]);
    for (let time = 0; time < 2; time++) expect(await as.user(user).get(path)).toSucceed();
    await as.user(user).head(path);
    expect(await downloads()).toEqual([1, 1]);
  });

  test("renames files of the same name", async () => {
    const same = new TestMods(world, author);
    await same.version("one@1.0", { fileName: "mod.jar" });
    await same.version("two@1.0", { fileName: "Mod.jar", needs: "one" });
    await same.version("three@1.0", { fileName: "manifest.json", needs: "two" });
    const reply = await as.anyone.get(`/project/${same.projects.get("three")!.slug}/download.zip`);
    const slug = (name: string) => same.projects.get(name)!.slug;
    expect(Object.keys(readByDirectory(reply.bytes)).sort()).toEqual(
      ["manifest.json", "mod.jar", `${slug("two")}-Mod.jar`, `${slug("three")}-manifest.json`].sort(),
    );
  });

  test("can be a packwiz folder, but no .mrpack, on a site for another game than Minecraft", async () => {
    const { text } = await page(`${pathOf("lantern")}/download?v=0.4.8&l=quilt`);
    expect(text).toContain('value="packwiz"');
    expect(text).not.toMatch(/value="mrpack"|name="lv"/);
    const folder = await zip("lantern", "?v=0.4.8&l=quilt&format=packwiz");
    expect(folder).toSucceed();
    const { "pack.toml": pack } = readByDirectory(folder.bytes);
    expect(Buffer.from(pack!, "hex").toString()).not.toContain("minecraft");
    expect(await zip("lantern", "?v=0.4.8&l=quilt&format=mrpack")).toFail(400, "invalidRequest");
  });

  test("is a 404 if nothing fits", async () => {
    expect(await zip("lantern", "?v=0.4.6&l=quilt")).toFail(404, "versionNotFound");
  });

  test("aborts instead of sending a wrong archive if the bytes of a file are lost", async () => {
    const lost = await makeProject(world, author);
    const version = await makeVersion(world, author, lost.id);
    await resources.blobs.delete(version.sha512);
    await expect(as.anyone.get(`/project/${lost.slug}/download.zip`)).rejects.toThrow();
  });

  test("handles circular dependencies", async () => {
    const ring = new TestMods(world, author);
    await ring.version("left@1.0");
    await ring.version("right@1.0", { needs: "left" });
    await ring.version("left@2.0", { needs: "right" });
    const reply = await as.anyone.get(`/project/${ring.projects.get("left")!.slug}/download.zip`);
    expect(Object.keys(readByDirectory(reply.bytes))).toHaveLength(3);
    expect(await page(`/project/${ring.projects.get("left")!.slug}/download`)).toSucceed();
  });

  test("disappears together with the project", async () => {
    const shy = await makeProject(world, author);
    await makeVersion(world, author, shy.id);
    expect(await as.anyone.get(`/project/${shy.slug}/download.zip`)).toSucceed();
    await setProject(world, shy.id, { status: "withheld" });
    expect(await as.anyone.get(`/project/${shy.slug}/download.zip`)).toFail(404, "projectNotFound");
  });
});
