// Folders: install, update, list, remove, verify, identify and undo against a real registry.
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { write } from "#platform/changes/write.js";
import { contentOf, lockOf, namesIn, startRegistry, useFolders } from "./folder-world.js";

const newFolder = useFolders();
const { world, host, mods, publish, slug, bytes, run } = await startRegistry();
await publish("core@1.0");
await publish("grass@1.0", { needs: "core" });
await publish("grass@1.1", { needs: "core" });
await publish("lamp@1.0");
await publish("lamp@2.0-b1", { channel: "beta" });
await publish("old@1.0", { gameVersions: ["0.4.6"] });
const place = ["-v", "0.4.8", "-l", "quilt"];
const own = { "own.txt": "mine", "own.jar": "also mine" };

/** Rows in short, such as "update grass 1.0 1.1". */
const rowsOf = ({ json }: { json: { changes: Record<string, string | null>[] } }) =>
  json.changes.map(({ change, project, from, to }) => {
    const name = [...mods.projects].find(([, one]) => one.slug === project)?.[0];
    return [change, name, from, to].filter((part) => part !== null).join(" ");
  });

/** A folder with grass 1.0, its core and own files, as installed by the command line. */
async function installed(): Promise<string> {
  const folder = newFolder(own);
  expect((await run(["install", `${slug("grass")}@1.0`, "-d", folder, ...place, "--yes"])).err).not.toContain("!");
  return folder;
}

test("every command for a folder takes its name as a word or with --dir, but not both", async () => {
  const folder = await installed();
  for (const command of ["list", "outdated", "verify", "update", "undo"]) {
    const more = command === "update" || command === "undo" ? ["--dry-run", "--json"] : ["--json"];
    const [word, option] = [await run([command, folder, ...more]), await run([command, "-d", folder, ...more])];
    expect([option.code, option.json], command).toEqual([word.code, word.json]);
    expect(word.json.error, command).toBeUndefined();
    const both = await run([command, folder, "--dir", folder, "--json"]);
    expect([both.code, both.json.error.message]).toEqual([1, "The folder is named twice."]);
  }
});

