// Packs in an instance: update, undo, list, verify and remove, against a real registry.
import { existsSync, readdirSync, renameSync, unlinkSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { lockOf } from "./folder-world.js";
import { rowsOf, startPackRegistry } from "./pack-registry.js";
import { mrpack, packwiz, treeOf, zipOf } from "./pack-world.js";

const { mods, publish, slug, run, newFolder, ...world } = await startPackRegistry();
const { shown, first, second, own, installed } = world;

describe("update", () => {
  test("replaces what the user has not changed, and undo returns to the state before", async () => {
    const folder = await installed();
    expect(await run(["outdated", folder])).toMatchObject({ code: 0, out: "Everything is up to date.\n" });
    expect(await run(["update", folder])).toMatchObject({ code: 0, out: "Everything is up to date.\n" });
    await publish("fancy@2.0", { bytes: second, fileName: "fancy-2.0.mrpack" });
    const outdated = await run(["outdated", folder]);
    expect([outdated.code, outdated.out]).toEqual([2, expect.stringMatching(/1\.0 +→ 2\.0 +release/)]);

    const plain = { ...treeOf(folder) };
    expect((await run(["update", folder, "--yes"])).code).toBe(0);
    const { "mods/map-1.0.jar": _, "mods/lamp-1.0.jar": _lamp, "mods/grass-1.0.jar": _grass, ...stay } = plain;
    const updated = {
      ...stay,
      ...{ "config/lamp.toml": "dim", "config/grass.toml": "blue", "new.txt": "n" },
      ...{ "mods/lamp-1.1.jar": shown("lamp@1.1"), "mods/grass-1.1.jar": shown("grass@1.1") },
    };
    expect(treeOf(folder)).toEqual(updated);
    expect(lockOf(folder).pack).toMatchObject({ number: "2.0", version: mods.versionId("fancy@2.0"), side: "client" });
    expect((await run(["verify", folder])).code).toBe(0);
    expect((await run(["undo", folder])).code).toBe(0);
    expect([treeOf(folder), lockOf(folder).pack.number]).toEqual([plain, "1.0"]);
    expect((await run(["undo", folder])).code).toBe(0);
    expect([treeOf(folder), existsSync(join(folder, "shelf.lock"))]).toEqual([own, false]);
    // Folders that the pack brought are gone, and those of the user are not.
    expect(readdirSync(folder).sort()).toEqual([".shelf", "config", "mods", "saves"]);
    expect(existsSync(join(folder, "config/sub"))).toBe(false);
  });

  test("keeps what the user has changed, disabled, removed and added", async () => {
    const folder = await installed();
    const at = (path: string) => join(folder, path);
    writeFileSync(at("config/lamp.toml"), "my light");
    writeFileSync(at("options.txt"), "my keys");
    unlinkSync(at("config/grass.toml"));
    renameSync(at("mods/lamp-1.0.jar"), at("mods/lamp-1.0.jar.disabled"));
    unlinkSync(at("mods/grass-1.0.jar"));
    writeFileSync(at("mods/map-1.0.jar"), "my map");
    const before = treeOf(folder);
    const dry = await run(["update", folder, "--dry-run", "--json"]);
    expect(rowsOf(dry)).toEqual([
      ...["keep config/grass.toml left out: you removed it", "keep config/lamp.toml kept: you changed it"],
      ...["keep mods/grass-1.1.jar left out: you removed it", "update mods/lamp-1.1.jar replaces lamp-1.0.jar"],
      ...["keep mods/map-1.0.jar kept: you changed it", "add new.txt"],
    ]);
    expect(treeOf(folder)).toEqual(before);
    const { code, err, out } = await run(["update", folder, "--yes"]);
    expect([code, out]).toEqual([0, expect.stringContaining("1 file updated, 1 file added.")]);
    expect(err).toMatch(/config\/lamp\.toml +kept: you changed it/);
    const { "mods/lamp-1.0.jar.disabled": _, ...stay } = before;
    const after = { ...stay, "mods/lamp-1.1.jar.disabled": shown("lamp@1.1"), "new.txt": "n" };
    expect(treeOf(folder)).toEqual(after);
    // A second time it is the same: the lock remembers what was removed.
    expect((await run(["install", `${slug("fancy")}@2.0`, folder, "--yes"])).out).toBe(
      "The pack is installed already.\n",
    );
    const verified = await run(["verify", folder]);
    expect([verified.code, verified.out.match(/^(?:changed|missing) +\S+/gm)]).toEqual([
      2,
      [
        expect.stringContaining("config/grass"),
        expect.stringContaining("config/lamp"),
        expect.stringContaining("mods/grass"),
        expect.stringContaining("options.txt"),
      ],
    ]);
    const listed = await run(["list", folder, "--json"]);
    const row = (file: string) => listed.json.files.find((one: { file: string }) => one.file === file);
    expect(row("mods/lamp-1.1.jar.disabled")).toMatchObject({
      pack: slug("fancy"),
      isDisabled: true,
      source: "download",
    });
    expect(row("config/lamp.toml")).toMatchObject({ pack: slug("fancy"), isChanged: true, source: "override" });
    expect(row("mods/own.jar")).toMatchObject({ pack: null, project: null });
    // Without words, install brings back what was removed, and keeps what was changed.
    expect((await run(["install", "-d", folder, "--yes"])).code).toBe(0);
    expect(treeOf(folder)).toEqual({ ...after, "config/grass.toml": "blue", "mods/grass-1.1.jar": shown("grass@1.1") });
  });

  test("never goes back to an older version of a more stable channel", async () => {
    await publish("fancy@3.0-beta", { bytes: mrpack({ version: "3" }), fileName: "fancy-3.mrpack", channel: "beta" });
    const folder = newFolder();
    expect((await run(["install", `${slug("fancy")}@3.0-beta`, folder, "--yes"])).code).toBe(0);
    expect(await run(["outdated", folder])).toMatchObject({ code: 0 });
    const older = newFolder();
    await run(["install", `${slug("fancy")}@2.0`, older, "--yes"]);
    expect(await run(["outdated", older])).toMatchObject({ code: 0 });
    expect((await run(["outdated", older, "--channel", "beta"])).code).toBe(2);
    const pinned = await run(["update", older, "--pin", "lamp"]);
    expect([pinned.code, pinned.err]).toEqual([1, expect.stringContaining("updated as a whole")]);
  });

  test("keeps files that packwiz gives to the user, and knows a pack from a file by its hash", async () => {
    const folder = newFolder();
    const pack = (version: string, text: string) =>
      zipOf(
        packwiz({
          ...{ version, files: { "config/kept.toml": text, "config/a.toml": text } },
          more: { "config/kept.toml": "preserve = true" },
        }),
      );
    const place = newFolder({ "one.zip": pack("1", "one"), "two.zip": pack("2", "two") });
    await run(["install", join(place, "one.zip"), folder, "--yes"]);
    await run(["install", join(place, "two.zip"), folder, "--yes"]);
    expect(treeOf(folder)).toEqual({ "config/kept.toml": "one", "config/a.toml": "two" });

    writeFileSync(join(place, "first.mrpack"), first);
    const known = newFolder();
    await run(["install", join(place, "first.mrpack"), known, "--yes"]);
    expect((await run(["update", known, "--yes"])).code).toBe(0);
    expect(lockOf(known).pack).toMatchObject({ number: "2.0", slug: slug("fancy") });
  });
});

test("a pack leaves mods alone that were installed or updated beside it, and can be named where it is", async () => {
  const folder = await installed();
  const inside = ["-d", join(folder, "mods"), "-v", "0.4.8", "-l", "quilt", "--yes"];
  expect((await run(["install", `${slug("lamp")}@1.1`, ...inside])).code).toBe(0);
  const { err, code } = await run(["install", `${slug("fancy")}@2.0`, "-d", folder, "--yes"]);
  expect([code, err]).toEqual([0, expect.stringMatching(/mods\/lamp-1\.1\.jar +left out: you removed it/)]);
  expect(Object.keys(treeOf(folder)).filter((path) => path.includes("lamp-"))).toEqual([
    ...["mods/.shelf/trash", "mods/lamp-1.1.jar"].map((path) => expect.stringContaining(path)),
  ]);
  expect((await run(["update", folder])).out).toBe("Everything is up to date.\n");
});

test("mods that the author ships disabled can be enabled", async () => {
  const folder = newFolder();
  const pack = (version: string) =>
    mrpack({ name: "Off", version, inside: { [`overrides/mods/dark-${version}.jar.disabled`]: version } });
  const place = newFolder({ "1.mrpack": pack("1"), "2.mrpack": pack("2") });
  await run(["install", join(place, "1.mrpack"), folder, "--yes"]);
  expect(treeOf(folder)).toEqual({ "mods/dark-1.jar.disabled": "1" });
  renameSync(join(folder, "mods/dark-1.jar.disabled"), join(folder, "mods/dark-1.jar"));
  await run(["install", join(place, "2.mrpack"), folder, "--yes"]);
  expect(treeOf(folder)).toEqual({ "mods/dark-2.jar": "2" });
});

test("a full disk while a pack is unpacked leaves the instance as it was", async () => {
  const folder = await installed();
  const before = treeOf(folder);
  const probe = await open(join(folder, "options.txt"));
  vi.spyOn(Object.getPrototypeOf(probe), "write").mockImplementation(async () => {
    throw Object.assign(new Error("ENOSPC"), { code: "ENOSPC", errno: -28 });
  });
  await probe.close();
  const pack = join(
    newFolder({ "a.mrpack": mrpack({ version: "9", inside: { "overrides/a.txt": "a" } }) }),
    "a.mrpack",
  );
  const { code, err } = await run(["install", pack, folder, "--yes"]);
  vi.restoreAllMocks();
  expect([code, err, treeOf(folder)]).toEqual([1, expect.stringContaining("The disk is full"), before]);
  expect((await run(["install", pack, folder, "--yes"])).code).toBe(0);
  expect(treeOf(folder)).toEqual({ ...own, "a.txt": "a" });
});

test("remove takes single files, or the pack with what it brought and is unchanged", async () => {
  const folder = await installed();
  expect((await run(["remove", "lamp", "-d", folder, "--yes"])).code).toBe(0);
  const missing = await run(["remove", "nothing", "-d", folder, "--yes"]);
  expect([missing.code, missing.err]).toEqual([4, expect.stringContaining("nor a file of it")]);
  expect((await run(["update", folder, "--yes"])).err).toContain("left out: you removed it");
  writeFileSync(join(folder, "config/lamp.toml"), "my light");
  const before = treeOf(folder);
  const { code, err } = await run(["remove", slug("fancy"), "-d", folder, "--yes"]);
  expect([code, err]).toEqual([0, expect.stringMatching(/config\/lamp\.toml +kept: you changed it/)]);
  expect(treeOf(folder)).toEqual({ ...own, "config/lamp.toml": "my light" });
  expect(existsSync(join(folder, "shelf.lock"))).toBe(false);
  expect((await run(["undo", folder])).code).toBe(0);
  expect(treeOf(folder)).toEqual(before);
});
