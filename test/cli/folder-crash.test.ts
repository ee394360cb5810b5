// The built program is killed at every call that changes a file (`npm run test:long`; `npm test` tries every sixth, and
// folder-changes.test.ts all of them in one process). The next command finds the folder as it was before, or as it should
// be, and never anything between.
import { once } from "node:events";
import { cpSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { isLong } from "#test/setup/long.js";
import { contentOf, startRegistry, useFolders } from "./folder-world.js";
import { indexFile, mrpack, treeOf, writeTree } from "./pack-world.js";
import { startShelf } from "./shelf.js";

const root = join(import.meta.dirname, "../..");
const newFolder = useFolders();
const program = join(newFolder(), "shelf.cjs");
const { buildCommandLine } = await import(pathToFileURL(join(root, "scripts/packages.mjs")).href);
const { host, mods, publish, slug, bytes, run } = await startRegistry();

/** Before and after an update with everything that can happen to a file. */
const [before, after] = [newFolder(), newFolder()];
beforeAll(async () => {
  await buildCommandLine(program);
  await publish("core@1.0");
  await publish("same@1.0", { fileName: "same.jar" });
  await publish("off@1.0");
  await run(["install", slug("same"), slug("off"), "-d", before, "-v", "0.4.8", "-l", "quilt", "--yes"]);
  cpSync(join(before, "off-1.0.jar"), join(before, "copy.jar.disabled"));
  cpSync(newFolder({ "own.jar": "mine", "own.txt": "mine" }), before, { recursive: true });
  await publish("same@1.1", { fileName: "same.jar" });
  await publish("off@1.1", { needs: "core" });
  cpSync(before, after, { recursive: true });
  expect((await run(["update", after, "--yes"])).code).toBe(0);
  expect(Object.keys(contentOf(after))).toEqual(["core-1.0.jar", "off-1.1.jar", "own.jar", "own.txt", "same.jar"]);
  expect(contentOf(after)["same.jar"]).toBe(bytes("same@1.1").toString("base64"));
});

const stride = isLong ? 1 : 6;

/** Runs the program until its nth call, or to its end. */
async function killAt(n: number, args: readonly string[]) {
  const child = startShelf(program, args, {
    env: {
      ...process.env,
      SHELF_HOST: host,
      SHELF_CONFIG: `${program}.json`,
      KILL_AT: String(n),
      NODE_OPTIONS: `--import=${join(import.meta.dirname, "kill-at.mjs")}`,
    },
  });
  let err = "";
  child.stderr!.on("data", (piece) => {
    err += piece;
  });
  const [code, signal] = await once(child, "close");
  return { code, signal, calls: Number(/calls: (\d+)/.exec(err)?.[1]), err };
}

const stateOf = (folder: string) => ({
  ...treeOf(folder),
  "shelf.lock": existsSync(join(folder, "shelf.lock")) ? readFileSync(join(folder, "shelf.lock"), "utf8") : "",
});
type Template = () => { from: string; to: string; args: (folder: string) => string[] };

/** Every moment of one command. Two programs run at once, each in its own folder. */
async function tryAll(template: Template) {
  const { from, to, args } = template();
  const copy = () => {
    const folder = newFolder();
    cpSync(from, folder, { recursive: true });
    return folder;
  };
  const whole = copy();
  const { code, calls, err } = await killAt(0, args(whole));
  expect([code, err]).toEqual([0, expect.stringContaining("calls: ")]);
  expect(stateOf(whole)).toEqual(stateOf(to));
  const ends = { before: 0, after: 0 };
  let next = 1;
  const work = async () => {
    while (next <= calls) {
      const n = next;
      next += stride;
      const folder = copy();
      const killed = await killAt(n, args(folder));
      // Files come in any order, so a run may have a call more or less.
      if (killed.signal === null) expect(killed.code).toBe(0);
      const listed = await run(["list", folder]);
      expect([n, listed.code, listed.err]).toEqual([n, 0, expect.stringMatching(/^$|complete now/)]);
      const state = stateOf(folder);
      const isAfter = JSON.stringify(state) === JSON.stringify(stateOf(to));
      if (!isAfter) expect({ n, ...state }).toEqual({ n, ...stateOf(from) });
      ends[isAfter ? "after" : "before"]++;
      // The command can be repeated, and completes its work.
      if (!isAfter) expect((await run(args(folder))).code).toBe(0);
      expect({ n, ...stateOf(folder) }).toEqual({ n, ...stateOf(to) });
      const left = readdirSync(join(folder, ".shelf")).sort();
      // The next change removes what was not tidied up.
      if (isAfter) expect([n, left.includes("journal.json")]).toEqual([n, false]);
      else expect([n, left]).toEqual([n, [".gitignore", "changes", "trash"]]);
    }
  };
  await Promise.all([work(), work()]);
  return { ...ends, calls };
}

describe("killed at calls that change files", () => {
  test("an update is all or nothing", async () => {
    const {
      before: early,
      after: late,
      calls,
    } = await tryAll(() => ({
      ...{ from: before, to: after, args: (folder) => ["update", folder, "--yes"] },
    }));
    expect(calls).toBeGreaterThan(40);
    expect(early).toBeGreaterThan(Math.floor(20 / stride));
    expect(late).toBeGreaterThan(Math.floor(10 / stride));
  });

  test("an update of a pack is all or nothing", async () => {
    const mod = (text: string) => {
      const name = `${text.replace("@", "-")}.jar`;
      const url = `${host}/cdn/data/project/${mods.id("off")}/version/${mods.versionId(text)}/${name}`;
      return indexFile(`mods/${name}`, bytes(text), url);
    };
    const inside = (text: string) => ({ "overrides/config/a.toml": text, [`overrides/config/${text}/b.toml`]: text });
    const [from, to] = [newFolder(), newFolder()];
    const [old, next] = ["old", "new"].map((text, n) =>
      join(
        newFolder({ "a.mrpack": mrpack({ version: text, files: [mod(`off@1.${n}`)], inside: inside(text) }) }),
        "a.mrpack",
      ),
    ) as [string, string];
    writeTree(from, { "config/own.toml": "mine", "mods/own.jar": "mine" });
    expect((await run(["install", old, from, "--yes"])).code).toBe(0);
    cpSync(from, to, { recursive: true });
    const args = (folder: string) => ["install", next, folder, "--yes"];
    expect((await run(args(to))).code).toBe(0);
    expect(Object.keys(treeOf(to))).toEqual([
      ...["config/a.toml", "config/new/b.toml", "config/own.toml", "mods/off-1.1.jar", "mods/own.jar"],
    ]);
    const ends = await tryAll(() => ({ from, to, args }));
    expect(ends.before).toBeGreaterThan(Math.floor(20 / stride));
    expect(ends.after).toBeGreaterThan(Math.floor(10 / stride));
  });

  test("an undo is all or nothing", async () => {
    const { before: early, after: late } = await tryAll(() => ({
      ...{ from: after, to: before, args: (folder) => ["undo", folder] },
    }));
    expect(early).toBeGreaterThan(Math.floor(5 / stride));
    expect(late).toBeGreaterThan(Math.floor(10 / stride));
  });
});
