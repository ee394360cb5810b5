import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, describe, expect, test } from "vitest";
import { DataFolderInUse, findServer, lockDataFolder } from "./server-lock.js";

const folder = mkdtempSync(join(tmpdir(), "modshelf-lock-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A process that takes the lock and holds it until it is killed. */
async function holdInProcess(dataDir: string): Promise<ChildProcess> {
  const file = join(folder, "holder.mjs");
  const source = JSON.stringify(fileURLToPath(new URL("./server-lock.ts", import.meta.url)));
  await build({
    stdin: {
      contents: `import { lockDataFolder } from ${source};
        lockDataFolder(process.argv[2]);
        console.log("locked");
        setInterval(() => {}, 1000);`,
      resolveDir: folder,
    },
    outfile: file,
    bundle: true,
    platform: "node",
    format: "esm",
  });
  const child = spawn(process.execPath, [file, dataDir]);
  await once(child.stdout, "data");
  return child;
}

describe("the lock on a data folder", () => {
  test("is held by one server, creates the folder, and is free after its release", () => {
    const dataDir = join(folder, "new", "data");
    expect(findServer(dataDir)).toBeUndefined();
    const unlock = lockDataFolder(dataDir);
    expect(findServer(dataDir)).toContain(String(process.pid));
    expect(() => lockDataFolder(dataDir)).toThrow(DataFolderInUse);
    unlock();
    expect(findServer(dataDir)).toBeUndefined();
    lockDataFolder(dataDir)();
  });

  test("names the other process and what to do, and is freed when that process is killed", async () => {
    const dataDir = join(folder, "shared");
    const holder = await holdInProcess(dataDir);
    expect(() => lockDataFolder(dataDir)).toThrow(
      new RegExp(`process ${holder.pid}.*already uses the data folder ${dataDir}.*MODSHELF_DATA_DIR.*PostgreSQL`),
    );
    expect(findServer(dataDir)).toContain(String(holder.pid));
    holder.kill("SIGKILL");
    await once(holder, "exit");
    expect(findServer(dataDir)).toBeUndefined();
    lockDataFolder(dataDir)();
  });

  test("does not lock another folder", () => {
    const [one, other] = [join(folder, "one"), join(folder, "other")];
    const unlockOne = lockDataFolder(one);
    expect(findServer(other)).toBeUndefined();
    const unlockOther = lockDataFolder(other);
    unlockOne();
    expect([findServer(one), findServer(other)]).toEqual([undefined, expect.stringContaining(String(process.pid))]);
    unlockOther();
    expect(findServer(other)).toBeUndefined();
  });
});
