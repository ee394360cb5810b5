// Update files over HTTP: their contents, visibility and cache headers.
import { describe, expect, test } from "vitest";
import { readPreset } from "#content/taxonomy/presets.js";
import { setTaxonomy } from "#content/taxonomy/write.js";
import { write } from "#platform/changes/write.js";
import { testApp } from "#test/server/harness.js";
import { countStatements } from "#test/server/statement-count.js";
import { makeProject, setProject } from "#test/worlds/content.js";
import { makeVersion, type VersionOptions } from "#test/worlds/versions.js";

const world = await testApp();
const { as, make, resources } = world;
await write(resources, { credential: "test" }, (tx) => setTaxonomy(tx, readPreset("minecraft"), "test"));
const author = await make.user();
const project = await makeProject(world, author);
const add = (versionNumber: string, loaders: string[], gameVersions: string[], more: VersionOptions = {}) => {
  world.clock.advance(1000);
  return makeVersion(world, author, project.id, { versionNumber, loaders, gameVersions, ...more });
};
await add("1.0", ["forge"], ["1.20.1"], { changelog: "First" });
await add("1.1", ["forge", "neoforge"], ["1.20.1", "1.21.1"], { changelog: `${"x".repeat(999)}🙂 too long` });
await add("2.0-b", ["forge"], ["1.20.1"], { channel: "beta" });
await add("2.0-d", ["forge"], ["1.20.1"], { channel: "dev" });
await add("2.0-n", ["neoforge"], ["1.21.1"]);
const fabric = await add("2.0-f", ["fabric"], ["1.21.1", "1.20.1"], { fileName: "mod.jar" });
await add("2.1-f", ["fabric"], ["1.21.1"], { channel: "beta" });

const get = (file: string, ref = project.slug) => as.anyone.get(`/updates/${ref}/${file}`);
const bodyOf = async (file: string, ref?: string) => {
  const reply = await get(file, ref);
  expect(reply, file).toSucceed();
  return reply.body;
};
const hide = (id: string, column: "date_yanked" | "date_quarantined", value: number | null) =>
  write(resources, {}, async (tx) => {
    await tx.db
      .updateTable("versions")
      .set({ [column]: value })
      .where("id", "=", id)
      .execute();
    tx.changed("project", project.id);
  });

describe("getForgeUpdates", () => {
  test("promotes the newest release and the newest version for each game version", async () => {
    const body = await bodyOf("forge_updates.json");
    expect(body.homepage).toBe(`http://modshelf.test/project/${project.slug}`);
    expect(body.promos).toEqual({
      "1.20.1-latest": "2.0-b",
      "1.20.1-recommended": "1.1",
      "1.21.1-latest": "1.1",
      "1.21.1-recommended": "1.1",
    });
    expect(body["1.20.1"]).toMatchObject({ "2.0-b": "", "1.0": "First" });
    expect(body["1.20.1"]["1.1"], "cut between characters").toBe(`${"x".repeat(999)}…`);
  });

  test("counts versions for NeoForge if they are asked for", async () => {
    const only = await bodyOf("forge_updates.json?neoforge=only");
    expect(only.promos).toMatchObject({ "1.21.1-latest": "2.0-n", "1.20.1-latest": "1.1" });
    const both = await bodyOf("forge_updates.json?neoforge=include");
    expect(both.promos).toMatchObject({ "1.21.1-recommended": "2.0-n", "1.20.1-latest": "2.0-b" });
    expect(await get("forge_updates.json?neoforge=maybe")).toFail(400, "invalidRequest");
  });

  test("has no more than ten changelogs for a game version", async () => {
    const busy = await makeProject(world, author);
    for (let number = 0; number < 12; number++) {
      world.clock.advance(1000);
      const loaders = ["forge"];
      await makeVersion(world, author, busy.id, { loaders, gameVersions: ["1.20.1"], versionNumber: `v${number}` });
    }
    const body = await bodyOf("forge_updates.json", busy.slug);
    expect(Object.keys(body["1.20.1"])).toEqual(Array.from({ length: 10 }, (_, at) => `v${11 - at}`));
    expect(body.promos["1.20.1-latest"]).toBe("v11");
  });
});

