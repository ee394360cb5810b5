// Runs the command line as users do. `shelf` calls it in this process, which is quick; `startShelf` starts the built
// program, for tests that kill it.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { run } from "#shelf/run.js";

export interface Outcome {
  code: number;
  out: string;
  err: string;
  /** The document of --json. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look at single fields of many kinds of documents.
  json: any;
}

export interface ShelfOptions {
  env?: Record<string, string>;
  /** The user's input. With it, the program believes that it has a terminal. */
  typed?: string;
  /** The output of another program as the standard input. */
  piped?: Readable;
  signal?: AbortSignal;
}

const collect = () => {
  const pieces: Buffer[] = [];
  const stream = new Writable({
    write(piece, _encoding, done) {
      pieces.push(Buffer.from(piece));
      done();
    },
  });
  return { stream, text: () => Buffer.concat(pieces).toString() };
};

/** No test sees the settings of the person who runs it. */
const settings = mkdtempSync(join(tmpdir(), "modshelf-settings-"));
process.once("exit", () => rmSync(settings, { recursive: true, force: true }));

export async function shelf(
  args: readonly string[],
  { env = {}, typed, piped, signal = new AbortController().signal }: ShelfOptions = {},
): Promise<Outcome> {
  const [out, err] = [collect(), collect()];
  const isTTY = typed !== undefined;
  const code = await run(args, {
    input: Object.assign(piped ?? Readable.from(isTTY ? [typed] : []), { isTTY }),
    output: Object.assign(out.stream, { isTTY }),
    errors: Object.assign(err.stream, { isTTY }),
    env: { SHELF_CONFIG: join(settings, "config.json"), ...env },
    signal,
  });
  return { code, out: out.text(), err: err.text(), json: args.includes("--json") ? JSON.parse(out.text()) : undefined };
}

/** The built program in a process of its own. `program` is the file that the build made. */
export const startShelf = (
  program: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv },
) => spawn(process.execPath, [program, ...args], { stdio: ["ignore", "pipe", "pipe"], ...options }) as ChildProcess;
