// The write-ahead log of an SQLite database. A commit only appends to it. Writing the log to the disk and copying its
// pages into the database (a checkpoint) wait for the disk, so other threads do both: the event loop goes on.
import fs from "node:fs";
import { dirname } from "node:path";
import { Worker } from "node:worker_threads";
import { syncFolder, systemFileSystem } from "#lib/file-system.js";
import { ownModule } from "#lib/own-files.js";
import { Rounds } from "#lib/rounds.js";

/** A longer log is copied into the database, and begins again. */
export const checkpointBytes = 32 * 1024 * 1024;
/** How often pages are copied while others write. Each copy leaves the pages that they write during it: the second one few. */
const timesBesideOthers = 2;
/** Starting the thread costs as much as copying thousands of pages, and each thread takes memory. */
const idleMs = 20_000;

/** Waits until no other write is running; the returned function lets the next one begin. */
type TakeTurn = () => Promise<() => void>;

export class SqliteLog {
  readonly #path: string;
  readonly #takeTurn: TakeTurn;
  readonly #syncs = new Rounds(() => this.#sync());
  #file: number | undefined;
  #failure: Error | undefined;
  /** The length at which the next checkpoint begins. */
  #nextBytes = checkpointBytes;
  #worker: Worker | undefined;
  #isCopying = false;
  #ending: NodeJS.Timeout | undefined;

  /** `path`: of the database. */
  constructor(path: string, takeTurn: TakeTurn) {
    this.#path = path;
    this.#takeTurn = takeTurn;
  }

  /** When this resolves, everything that was committed before the call survives a power failure. */
  sync(): Promise<void> {
    return this.#syncs.next();
  }

  async close(): Promise<void> {
    await this.#syncs.running?.catch(() => undefined);
    await this.#endThread();
    if (this.#file !== undefined) fs.closeSync(this.#file);
  }

  async #sync(): Promise<void> {
    const file = await this.#orFail(async () => {
      this.#file ??= await this.#open();
      await dataSync(this.#file);
      return this.#file;
    });
    this.#look(file);
  }

  /** A failure is final: the kernel may have dropped pages, so a second try could succeed and prove nothing. */
  async #orFail<T>(write: () => Promise<T>): Promise<T> {
    if (this.#failure) throw this.#failure;
    try {
      return await write();
    } catch (error) {
      this.#failure = toFailure(error as Error);
      throw this.#failure;
    }
  }

  /** The file may be new: it can be lost as a whole until its folder is on the disk. */
  async #open(): Promise<number> {
    await syncFolder(systemFileSystem, dirname(this.#path));
    // SQLite keeps no locks on this file, which closing it would release.
    return fs.openSync(`${this.#path}-wal`, "r+");
  }

  /** Begins a checkpoint if the log has become long. */
  #look(file: number): void {
    const { size } = fs.fstatSync(file);
    if (size <= checkpointBytes) this.#nextBytes = checkpointBytes;
    if (size <= this.#nextBytes || this.#isCopying) return;
    // Should this checkpoint have no effect, for example because of a long read, then the next one is later.
    this.#nextBytes = size + checkpointBytes;
    void this.#checkpoint();
  }

  /**
   * First copies most pages, while others write. The rest is copied while no one writes; then nothing in the log is needed
   * any more, and the next commit begins it again. SQLite writes the database to the disk only then, and all other writes
   * would wait for all of it: so most of it is written to the disk before. If the thread fails, SQLite itself copies the
   * pages (sqlite-connection.ts).
   */
  async #checkpoint(): Promise<void> {
    clearTimeout(this.#ending);
    this.#isCopying = true;
    try {
      this.#worker ??= startThread(this.#path);
      const database = fileOf(this.#path);
      for (let times = 0; times < timesBesideOthers; times++) {
        await copyPages(this.#worker);
        await this.#orFail(() => dataSync(database));
      }
      const release = await this.#takeTurn();
      await copyPages(this.#worker).finally(release);
    } catch {
      // The log stays as it is until the next checkpoint.
      await this.#endThread();
    }
    this.#isCopying = false;
    this.#ending = setTimeout(() => void this.#endThread(), idleMs).unref();
  }

  async #endThread(): Promise<void> {
    clearTimeout(this.#ending);
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }
}

const databaseFiles = new Map<string, number>();

/** Each stays open until the process ends: closing it would release the locks that SQLite has on the database. */
function fileOf(path: string): number {
  const file = databaseFiles.get(path) ?? fs.openSync(path, "r+");
  databaseFiles.set(path, file);
  return file;
}

function dataSync(file: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  fs.fdatasync(file, (error) => (error ? reject(error) : resolve()));
  return promise;
}

function startThread(path: string): Worker {
  const worker = new Worker(ownModule("platform/db/sqlite-checkpoint-thread"), {
    ...{ execArgv: [], env: {}, workerData: path },
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 },
  });
  // After an error it ends, which is noticed.
  worker.on("error", () => {});
  // It must not keep the process running.
  worker.unref();
  return worker;
}

/** Rejects if the thread ends. */
function copyPages(worker: Worker): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const onExit = () => reject(new Error("The thread has ended"));
  worker.once("exit", onExit).once("message", resolve);
  worker.postMessage("copy");
  return promise.finally(() => worker.off("exit", onExit).off("message", resolve));
}

/** The same code as when SQLite itself cannot write (dialect.ts). */
const toFailure = (cause: Error & { code?: string }): Error =>
  Object.assign(new Error("The database cannot be written to the disk", { cause }), { code: cause.code, errcode: 10 });
