// The engine of changes alone, inside this process: it stops, fails, or fails and then stops at every call that changes a
// file. Stopping means that no further call happens, as after a kill.
import fs, { existsSync, readdirSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { carryOut, placesIn, recover, type Step } from "#shelf/folder/changes.js";
import { useFolders } from "./folder-world.js";
import { treeOf, writeTree } from "./pack-world.js";

const newFolder = useFolders();
const steps: Step[] = [
  { kind: "take", name: "a.jar", at: "trash/x.1/a.jar", sha512: "" },
  { kind: "take", name: "b.jar", at: "trash/x.1/b.jar", sha512: "" },
  { kind: "put", name: "a.jar", at: "new/a.jar", sha512: "" },
  { kind: "take", name: "config/old/d.toml", at: "trash/x.1/config/old/d.toml", sha512: "" },
  { kind: "put", name: "config/new/d.toml", at: "new/config/new/d.toml", sha512: "" },
  { kind: "put", name: "c.jar", at: "new/c.jar", sha512: "" },
];
const before = { "a.jar": "old a", "b.jar": "old b", "config/old/d.toml": "old d", "own.jar": "own" };
const after = { "a.jar": "new a", "c.jar": "new c", "config/new/d.toml": "new d", "own.jar": "own" };

function prepare(): string {
  const folder = newFolder();
  writeTree(folder, before);
  writeTree(join(folder, ".shelf/new"), { "a.jar": "new a", "c.jar": "new c", "config/new/d.toml": "new d" });
  return folder;
}

type Call = (...args: unknown[]) => unknown;
const [waited, direct] = [fs.promises, fs] as unknown as Record<string, Call>[];
const real = [
  ...["mkdir", "rm", "rmdir", "rename", "link", "unlink", "writeFile", "open"].map((name) => [waited!, name] as const),
  ...["linkSync", "unlinkSync", "renameSync"].map((name) => [direct!, name] as const),
].map(([place, name]) => ({ place, name, call: place[name]! }));
/** A direct call cannot wait forever: to stop, it fails, and so does every further one. */
function intercept(decide?: () => "fail" | "stop" | undefined): void {
  for (const { place, name, call } of real) {
    const changed: Call = (...args) => {
      const decision = decide!();
      if (!decision) return call(...args);
      if (decision === "stop" && place === waited) return new Promise<never>(() => undefined);
      const error = Object.assign(new Error(decision), { code: "ENOSPC" });
      if (place === waited) return Promise.reject(error);
      throw error;
    };
    place[name] = decide ? changed : call;
  }
  syncBuiltinESMExports();
}
afterEach(() => intercept());

test.each(["stops", "fails", "fails and stops three calls later"])(
  "a change that %s at any call is all or nothing",
  async (how) => {
    const ends = { before: 0, after: 0 };
    for (let at = 1; ; at++) {
      const folder = prepare();
      let count = 0;
      const stopped = Promise.withResolvers<void>();
      let isStopped = false;
      intercept(() => {
        count++;
        if (how !== "stops" && count === at) return "fail";
        isStopped ||= how === "stops" ? count >= at : how !== "fails" && count >= at + 3;
        if (!isStopped) return undefined;
        // After the last call of the change that can still be made.
        setImmediate(stopped.resolve);
        return "stop";
      });
      const change = { number: 1, date: "2026", command: "update", steps };
      const running = carryOut(placesIn(folder), change).then(
        () => "done",
        () => "failed",
      );
      const outcome = await Promise.race([running, stopped.promise]);
      intercept();
      if (count < at) break;
      if (outcome === "failed" && !isStopped) expect([at, treeOf(folder)]).toEqual([at, before]);
      await recover(placesIn(folder));
      const isAfter = "c.jar" in treeOf(folder);
      expect([at, treeOf(folder)]).toEqual([at, isAfter ? after : before]);
      // Folders do not stay empty, unless the end was so near that only tidying up was left.
      if (!isAfter) expect([at, readdirSync(join(folder, "config"))]).toEqual([at, ["old"]]);
      expect([at, existsSync(join(folder, ".shelf/journal.json"))]).toEqual([at, false]);
      ends[isAfter ? "after" : "before"]++;
    }
    expect(Math.min(ends.before, ends.after)).toBeGreaterThan(5);
  },
);
