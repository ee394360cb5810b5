// The real program as a child process: the built main.js, its own data folder, a port that it chooses itself. It gets
// only the environment variables that it needs to run.
import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, afterEach } from "vitest";
import { Actor } from "#test/callers/actors.js";
import { dataFolder } from "#test/setup/data-folder.js";

export type Settings = Record<string, string>;

/** The program chooses its port itself, so its URL cannot contain it. */
export const siteUrl = "http://localhost";
/** One process starts in a third of the time of a server with workers; tests of these set the number. */
export const anyPort: Settings = { MODSHELF_PORT: "0", MODSHELF_URL: siteUrl, MODSHELF_WORKERS: "1" };

export interface ProgramOptions {
  settings?: Settings;
  /** The working folder; a new temporary one when absent. */
  cwd?: string;
  /** Options of Node.js itself. */
  nodeArgs?: string[];
  /** The maximum number of open files. */
  openFiles?: number;
  /** The file mode creation mask, in octal digits. */
  umask?: string;
  /** Opens a channel between the two processes for messages. */
  hasChannel?: boolean;
}

const root = fileURLToPath(new URL("../../", import.meta.url));
const compiled = join(root, "node_modules/.cache/modshelf-test");
const children = new Set<ChildProcess>();
const servers = new Set<ChildProcess>();
const folders = new Set<string>();

async function endAll(all: ReadonlySet<ChildProcess>): Promise<void> {
  for (const child of all) {
    const exited = once(child, "exit");
    if (child.kill("SIGKILL")) await exited;
  }
}

/**
 * To be called at the top of each test file: removes the processes and folders that its tests leave behind. A server
 * ends with the test that started it, because a new server has work to do for half a minute even without requests; with
 * `shared`, the tests of the file share servers, which end with the file.
 */
export function useProcesses({ shared = false } = {}): void {
  if (!shared) afterEach(() => endAll(servers));
  afterAll(async () => {
    await endAll(children);
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    folders.clear();
  });
}

export function temporaryFolder(): string {
  const folder = dataFolder();
  folders.add(folder);
  return folder;
}

let built: Promise<void> | undefined;

/** `npm test` has built already; a test that runs alone builds the changes since. */
export const build = (): Promise<void> => {
  built ??= (async () => {
    const load = (name: string) => import(pathToFileURL(join(root, "scripts", name)).href);
    const { isBuilt, build } = await load("compile.mjs");
    const { withLock } = await load("lock.mjs");
    if (!isBuilt()) await withLock(build);
  })();
  return built;
};

export class Program {
  readonly child: ChildProcess;
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  stdout = "";
  stderr = "";
  readonly #waiting = new Set<() => void>();

  constructor(child: ChildProcess) {
    this.child = child;
    children.add(child);
    const hear = (stream: "stdout" | "stderr") =>
      child[stream]?.setEncoding("utf8").on("data", (text: string) => {
        this[stream] += text;
        for (const wake of this.#waiting) wake();
      });
    hear("stdout");
    hear("stderr");
    // "close" is emitted after the last output.
    this.exited = once(child, "close").then(([code, signal]) => {
      children.delete(child);
      servers.delete(child);
      for (const wake of this.#waiting) wake();
      return { code, signal };
    });
  }

  /** Waits for a text in the output; throws an error with the output if the program ends without it. */
  async heard(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const found = pattern.exec(this.stdout) ?? pattern.exec(this.stderr);
      if (found) return found;
      if (this.child.exitCode !== null || this.child.signalCode !== null)
        throw new Error(`The program ended without ${pattern}:\n${this.stdout}\n${this.stderr}`);
      await new Promise<void>((resolve) => {
        const wake = () => {
          this.#waiting.delete(wake);
          resolve();
        };
        this.#waiting.add(wake);
      });
    }
  }
}

export async function startProgram(args: string[], options: ProgramOptions = {}): Promise<Program> {
  await build();
  const { settings = {}, cwd = temporaryFolder(), nodeArgs = [], openFiles, umask, hasChannel = false } = options;
  const call = [process.execPath, ...nodeArgs, join(root, "dist/server/src/main.js"), ...args];
  const [command = "", ...rest] =
    openFiles === undefined && umask === undefined
      ? call
      : ["/bin/sh", "-c", `ulimit -n ${openFiles ?? "unlimited"}; umask ${umask ?? "022"}; exec "$@"`, "sh", ...call];
  // The same code is started hundreds of times, and a quarter of each start is compilation.
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, NODE_COMPILE_CACHE: compiled, ...settings };
  const stdio: StdioOptions = ["ignore", "pipe", "pipe", ...(hasChannel ? (["ipc"] as const) : [])];
  return new Program(spawn(command, rest, { cwd, env, stdio }));
}

export interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
  ms: number;
}

/** Runs a command to its end. */
export async function run(args: string[], options: ProgramOptions = {}): Promise<Finished> {
  await build();
  const begun = performance.now();
  const program = await startProgram(args, options);
  const { code } = await program.exited;
  return { code, stdout: program.stdout, stderr: program.stderr, ms: performance.now() - begun };
}

export class RunningServer {
  readonly program: Program;
  readonly settings: Settings;
  readonly cwd: string;
  readonly port: number;
  readonly origin: string;
  readonly anyone: Actor;

  constructor(program: Program, settings: Settings, cwd: string, port: number) {
    this.program = program;
    this.settings = settings;
    this.cwd = cwd;
    this.port = port;
    this.origin = `http://127.0.0.1:${this.port}`;
    this.anyone = new Actor(this.origin);
  }

  /** Runs a command of the same instance. */
  command = (...args: string[]): Promise<Finished> => run(args, { settings: this.settings, cwd: this.cwd });

  /** Creates an account and returns an actor with its session. */
  async signUp(userName: string, password = "a long enough password"): Promise<Actor> {
    const account = { userName, email: `${userName}@example.org`, password };
    const reply = await this.anyone.post("/api/auth/signup", account);
    if (reply.status !== 200) throw new Error(`Sign-up failed: ${reply.text}`);
    return this.withCookie(reply.headers.get("set-cookie") ?? "");
  }

  withCookie = (setCookie: string): Actor =>
    new Actor(this.origin, { cookie: setCookie.split(";")[0] ?? "", origin: siteUrl });

  /** Stops it as a service manager does. */
  async stop(): Promise<number | null> {
    this.program.child.kill("SIGTERM");
    return (await this.program.exited).code;
  }

  /** Ends it as a power failure does. */
  async kill(): Promise<void> {
    this.program.child.kill("SIGKILL");
    await this.program.exited;
  }

  /** Starts the same instance again. */
  restart = (changes: Settings = {}): Promise<RunningServer> =>
    startServer({ settings: { ...this.settings, ...changes }, cwd: this.cwd });
}

/** Resolves when it accepts requests. */
export async function startServer(options: ProgramOptions = {}): Promise<RunningServer> {
  const { cwd = temporaryFolder(), ...rest } = options;
  const settings = { ...anyPort, MODSHELF_RATE_LIMITS: "off", ...options.settings };
  const program = await startProgram(["serve"], { ...rest, settings, cwd });
  servers.add(program.child);
  return new RunningServer(program, settings, cwd, await portOf(program));
}

/** The port from the program's log. */
export async function portOf(program: Program): Promise<number> {
  await program.heard(/Modshelf is running at .*\n/);
  return Number((await program.heard(/"listening":"http:[^"]*:(\d+)"/))[1]);
}

/** The port of a server that was started with MODSHELF_METRICS_PORT=0. */
export async function metricsPortOf(program: Program): Promise<number> {
  return Number((await program.heard(/"port":(\d+),"msg":"The metrics server is listening"/))[1]);
}

/** The code in the setup link of a log. */
export function findSetupCode(log: string): string | undefined {
  return /\/setup\?code=(msc_\w+)/.exec(log)?.[1];
}