describe("install", () => {
  test("brings dependencies along, remembers the setup, and touches no other file", async () => {
    const folder = join(newFolder(), "deep", "mods");
    const dry = await run(["install", slug("grass"), "-d", folder, ...place, "--dry-run", "--json"]);
    expect([dry.code, rowsOf(dry), dry.json.isApplied]).toEqual([0, ["add core 1.0", "add grass 1.1"], false]);
    expect(() => readdirSync(folder)).toThrow("ENOENT");
    const done = await run(["install", slug("grass"), "-d", folder, ...place, "--yes"]);
    expect(done).toMatchObject({
      code: 0,
      out: `2 files added. Take it back with: shelf undo ${relative("", folder)}\n`,
    });
    expect(done.err).toContain(`required by ${slug("grass")} 1.1`);
    expect(contentOf(folder)).toEqual({
      "core-1.0.jar": bytes("core@1.0").toString("base64"),
      "grass-1.1.jar": bytes("grass@1.1").toString("base64"),
    });
    expect(lockOf(folder)).toEqual({
      host,
      setup: { gameVersion: "0.4.8", loader: "quilt", channel: "release" },
      projects: [
        {
          ...{ project: mods.id("core"), slug: slug("core"), version: mods.versionId("core@1.0"), number: "1.0" },
          ...{ file: "core-1.0.jar", sha512: mods.hash("core@1.0"), pinned: false, wanted: false },
        },
        {
          ...{ project: mods.id("grass"), slug: slug("grass"), version: mods.versionId("grass@1.1"), number: "1.1" },
          ...{ file: "grass-1.1.jar", sha512: mods.hash("grass@1.1"), pinned: false, wanted: true },
        },
      ],
    });
    const again = await run(["install", slug("grass"), "-d", folder, "--yes"]);
    expect(again.out).toBe("Everything is installed already.\n");
    expect(readdirSync(join(folder, ".shelf", "changes"))).toEqual(["1.json"]);
  });

  test("without projects restores exactly the files of a lock file, also in place of others", async () => {
    const from = await installed();
    const folder = newFolder({ "shelf.lock": readFileSync(join(from, "shelf.lock")), "grass.jar": bytes("grass@1.1") });
    // The registry of the lock file is used, without any setting.
    const done = await run(["install", "-d", folder, "--yes"], { env: { SHELF_HOST: "http://127.0.0.1:1" } });
    expect(done.code).toBe(0);
    expect(namesIn(folder)).toEqual(["core-1.0.jar", "grass-1.0.jar"]);
    expect(readFileSync(join(folder, "shelf.lock"))).toEqual(readFileSync(join(from, "shelf.lock")));
    expect((await run(["install", "-d", folder, "--yes"])).out).toBe("All files of shelf.lock are here.\n");
  });

  test("says why there is no plan, and names other channels", async () => {
    const folder = newFolder(own);
    const old = await run(["install", slug("old"), "-d", folder, ...place, "--yes"]);
    expect([old.code, old.err]).toEqual([5, expect.stringContaining("There is no combination that fits.")]);
    expect((await run(["install", "no-such-project", "-d", folder, ...place, "--yes"])).code).toBe(4);
    expect(readdirSync(folder).sort()).toEqual(Object.keys(own).sort());
  });

  test("asks on a terminal, and never without one", async () => {
    const folder = newFolder(own);
    const args = ["install", slug("lamp"), "-d", folder, ...place];
    const silent = await run(args);
    expect([silent.code, silent.err]).toEqual([1, expect.stringContaining("Add --yes if you agree")]);
    const no = await run(args, { typed: "n\n" });
    expect([no.code, no.out]).toEqual([0, "Nothing was changed.\n"]);
    expect(readdirSync(folder).sort()).toEqual(Object.keys(own).sort());
    const yes = await run(args, { typed: "\n" });
    expect(yes.err).toContain("Apply 1 new file (64 B)? [Y/n]");
    expect(yes.err).toMatch(/1\/1 {2}█{20} {2}100% {2}64 B\/64 B {2}.*\/s {2}0:00/);
    expect(namesIn(folder)).toContain("lamp-1.0.jar");
  });
});

