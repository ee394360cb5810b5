// A collection as one download: the files that fit, their dependencies, and what is left out.
import { describe, expect, test } from "vitest";
import { counterOf } from "#content/downloads/counters.js";
import { anonymous } from "#platform/http/viewer.js";
import { location, submit } from "#test/callers/page-forms.js";
import { readByDirectory } from "#test/files/archive-readers.js";
import { testApp } from "#test/server/harness.js";
import { setProject } from "#test/worlds/content.js";
import { TestMods } from "#test/worlds/test-mods.js";
import { type CollectionChoice, planCollection, readContents } from "./plan.js";

const world = await testApp();
const { as, make, resources } = world;
const curator = await make.user();
const stranger = await make.user();
const shelf = new TestMods(world, curator);
await shelf.version("core@1.0", { fileName: "core.jar" });
await shelf.version("lamp@1.0", { fileName: "lamp.jar", needs: "core" });
await shelf.version("moth@1.0", { fileName: "moth.jar", needs: "!lamp" });
await shelf.version("early@1.0", { fileName: "early.jar", channel: "beta" });
await shelf.version("other@1.0", { fileName: "other.jar", loaders: ["puzzle_loader"] });

const collect = async (names: string[], fields: Record<string, unknown> = {}): Promise<string> => {
  const projects = names.map((name) => shelf.id(name));
  return (await as.user(curator).post("/api/collections", { name: "Für den Winter!", projects, ...fields })).body
    .collectionId;
};
const place = "v=0.4.8&l=quilt";

const pageOf = (id: string, query = place, cookie = "") =>
  as.anyone.get(`/collection/${id}/download${query && `?${query}`}`, { headers: { accept: "text/html", cookie } });
const zipOf = (id: string, query = place, cookie = "") =>
  as.anyone.get(`/collection/${id}/download.zip${query && `?${query}`}`, { headers: { cookie } });

