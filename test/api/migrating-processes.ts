// Several real processes that migrate one database at the same time: SQLite's locks work between processes, and inside
// one they would only block its single thread.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { Config } from "#config/config.js";

const source = (path: string): string =>
  JSON.stringify(fileURLToPath(new URL(`../../server/src/${path}`, import.meta.url)));

/** Reports that it is ready, waits for the signal, migrates, and prints the migrations it ran. */
const program = `
  import { migrate } from ${source("platform/db/migrate.ts")};
  import { openDatabase } from ${source("platform/db/open.ts")};
  process.stderr.write("there");
  process.stdin.once("data", async () => {
    process.stdin.destroy();
    const database = openDatabase(JSON.parse(process.argv[2]), () => {});
    const run = await migrate(database.db, 1);
    await database.close();
    process.stdout.write(JSON.stringify({ run }));
  });
`;

export async function migrateInProcesses(config: Config["database"], count: number): Promise<{ run: string[] }[]> {
  const folder = mkdtempSync(join(tmpdir(), "modshelf-migrating-"));
  try {
    const file = join(folder, "program.mjs");
    await build({
      stdin: { contents: program, resolveDir: fileURLToPath(new URL(".", import.meta.url)) },
      outfile: file,
      bundle: true,
      platform: "node",
      format: "esm",
      // For the parts of pg, which are CommonJS.
      banner: { js: 'const require = process.getBuiltinModule("node:module").createRequire(import.meta.url);' },
      external: ["pg-native"],
      logLevel: "error",
    });
    const processes = Array.from({ length: count }, () => spawn(process.execPath, [file, JSON.stringify(config)]));
    await Promise.all(processes.map((child) => once(child.stderr, "data")));
    for (const child of processes) child.stdin.write("go");
    return await Promise.all(processes.map(readResult));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function readResult(child: ChildProcess): Promise<{ run: string[] }> {
  const [output, trouble] = await Promise.all([text(child.stdout!), text(child.stderr!)]);
  if (output === "") throw new Error(`A migrating process failed: ${trouble}`);
  return JSON.parse(output);
}
