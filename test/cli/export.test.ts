// Exports: the files of a folder and lists of projects, as packs and as an archive, against a real registry for Minecraft.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readPreset } from "#content/taxonomy/presets.js";
import { setTaxonomy } from "#content/taxonomy/write.js";
import { write } from "#platform/changes/write.js";
import { readByDirectory } from "#test/files/archive-readers.js";
import { namesIn, startRegistry, useFolders } from "./folder-world.js";

const newFolder = useFolders();
const { world, publish, slug, run } = await startRegistry();
await write(world.resources, { credential: "test" }, (tx) => setTaxonomy(tx, readPreset("minecraft"), "test"));
const fits = { gameVersions: ["1.21.1"], loaders: ["fabric"] };
await publish("core@1.0", fits);
await publish("grass@1.0", { ...fits, needs: "core" });
await publish("grass@1.1", { ...fits, needs: "core" });
const place = ["-v", "1.21.1", "-l", "fabric"];
const loaderVersion = ["--loader-version", "0.16.10"];
const namesOf = (path: string) => Object.keys(readByDirectory(readFileSync(path)));

test("a folder becomes a pack with exactly its files, which is installed from that pack", async () => {
  const folder = newFolder({ "own.jar": "mine" });
  await run(["install", `${slug("grass")}@1.0`, "-d", folder, ...place, "--yes"]);
  const path = join(newFolder(), "winter.mrpack");
  const out = await run(["export", "-d", folder, "--name", "Winter list", "-o", path, ...loaderVersion, "--json"]);
  expect(out).toMatchObject({ code: 2, json: { path, format: "mrpack", leftOut: ["own.jar"] } });
  expect(out.json.size).toBe(readFileSync(path).length);
  const instance = newFolder();
  const done = await run(["install", path, instance, "--yes"]);
  expect([done.code, namesIn(join(instance, "mods"))]).toEqual([0, ["core-1.0.jar", "grass-1.0.jar"]]);
});

test("projects become a pack or an archive with everything that they need", async () => {
  const folder = newFolder();
  for (const [format, file, entry] of [
    ["packwiz", "grass.zip", `mods/${slug("core")}.pw.toml`],
    ["zip", "files.zip", "core-1.0.jar"],
  ] as const) {
    const path = join(folder, file);
    const args = ["export", slug("grass"), ...place, ...loaderVersion, "--format", format, "-o", path];
    expect(await run(args)).toMatchObject({ code: 0, out: expect.stringContaining(path) });
    expect(namesOf(path)).toContain(entry);
  }
});

test("nothing is written if it is refused, and no file is replaced", async () => {
  const folder = newFolder({ "own.jar": "mine", "there.mrpack": "mine too" });
  const to = (name: string) => ["-o", join(folder, name)];
  for (const [args, code, text] of [
    [
      ["export", slug("grass"), ...place, ...to("a.mrpack")],
      1,
      "Name the version of the loader with: --loader-version",
    ],
    [["export", slug("grass"), ...place, ...loaderVersion, ...to("there.mrpack")], 5, "exists already"],
    [["export", slug("grass"), "--format", "rar", ...to("a.rar")], 1, 'There is no format "rar"'],
    [["export", "-d", folder, ...to("a.mrpack")], 4, "knows no file of this folder"],
    [["export", "none", ...place, ...loaderVersion, ...to("a.mrpack")], 4, "Project not found"],
  ] as const)
    expect(await run(args), args.join(" ")).toMatchObject({ code, err: expect.stringContaining(text) });
  expect(readdirSync(folder)).toEqual(["own.jar", "there.mrpack"]);
  expect(readFileSync(join(folder, "there.mrpack"), "utf8")).toBe("mine too");
});
