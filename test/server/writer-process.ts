// A second process of the same instance that writes with the server's own code, as a command-line tool does.
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { Config } from "#config/config.js";

const source = (path: string): string =>
  JSON.stringify(fileURLToPath(new URL(`../../server/src/${path}`, import.meta.url)));

/** Each line has an id: the program writes the change or enqueues the job, and prints when it was committed. */
const program = `
  import { createInterface } from "node:readline";
  import { ChangeLog } from ${source("platform/changes/change-log.ts")};
  import { ServerMemory } from ${source("platform/changes/server-memory.ts")};
  import { write } from ${source("platform/changes/write.ts")};
  import { openDatabase } from ${source("platform/db/open.ts")};
  import { systemClock } from ${source("lib/clock.ts")};
  import { systemRandom } from ${source("lib/random.ts")};
  const database = openDatabase(JSON.parse(process.argv[2]), () => {});
  const changeLog = new ChangeLog(database, { warn() {} });
  const to = { db: database.db, clock: systemClock, random: systemRandom, changeLog };
  const lines = createInterface({ input: process.stdin });
  console.log("ready");
  for await (const line of lines) {
    const { kind, id } = JSON.parse(line);
    await write(to, { credential: "other process" }, async (tx) => {
      if (kind === "job") tx.enqueue(id, {});
      else tx.changed(kind, id);
    });
    console.log(Date.now());
  }
  await database.close();
`;

export interface WriterProcess {
  /** Resolves to the time of the commit. */
  write(kind: "setting" | "job", id: string): Promise<number>;
  close(): Promise<void>;
}

export async function startWriterProcess(config: Config["database"]): Promise<WriterProcess> {
  const folder = mkdtempSync(join(tmpdir(), "modshelf-writer-"));
  const file = join(folder, "program.mjs");
  await build({
    stdin: { contents: program, resolveDir: fileURLToPath(new URL(".", import.meta.url)) },
    outfile: file,
    bundle: true,
    platform: "node",
    format: "esm",
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    external: ["pg-native"],
    logLevel: "error",
  });
  const child: ChildProcessWithoutNullStreams = spawn(process.execPath, [file, JSON.stringify(config)]);
  let trouble = "";
  child.stderr.on("data", (text) => {
    trouble += text;
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const nextLine = async (): Promise<string> => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`The writing process ended: ${trouble}`);
    return value;
  };
  await nextLine();
  return {
    async write(kind, id) {
      child.stdin.write(`${JSON.stringify({ kind, id })}\n`);
      return Number(await nextLine());
    },
    async close() {
      const ended = new Promise((resolve) => child.once("close", resolve));
      child.stdin.end();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
