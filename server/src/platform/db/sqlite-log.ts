// The write-ahead log of an SQLite database. A commit only appends to it. Writing the log to the disk and copying its
// pages into the database (a checkpoint) wait for the disk, so other threads do both: the event loop goes on.
import { once } from "node:events";
import { type FileHandle, open } from "node:fs/promises";
import { Worker } from "node:worker_threads";
import { ownModule } from "#lib/own-files.js";
import { Rounds } from "#lib/rounds.js";

/** A longer log is copied into the database, and begins again. */
export const checkpointBytes = 16 * 1024 * 1024;

/** Waits until no other write is running; the returned function lets the next one begin. */
type TakeTurn = () => Promise<() => void>;

export class SqliteLog {
  readonly #path: string;
  readonly #takeTurn: TakeTurn;
  readonly #syncs = new Rounds(() => this.#sync());
  #file: FileHandle | undefined;
  #failure: Error | undefined;
  /** The length at which the next checkpoint begins. */
  #nextBytes = checkpointBytes;
  #worker: Worker | undefined;

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
    await this.#worker?.terminate();
    await this.#file?.close();
  }

  async #sync(): Promise<void> {
    if (this.#failure) throw this.#failure;
    // SQLite keeps no locks on this file, which closing it would release.
    this.#file ??= await open(`${this.#path}-wal`, "r+");
    try {
      await this.#file.datasync();
    } catch (error) {
      // Final: the kernel may have dropped the pages, so a second try could succeed and prove nothing.
      this.#failure = toFailure(error as Error);
      throw this.#failure;
    }
    const { size } = await this.#file.stat();
    if (size <= checkpointBytes) this.#nextBytes = checkpointBytes;
    if (size <= this.#nextBytes || this.#worker) return;
    // Should this checkpoint have no effect, for example because of a long read, then the next one is later.
    this.#nextBytes = size + checkpointBytes;
    void this.#checkpoint();
  }

  /**
   * First copies most pages, while others write. The rest is copied while no one writes; then nothing in the log is needed
   * any more, and the next commit begins it again. If the thread fails, SQLite itself copies the pages (sqlite.ts).
   */
  async #checkpoint(): Promise<void> {
    const worker = new Worker(ownModule("platform/db/sqlite-checkpoint-thread"), {
      ...{ execArgv: [], env: {}, workerData: this.#path },
      resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 },
    });
    worker.unref();
    this.#worker = worker;
    const ended = once(worker, "exit").then(() => Promise.reject(new Error("The thread has ended")));
    const copied = () => Promise.race([once(worker, "message"), ended]);
    try {
      await copied();
      const release = await this.#takeTurn();
      try {
        worker.postMessage("rest");
        await copied();
      } finally {
        release();
      }
    } catch {
      // The log stays as it is until the next checkpoint.
    } finally {
      await worker.terminate();
      this.#worker = undefined;
    }
  }
}

/** The same code as when SQLite itself cannot write (dialect.ts). */
const toFailure = (cause: Error & { code?: string }): Error =>
  Object.assign(new Error("The database cannot be written to the disk", { cause }), { code: cause.code, errcode: 10 });