describe("getCollectionDownloadPage", () => {
  test("lists the files that fit, their dependencies, and what is left out with the reason", async () => {
    const id = await collect(["lamp", "early", "other"]);
    const { status, text } = await pageOf(id);
    expect(status).toBe(200);
    expect(text).toContain(`href="/collection/${id}/download.zip?v=0.4.8&amp;l=quilt&amp;ch=release"`);
    expect(text).toContain("Download all (2 files");
    for (const name of ["lamp.jar", "core.jar"]) expect(text).toContain(name);
    expect(text).toContain("2 projects are not included");
    expect(text).toContain("has no version that is stable enough");
    expect(text).toContain("has no version for your selection");
    expect(text).toContain("noindex");
    expect(text).toContain(`curl -OJ &quot;http://modshelf.test/collection/${id}/download.zip`);
  });

  test("uses the visitor's set-up, and asks for one if there is none", async () => {
    const id = await collect(["lamp"]);
    expect((await pageOf(id, "", "setup=0.4.8|quilt")).text).toContain("lamp.jar");
    const none = await pageOf(id, "");
    expect(none.text).toContain("Choose your game version and loader");
    expect(none.text).not.toContain("download.zip");
    const chosenAny = await pageOf(id, "v=0.4.8&l=", "setup=0.4.8|puzzle_loader");
    expect(chosenAny.text, "any loader was chosen on the page itself").toContain("lamp.jar");
  });

  test("counts all loaders of the visitor's set-up, also in the archive", async () => {
    const id = await collect(["lamp", "other"]);
    const { text } = await pageOf(id, "", "setup=0.4.8|quilt|puzzle_loader");
    for (const name of ["lamp.jar", "core.jar", "other.jar"]) expect(text).toContain(name);
    expect(text).toMatch(/<option value="quilt,puzzle_loader" selected[^>]*>Quilt, Puzzle Loader</);
    const query = /download\.zip\?([^"]*)"/.exec(text)![1]!.replaceAll("&amp;", "&");
    expect(query).toBe("v=0.4.8&l=quilt%2Cpuzzle_loader&ch=release");
    const { "manifest.json": manifest, ...files } = readByDirectory((await zipOf(id, query)).bytes);
    expect(Object.keys(files).sort()).toEqual(["core.jar", "lamp.jar", "other.jar"]);
    expect(JSON.parse(Buffer.from(manifest!, "hex").toString())).toMatchObject({ loaders: ["quilt", "puzzle_loader"] });
  });

  test("says if nothing fits, and ignores unknown parameters", async () => {
    const id = await collect(["lamp"]);
    expect((await pageOf(id, "v=0.4.7&l=quilt")).text).toContain(
      "Nothing in this collection works with your selection",
    );
    expect((await pageOf(id, "v=<b>&l=__proto__&ch=gamma")).status).toBe(200);
    expect((await pageOf(await collect([]))).text).toContain("This collection has nothing to download");
  });

  test("includes one of two conflicting projects, and gives the reason", async () => {
    const id = await collect(["lamp", "moth"]);
    const { text } = await pageOf(id);
    expect(text).toContain("1 project is not included");
    expect(text).toMatch(/is incompatible with it|have no version|Different versions/);
    expect(text.match(/class="tree-file"/g)!.length).toBeGreaterThan(0);
  });

  test("exists for followed projects, and the library links to it", async () => {
    const fan = await make.user();
    await as.user(fan).post(`/api/project/${shelf.id("lamp")}/follow`);
    expect((await as.user(fan).get("/dashboard/library")).text).toContain("/collection/follows/download");
    const page = await as.user(fan).get(`/collection/follows/download?${place}`);
    expect(page.status).toBe(200);
    expect(page.text).toContain('class="tree-file"');
    expect((await as.user(fan).get(`/collection/follows/download.zip?${place}`)).status).toBe(200);
  });

  test("is not found if the collection is not, and names nothing that the visitor may not see", async () => {
    const secret = await collect(["lamp"], { visibility: "private" });
    expect((await pageOf(secret)).status).toBe(404);
    expect((await zipOf(secret)).status).toBe(404);
    expect((await as.user(stranger).get(`/collection/${secret}/download?${place}`)).status).toBe(404);
    expect((await as.user(curator).get(`/collection/${secret}/download?${place}`)).status).toBe(200);
    expect((await pageOf("follows")).status).toBe(404);
    await shelf.version("veiled@1.0", { fileName: "veiled.jar" });
    const id = await collect(["lamp", "veiled"]);
    await setProject(world, shelf.id("veiled"), { visibility: "private" });
    expect((await pageOf(id)).text).not.toContain("veiled");
    expect(Object.keys(readByDirectory((await zipOf(id)).bytes))).not.toContain("veiled.jar");
  });
});

describe("getCollectionArchive", () => {
  test("contains exactly the files on the page, with a list of them and of what is left out", async () => {
    const id = await collect(["lamp", "other"]);
    const reply = await zipOf(id);
    expect(reply.headers.get("content-type")).toBe("application/zip");
    expect(reply.headers.get("content-disposition")).toBe('attachment; filename="fu-r-den-winter.zip"');
    const { "manifest.json": manifest, ...files } = readByDirectory(reply.bytes);
    expect(Object.keys(files).sort()).toEqual(["core.jar", "lamp.jar"]);
    const listed = JSON.parse(Buffer.from(manifest!, "hex").toString());
    expect(listed).toMatchObject({ format: 1, collection: { id }, gameVersion: "0.4.8", loader: "quilt" });
    expect(listed.leftOut.map((project: { id: string }) => project.id)).toEqual([shelf.id("other")]);
    expect(
      (
        await as.anyone.get(`/collection/${id}/download.zip?${place}`, {
          headers: { "if-none-match": reply.headers.get("etag")! },
        })
      ).status,
    ).toBe(304);
  });

  test("counts as a download of each file, but not if a page loads it as a picture", async () => {
    const counted = new TestMods(world, curator);
    await counted.version("loved@1.0");
    const projects = [counted.id("loved")];
    const made = await as.user(curator).post("/api/collections", { name: "Loved", projects });
    const path = `/collection/${made.body.collectionId}/download.zip?${place}`;
    const downloads = async () => {
      await counterOf(resources).flush();
      return (await as.anyone.get(`/api/project/${projects[0]}`)).body.project.downloads;
    };
    expect(await as.anyone.get(path, { headers: { "sec-fetch-dest": "image" } })).toSucceed();
    expect(await downloads()).toBe(0);
    expect(await as.anyone.get(path)).toSucceed();
    expect(await downloads()).toBe(1);
  });

  test("redirects to the page without a set-up, and is refused if nothing fits", async () => {
    const id = await collect(["lamp"]);
    const asked = await zipOf(id, "");
    expect([asked.status, asked.headers.get("location")]).toEqual([303, `/collection/${id}/download`]);
    expect(await zipOf(id, "v=0.4.7&l=quilt")).toFail(409, "wrongState");
  });
});

test("getCollectionPage links to the download and keeps its filter on every tab", async () => {
  const id = await collect(["lamp", "other"]);
  const { text } = await as.anyone.get(`/collection/${id}?setup=on`, { headers: { cookie: "setup=0.4.8|quilt" } });
  expect(text).toContain(`href="/collection/${id}/download"`);
  expect(text).toContain("Works with your setup");
  expect(text).not.toContain(`/project/${shelf.projects.get("other")!.slug}"`);
});

describe("copyCollection", () => {
  test("creates a private copy of the projects that the user can see", async () => {
    await shelf.version("buried@1.0", { fileName: "buried.jar" });
    const id = await collect(["lamp", "buried"], { description: "All of them" });
    await setProject(world, shelf.id("buried"), { visibility: "private" });
    expect((await as.user(stranger).get(`/collection/${id}`)).text).toContain(`action="/collection/${id}/copy"`);
    expect((await as.anyone.get(`/collection/${id}`)).text).not.toContain("/copy");
    const reply = await submit(as.user(stranger), `/collection/${id}/copy`);
    expect(reply.status).toBe(303);
    const [copy] = (await as.user(stranger).get("/api/collections")).body;
    expect(copy).toMatchObject({
      ...{ name: "Für den Winter!", description: "All of them", visibility: "private" },
      projects: [shelf.id("lamp")],
    });
    expect(location(reply)).toBe(`/collection/${copy.id}/edit`);
  });

  test("copies no private collection of another user, and nothing for guests", async () => {
    const secret = await collect(["lamp"], { visibility: "private" });
    expect((await submit(as.user(stranger), `/collection/${secret}/copy`)).status).toBe(404);
    expect((await submit(as.user(stranger), "/collection/follows/copy")).status).toBe(404);
    const open = await collect(["lamp"]);
    expect((await submit(as.anyone, `/collection/${open}/copy`)).status).toBe(401);
  });
});

describe("a collection that is hard to resolve", async () => {
  const range = (length: number) => Array.from({ length }, (_, at) => at);
  // Five groups of seven projects with six versions each. No two projects of a group are compatible in the same
  // version.
  const names = range(5).map((group) => range(7).map((at) => `hard${group}${at}`));
  await shelf.plant(
    Object.fromEntries(
      names.flatMap((group) =>
        group.flatMap((name, at) =>
          range(6).map((number) => [
            `${name}@${number}`,
            group
              .slice(0, at)
              .map((other) => `!${other}@${number}`)
              .join(" "),
          ]),
        ),
      ),
    ),
  );

  /** CPU time of this thread during the work: the total, and the longest time without a turn of the event loop. */
  async function watchCpu(work: () => Promise<unknown>): Promise<{ all: number; longest: number }> {
    const now = () => {
      const { user, system } = process.threadCpuUsage();
      return user + system;
    };
    const start = now();
    let [last, longest, isOver] = [start, 0, false];
    const turn = () => {
      longest = Math.max(longest, now() - last);
      last = now();
      if (!isOver) setImmediate(turn);
    };
    turn();
    await work();
    isOver = true;
    return { all: now() - start, longest };
  }

  test("is resolved in slices, and only once for several visitors", async () => {
    const id = await collect(names.flat());
    const first = await watchCpu(async () => {
      const { status, text } = await pageOf(id);
      expect([status, text.includes("Some of these projects do not work together")]).toEqual([200, true]);
    });
    expect(first.longest).toBeLessThan(first.all / 4);
    const again = await watchCpu(() => pageOf(id));
    expect(again.all).toBeLessThan(first.all / 3);
  });

  test("has one budget for all attempts, whether or not an outcome is cached", async () => {
    const items = (await as.anyone.get(`/api/projects?ids=${names.flat().map(shelf.id)}`)).body;
    const contents = await readContents(resources, items);
    const choice = {
      gameVersion: "0.4.8",
      loader: "quilt",
      channel: "release",
      offered: [],
    } as unknown as CollectionChoice;
    const plan = async (steps: number) => {
      const budgets = { search: { steps }, proof: { steps: 1_000 } };
      const { isTooHard, leftOut } = await planCollection(resources, anonymous, contents, choice, budgets);
      return { isTooHard, leftOut: leftOut.length, left: budgets.search.steps };
    };
    const once = await plan(150_000);
    expect(once.isTooHard).toBe(true);
    // The step that exceeded the budget was the last one.
    expect(once.left).toBeLessThan(0);
    expect(once.left).toBeGreaterThan(-100);
    expect(await plan(150_000)).toEqual(once);
    expect(await plan(10_000_000)).toMatchObject({ isTooHard: false, leftOut: 5 });
  });
});