describe("getModUpdates", () => {
  test("names the newest release and its file for each game version, as ModUpdater reads it", async () => {
    const url = `http://modshelf.test/cdn/data/project/${project.id}/version/${fabric.id}/mod.jar`;
    const release = { version: "2.0-f", downloadUrl: url };
    expect(await bodyOf("updates.json?loader=fabric")).toEqual({ "1.21.1": release, "1.20.1": release });
    const beta = await bodyOf("updates.json?loader=fabric&releaseChannel=beta");
    expect(beta).toMatchObject({ "1.21.1": { version: "2.1-f" }, "1.20.1": release });
    expect(await bodyOf("updates.json?loader=quilt")).toEqual({});
    expect((await bodyOf("updates.json"))["1.21.1"]).toEqual(release);
    expect(await get("updates.json?releaseChannel=gamma")).toFail(400, "invalidRequest");
  });

  test("names version numbers below the id of a mod, as Notify reads them", async () => {
    expect(await bodyOf("updates.json?loader=fabric&mod=better-grass")).toEqual({
      "better-grass": { "1.21.1": "2.0-f", "1.20.1": "2.0-f", "*": "2.0-f" },
    });
    expect(await bodyOf("updates.json?loader=quilt&mod=better-grass")).toEqual({ "better-grass": {} });
    for (const mod of ["__proto__", "A", "a", "x".repeat(65)])
      expect(await get(`updates.json?mod=${mod}`), mod).toFail(400, "invalidRequest");
  });
});

describe("getForgeUpdates and getModUpdates", () => {
  const files = ["forge_updates.json", "updates.json"];

  test.each(["date_yanked", "date_quarantined"] as const)("leave out a version with %s", async (column) => {
    const other = await add(`9-${column}`, ["forge", "fabric"], ["1.21.1"]);
    expect((await bodyOf("forge_updates.json")).promos["1.21.1-latest"]).toBe(`9-${column}`);
    await hide(other.id, column, 1);
    expect((await bodyOf("forge_updates.json")).promos["1.21.1-latest"]).toBe("1.1");
    expect((await bodyOf("updates.json?loader=fabric"))["1.21.1"].version).toBe("2.0-f");
  });

  test.each(files)("%s is public, may be cached, and has a tag", async (file) => {
    const reply = await get(file);
    expect(reply.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(reply.headers.get("cache-control")).toBe("public, max-age=60");
    const headers = { "if-none-match": reply.headers.get("etag")! };
    expect((await as.anyone.get(`/updates/${project.slug}/${file}`, { headers })).status).toBe(304);
    expect(await bodyOf(file, project.id)).toEqual(reply.body);
  });

  test.each(files)(
    "%s needs the same number of statements for one version as for many, and none again",
    async (file) => {
      const count = (slug: string) => countStatements(resources.db, () => get(file, slug));
      const [small, large] = [await makeProject(world, author), await makeProject(world, author)];
      for (const { id } of [small, large, large, large, large]) await makeVersion(world, author, id);
      // The server does other things in the background, which end some time.
      await expect
        .poll(async () => {
          for (const { id } of [small, large]) await setProject(world, id, { downloads: 0 });
          await get(file);
          return (await count(large.slug)) - (await count(small.slug));
        })
        .toBe(0);
      await expect.poll(() => count(large.slug)).toBe(0);
    },
  );

  test.each(files)("%s does not exist for a project that is not public, not even for its team", async (file) => {
    const secret = await makeProject(world, author, { visibility: "private" });
    expect(await get(file, secret.slug)).toFail(404, "projectNotFound");
    expect(await as.user(author).get(`/updates/${secret.slug}/${file}`)).toFail(404, "projectNotFound");
    expect(await get(file, "nothing-here")).toFail(404, "projectNotFound");
    await setProject(world, secret.id, { visibility: "unlisted" });
    expect(await get(file, secret.slug)).toSucceed();
  });
});