describe("update", () => {
  test("replaces what is newer, keeps disabled files disabled, and explains the rest", async () => {
    const folder = newFolder({
      ...own,
      "renamed.jar.disabled": bytes("grass@1.0"),
      "core-1.0.jar": bytes("core@1.0"),
      "lamp-1.0.jar": bytes("lamp@1.0"),
      "old.jar": bytes("old@1.0"),
    });
    symlinkSync("/etc/hostname", join(folder, "link.jar"));
    const before = contentOf(folder);
    const look = await run(["outdated", folder, ...place, "--json"]);
    expect(look.code).toBe(2);
    expect(rowsOf(look).sort()).toEqual(["hold old 1.0", "skip lamp 1.0 2.0-b1", "update grass 1.0 1.1"]);
    expect(contentOf(folder)).toEqual(before);
    expect(readdirSync(folder)).not.toContain(".shelf");
    const done = await run(["update", folder, ...place, "--yes"]);
    expect(done.code).toBe(0);
    for (const text of [
      "7 files: 4 known, 3 unknown (left alone)",
      "skipped (channel release; use --channel beta)",
      "held: no version for 0.4.8 and quilt (newest 0.4.6)",
    ])
      expect(done.err).toContain(text);
    const { "renamed.jar.disabled": gone, ...rest } = before;
    expect(contentOf(folder)).toEqual({ ...rest, "grass-1.1.jar.disabled": bytes("grass@1.1").toString("base64") });
    // A bare folder stays bare.
    expect(readdirSync(folder)).not.toContain("shelf.lock");
    expect((await run(["outdated", folder, ...place])).code).toBe(0);
    expect((await run(["undo", folder])).code).toBe(0);
    expect(contentOf(folder)).toEqual({ ...rest, "renamed.jar.disabled": gone });
  });

  test("assumes the setup that all files support", async () => {
    const folder = newFolder({ "grass.jar": bytes("grass@1.0"), "core.jar": bytes("core@1.0") });
    const look = await run(["outdated", folder]);
    expect(look.out).toContain("0.4.8 and quilt is assumed, which all of them support.");
  });

  test("takes only one project, keeps pinned ones, and follows the channel of the lock file", async () => {
    const folder = newFolder({ "lamp-1.0.jar": bytes("lamp@1.0"), "grass-1.0.jar": bytes("grass@1.0"), ...own });
    await run(["install", slug("core"), "-d", folder, ...place, "--channel", "beta", "--yes"]);
    const pin = await run(["update", folder, "--pin", slug("grass"), "--only", "lamp-1.0.jar", "--yes", "--json"]);
    expect(rowsOf(pin)).toEqual(["pinned grass 1.0", "update lamp 1.0 2.0-b1"]);
    expect(namesIn(folder)).toEqual(["core-1.0.jar", "grass-1.0.jar", "lamp-2.0-b1.jar", "own.jar", "own.txt"]);
    expect(rowsOf(await run(["update", folder, "--yes", "--json"]))).toEqual(["pinned grass 1.0"]);
    expect((await run(["list", folder])).out).toMatch(/grass-1\.0\.jar +pinned/);
    const free = await run(["update", folder, "--unpin", slug("grass"), "--yes", "--json"]);
    expect(rowsOf(free)).toEqual(["update grass 1.0 1.1"]);
    expect((await run(["update", folder, "--only", "nothing", "--yes"])).code).toBe(4);
  });

  test("works with names that a registry may not choose", async () => {
    const folder = newFolder({ "-my: lamp?.jar": bytes("lamp@1.0"), "grass*.jar": bytes("grass@1.0"), ...own });
    const before = contentOf(folder);
    expect((await run(["install", slug("core"), "-d", folder, ...place, "--yes"])).code).toBe(0);
    expect((await run(["update", folder, "--channel", "beta", "--yes"])).code).toBe(0);
    expect(namesIn(folder)).toEqual(["core-1.0.jar", "grass-1.1.jar", "lamp-2.0-b1.jar", "own.jar", "own.txt"]);
    await run(["undo", folder]);
    await run(["undo", folder]);
    expect(contentOf(folder)).toEqual(before);
  });

  test("removes an older copy of a project without a download", async () => {
    const folder = newFolder({ "a.jar": bytes("grass@1.0"), "b.jar": bytes("grass@1.1"), "c.jar": bytes("core@1.0") });
    await run(["update", folder, ...place, "--yes"]);
    expect(namesIn(folder)).toEqual(["b.jar", "c.jar"]);
  });
});

describe("remove", () => {
  test("takes dependencies that nothing else needs along, and undo goes back step by step", async () => {
    const folder = await installed();
    const start = contentOf(folder);
    await run(["install", slug("lamp"), "-d", folder, "--yes"]);
    const withLamp = contentOf(folder);
    const done = await run(["remove", slug("grass"), "-d", folder, "--yes", "--json"]);
    expect(rowsOf(done)).toEqual(["remove grass 1.0", "remove core 1.0"]);
    expect(namesIn(folder)).toEqual(["lamp-1.0.jar", "own.jar", "own.txt"]);
    expect(lockOf(folder).projects.map((one: { slug: string }) => one.slug)).toEqual([slug("lamp")]);
    const [trash] = readdirSync(join(folder, ".shelf", "trash")).filter((name) => name.endsWith(".3"));
    expect(trash).toMatch(/^\d{4}-\d\d-\d\d\.3$/);

    const undone = await run(["undo", folder, "--json"]);
    expect(undone.json).toMatchObject({ undone: `remove ${slug("grass")}`, changesLeft: 2 });
    expect(contentOf(folder)).toEqual(withLamp);
    await run(["undo", folder]);
    expect(contentOf(folder)).toEqual(start);
    await run(["undo", folder]);
    expect([namesIn(folder), readdirSync(folder).includes("shelf.lock")]).toEqual([Object.keys(own).sort(), false]);
    expect((await run(["undo", folder])).code).toBe(4);
  });

  test("warns where something still needs the project, and keeps what was asked for", async () => {
    const folder = await installed();
    const dry = await run(["remove", slug("core"), "-d", folder, "--dry-run"]);
    expect(dry.out).toContain(`still required by ${slug("grass")}`);
    await run(["install", slug("core"), "-d", folder, "--yes"]);
    expect(rowsOf(await run(["remove", slug("grass"), "-d", folder, "--yes", "--json"]))).toEqual(["remove grass 1.0"]);
    expect((await run(["remove", "own.jar", "-d", folder, "--yes"])).code).toBe(4);
  });
});

