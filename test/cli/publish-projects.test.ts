// `shelf init`, `shelf version` and `shelf project`: the commands around publishing.
import { mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { fits } from "#shelf/publishing/find-files.js";
import { channelOf, toDependency } from "#shelf/publishing/texts.js";
import { jar } from "#test/callers/uploads.js";
import { drawPicture } from "#test/files/pictures.js";
import { uniqueName } from "#test/server/harness.js";
import { makeVersion } from "#test/worlds/versions.js";
import { openPublishingWorld } from "./publishing-world.js";

const { world, url, folder, author, project, shelf, tokenWith, write } = await openPublishingWorld();

/** A folder with these files, the last one newest. */
function source(files: Record<string, string | Buffer>): string {
  const dir = join(folder, uniqueName("source"));
  mkdirSync(dir);
  for (const [n, [name, content]] of Object.entries(files).entries()) {
    const path = join(dir, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    utimesSync(path, n, n);
  }
  return dir;
}

describe("init", () => {
  const built = {
    "build/libs/old-0.9.jar": jar(),
    "build/libs/dusk_lamps-quilt-1.2.0.jar": jar(),
    "build/libs/dusk_lamps-quilt-1.2.0-sources.jar": jar(),
  };

  test("finds the newest file of the build and the name of the project, and never overwrites unasked", async () => {
    const dir = source({ ...built, "gradle.properties": "# x\nversion = 1.2.0\nmod_id=Dusk Lamps\n" });
    const made = await shelf(["init", "-d", dir, "--json"]);
    const expected = {
      ...{ host: url, project: "dusk-lamps" },
      files: ["build/libs/dusk_lamps-quilt-*.jar", "!build/libs/*-sources.jar"],
    };
    expect([made.code, made.json]).toEqual([0, { path: join(dir, "shelf.json"), ...expected }]);
    expect(JSON.parse(readFileSync(join(dir, "shelf.json"), "utf8"))).toEqual(expected);
    const again = await shelf(["init", "-d", dir, "--project", "other"]);
    expect([again.code, again.err]).toEqual([5, expect.stringContaining("--force")]);
    expect(JSON.parse(readFileSync(join(dir, "shelf.json"), "utf8"))).toEqual(expected);
    expect((await shelf(["init", "-d", dir, "--project", "other", "--channel", "beta", "--force"])).code).toBe(0);
    expect(JSON.parse(readFileSync(join(dir, "shelf.json"), "utf8"))).toEqual({
      ...expected,
      ...{ project: "other", channel: "beta" },
    });
    await project({ slug: "other" });
    const planned = await shelf([
      "publish",
      "-d",
      dir,
      "--dry-run",
      "--json",
      "--version",
      "1",
      "--game-version",
      "0.4.8",
    ]);
    expect(planned.json).toMatchObject({ channel: "beta", files: [{ name: "dusk_lamps-quilt-1.2.0.jar" }] });
  });

  test.each([
    [{ "dist/lamps_v2.zip": "x", "settings.gradle": 'rootProject.name = "Lamps!"' }, ["dist/lamps_*.zip"], "lamps"],
    [{ "target/lamps.jar": "x" }, ["target/lamps.jar"], "lamps"],
  ])("understands %j", async (files, patterns, name) => {
    const { json } = await shelf(["init", "-d", source(files), "--json"]);
    expect([json.files, json.project]).toEqual([patterns, name]);
  });

  test("asks only on a terminal, and says what is missing", async () => {
    const asked = await shelf(["init", "-d", source(built)], { typed: "my-lamps\n" });
    expect([asked.code, asked.out]).toEqual([0, expect.stringContaining('"project": "my-lamps"')]);
    const empty = await shelf(["init", "-d", source({})]);
    expect([empty.code, empty.err]).toEqual([1, expect.stringContaining("There is no output of a build here")]);
    const nameless = await shelf(["init", "-d", source({}), "--file", "*.jar"]);
    expect([nameless.code, nameless.err]).toEqual([1, expect.stringContaining("Add --project")]);
  });
});

describe("version", () => {
  test("lists, shows, edits and withdraws", async () => {
    const { id, slug } = await project();
    await makeVersion(world, author, id, { versionNumber: "1.0.0" });
    const env = { SHELF_TOKEN: await tokenWith(["version_read", "version_write", "project_read"]) };
    const run = (...args: string[]) => shelf(["version", ...args], { env });
    expect((await run("list", slug)).out).toMatch(/^1\.0\.0 +release +\d{4}-\d\d-\d\d /);
    expect((await run("show", slug, "1.0.0")).out).toMatch(/^version +1\.0\.0 \(release\)\n.+sha512 [0-9a-f]{128}/s);
    const notes = write("notes.md", "Edited");
    const edited = await run("edit", slug, "1.0.0", "--channel", "beta", "--changelog", notes, "--featured");
    expect([edited.code, edited.out, edited.err]).toEqual([0, "Saved 1.0.0.\n", ""]);
    expect((await run("show", slug, "1.0.0", "--json")).json).toMatchObject({
      ...{ releaseChannel: "beta", changelog: "Edited", featured: true },
    });
    expect((await run("edit", slug, "1.0.0")).err).toContain("Nothing is to be changed");
    expect((await run("yank", slug, "1.0.0")).err).toContain("Add --yes if you agree");
    expect((await run("yank", slug, "1.0.0", "--yes", "--reason", "It loses worlds")).code).toBe(0);
    expect((await run("show", slug, "1.0.0")).out).toMatch(/withdrawn +It loses worlds/);
    expect((await run("yank", slug, "1.0.0", "--undo")).code).toBe(0);
    expect((await run("show", slug, "1.0.0", "--json")).json.yanked).toBe(false);
    expect(await run("show", slug, "7")).toMatchObject({ code: 4, err: expect.stringContaining("Version not found") });
    expect(await run("shout", slug, "7")).toMatchObject({
      code: 1,
      err: expect.stringContaining("Usage: shelf version"),
    });
  });
});

describe("project", () => {
  test("creates, edits, shows and submits", async () => {
    const env = { SHELF_TOKEN: await tokenWith(["project_create", "project_read", "project_write"]) };
    const run = (...args: string[]) => shelf(["project", ...args], { env });
    const slug = uniqueName("made");
    expect((await run("create", slug)).err).toContain("A project needs a name, a summary and a type");
    const made = await run("create", slug, "--name", "Made", "--summary", "Made by a test", "--type", "mod");
    expect([made.code, made.out]).toEqual([0, `Created as a draft: ${url}/project/${slug}\n`]);
    expect(await run("create", slug, "--name", "Made", "--summary", "Again", "--type", "mod")).toMatchObject({
      code: 5,
    });
    expect((await run("edit", slug, "--summary", "Made well", "--visibility", "unlisted")).code).toBe(0);
    expect((await run("edit", slug, "--visibility", "invisible")).err).toContain("is not a visibility");
    const picture = await drawPicture({ width: 64, height: 64 });
    const icon = write("icon.png", Buffer.from(await picture.arrayBuffer()));
    expect((await run("icon", slug, icon)).code).toBe(0);
    expect((await run("status", slug, "--json")).json).toMatchObject({ slug, status: "draft", visibility: "unlisted" });
    expect((await run("status", slug)).out).toContain("shelf project submit");
    expect(await run("submit", slug)).toMatchObject({ code: 5, out: "", err: expect.stringContaining("version") });
    const complete = await project({ status: "draft", description: "Everything that players must know about it." });
    await makeVersion(world, author, complete.id);
    expect((await run("submit", complete.slug, "--json")).json).toEqual({
      project: complete.slug,
      status: "processing",
    });
  });
});

test.each([
  ["lamps-1.0.jar", "lamps-*.jar", true],
  ["lamps-1.0-sources.jar", "*-sources.jar", true],
  ["lamps.jar", "lamps*.jar", true],
  ["a.jar", "a.jar*a.jar", false],
  ["lamps.jar", "lamps", false],
  ["abcbc", "a*bc*bc", true],
  ["abc", "a*bc*bc", false],
])("%s fits %s: %j", (name, pattern, expected) => {
  expect(fits(name, pattern)).toBe(expected);
});

test("channels and dependencies are read from short texts", () => {
  const numbers = ["1.0.0", "1.0.0-alpha.1", "2.0-b3", "3.0-rc1", "1.0-SNAPSHOT"];
  expect(numbers.map(channelOf)).toEqual(["release", "alpha", "beta", "beta", "dev"]);
  expect(toDependency("core@1.0:optional")).toEqual({ project: "core", version: "1.0", type: "optional" });
  expect(toDependency("core")).toEqual({ project: "core", version: undefined, type: "required" });
  for (const bad of ["", ":required", "a:b", "a@", "a b:"])
    expect(() => toDependency(bad)).toThrow("is not a dependency");
});
