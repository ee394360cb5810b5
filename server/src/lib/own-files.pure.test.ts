// The environment of threads, in processes with and without a folder for compiled code.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const program = `
  import { Worker } from "node:worker_threads";
  import { threadEnvironment } from ${JSON.stringify(new URL("own-files.ts", import.meta.url).href)};
  const code = "const { getCompileCacheDir } = require('node:module');"
    + "require('node:worker_threads').parentPort.postMessage({ folder: getCompileCacheDir(), names: Object.keys(process.env) })";
  new Worker(code, { eval: true, execArgv: [], env: threadEnvironment() })
    .once("message", (message) => console.log(JSON.stringify(message)));`;

const startThread = (env: Record<string, string>): { folder?: string; names: string[] } =>
  JSON.parse(execFileSync(process.execPath, ["--input-type=module", "-e", program], { env, encoding: "utf8" }));

test("a thread uses the compiled code of the main thread, and gets nothing else from the environment", () => {
  const folder = mkdtempSync(join(tmpdir(), "modshelf-compiled-"));
  try {
    const found = startThread({ NODE_COMPILE_CACHE: folder, MODSHELF_SECRET: "hidden" });
    expect(found.names).toEqual(["NODE_COMPILE_CACHE"]);
    expect(dirname(found.folder!)).toBe(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
  expect(startThread({ MODSHELF_SECRET: "hidden" })).toEqual({ names: [] });
});