describe("undo", () => {
  test("does not touch a file that the user has changed, and needs what is in the trash", async () => {
    const folder = await installed();
    await run(["update", folder, "--yes"]);
    writeFileSync(join(folder, "grass-1.1.jar"), "patched");
    const changed = await run(["undo", folder]);
    expect([changed.code, changed.err]).toEqual([5, expect.stringContaining("was changed since")]);
    unlinkSync(join(folder, "grass-1.1.jar"));
    mkdirSync(join(folder, "grass-1.0.jar"));
    expect((await run(["undo", folder])).err).toContain("is in the way");
    rmSync(join(folder, "grass-1.0.jar"), { recursive: true });
    expect((await run(["undo", folder])).code).toBe(0);
    expect(namesIn(folder)).toEqual(["core-1.0.jar", "grass-1.0.jar", "own.jar", "own.txt"]);
    await run(["update", folder, "--yes"]);
    rmSync(join(folder, ".shelf", "trash"), { recursive: true });
    const empty = await run(["undo", folder]);
    expect([empty.code, empty.err]).toEqual([4, expect.stringContaining("is no longer in the trash")]);
  });
});

test("list, verify and identify tell what is in a folder", async () => {
  const folder = await installed();
  renameSync(join(folder, "core-1.0.jar"), join(folder, "core-1.0.jar.disabled"));
  const listed = (await run(["list", folder, "--json"])).json.files;
  expect(listed).toContainEqual({
    ...{ file: "core-1.0.jar.disabled", project: slug("core"), version: "1.0" },
    ...{ isPinned: false, isDisabled: true, isDependency: true },
  });
  expect(listed).toContainEqual(expect.objectContaining({ file: "own.jar", project: null }));
  unlinkSync(join(folder, "own.jar"));
  unlinkSync(join(folder, "own.txt"));
  // Everything is in the lock file, so no registry is needed.
  expect((await run(["list", folder, "--host", "http://127.0.0.1:1"])).code).toBe(0);

  const states = async (...paths: string[]) => {
    const { code, json } = await run(["verify", ...paths, "--json"]);
    return [code, ...json.map(({ file, state }: Record<string, string>) => `${file} ${state}`)];
  };
  expect(await states(folder)).toEqual([0, "core-1.0.jar.disabled ok", "grass-1.0.jar ok"]);
  await publish("bad@1.0");
  await write(world.resources, {}, async (tx) => {
    const id = mods.versionId("bad@1.0");
    await tx.db.updateTable("versions").set({ date_yanked: tx.now }).where("id", "=", id).execute();
    tx.changed("project", mods.id("bad"));
  });
  writeFileSync(join(folder, "bad.jar"), bytes("bad@1.0"));
  writeFileSync(join(folder, "grass-1.0.jar"), "patched");
  writeFileSync(join(folder, "x.jar"), "x");
  unlinkSync(join(folder, "core-1.0.jar.disabled"));
  expect(await states(folder)).toEqual([
    2,
    "bad.jar yanked",
    "grass-1.0.jar changed",
    "x.jar unknown",
    "core-1.0.jar missing",
  ]);
  expect(await states(join(folder, "x.jar"), join(folder, "bad.jar"))).toEqual([2, "bad.jar yanked", "x.jar unknown"]);

  const found = await run(["identify", join(folder, "bad.jar"), join(folder, "x.jar"), "--json"]);
  expect(found.code).toBe(4);
  expect(found.json).toMatchObject([{ project: slug("bad"), version: "1.0", yanked: true }, { project: null }]);
  expect((await run(["identify", join(folder, "none.jar")])).err).toContain("does not exist.");
  expect((await run(["list", join(folder, "none")])).code).toBe(4);
});
