// Kysely over node:sqlite. There are two connections: a writer, guarded by a queue, and a reader that sees only
// committed data. Statements run on the main thread; waiting for the disk does not (sqlite-log.ts).
import type { StatementSync } from "node:sqlite";
import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SelectQueryNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import { systemClock } from "#lib/clock.js";
import { Queue } from "#lib/queue.js";
import { isSqliteBusy } from "./dialect.js";
import { busyTimeoutMs, Connection } from "./sqlite-connection.js";
import { SqliteLog } from "./sqlite-log.js";

/** The longest pause between two tries for the lock of another process; the first pauses are shorter. */
const longestPauseMs = 25;
/**
 * After this time other requests are answered before the next statement of a transaction. Not earlier, because other
 * writers, and readers that need their result, wait for its end.
 */
const busyMs = 20;

const readsOnly = (query: CompiledQuery): boolean =>
  SelectQueryNode.is(query.query) || /^\s*(select|pragma|explain)\b/i.test(query.sql);

/** The connection that Kysely uses: it becomes the writer when a transaction begins. */
class Lease implements DatabaseConnection {
  inTransaction = false;
  release: () => void = () => {};
  readonly #driver: SqliteDriver;

  constructor(driver: SqliteDriver) {
    this.#driver = driver;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { writer, reader } = this.#driver;
    if (this.inTransaction) {
      await this.#driver.letOthersRun();
      return writer.execute(query);
    }
    if (readsOnly(query)) return reader.execute(query);
    // A statement outside a transaction waits in the queue, or it would run inside another request's transaction.
    const { result, release } = await this.#driver.takeTurn(() => writer.execute<R>(query));
    release();
    await this.#driver.sync();
    return result;
  }

  // biome-ignore lint/correctness/useYield: streaming is refused, and Kysely wants a generator.
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error("Streaming queries are not used; read in pages");
  }
}

/** Decides which of several processes writes next. */
export interface ProcessTurn {
  take(patience: AbortSignal): Promise<void>;
  done(): void;
}

export interface SqliteOptions {
  busyTimeoutMs?: number;
  turn?: ProcessTurn | undefined;
  /** False: a commit may be lost in a power failure. */
  isDurable?: boolean | undefined;
}

export class SqliteDriver implements Driver {
  readonly writer: Connection;
  readonly reader: Connection;
  /** Callers wait for a limited time, so this only bounds memory. */
  readonly #writing = new Queue(1, 10_000);
  readonly #busyTimeoutMs: number;
  readonly #dataVersion: StatementSync;
  readonly #turn: ProcessTurn | undefined;
  readonly #log: SqliteLog | undefined;
  /** When the first statement in this turn of the event loop was executed. */
  #busySince: number | undefined;

  constructor(path: string, options: SqliteOptions = {}) {
    const { isDurable = true } = options;
    this.writer = new Connection(path, { readOnly: false, isDurable });
    this.reader = new Connection(path, { readOnly: true });
    this.#busyTimeoutMs = options.busyTimeoutMs ?? busyTimeoutMs;
    this.#dataVersion = this.reader.database.prepare("PRAGMA data_version");
    this.#turn = options.turn;
    if (isDurable) this.#log = new SqliteLog(path, async () => (await this.takeTurn(() => undefined)).release);
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<Lease> {
    return new Lease(this);
  }

  async beginTransaction(lease: Lease): Promise<void> {
    // IMMEDIATE takes the write lock now, so that a transaction never fails half-way for lack of it.
    const { release } = await this.takeTurn(() => this.writer.database.exec("BEGIN IMMEDIATE"));
    lease.release = release;
    lease.inTransaction = true;
  }

  /**
   * Runs the work when no other write of this server is running, and retries while another process holds the lock. The
   * turn lasts until `release` is called, or until a failure. The timeout includes the wait in the queue, so that all
   * callers are refused after the same time, not one after the other.
   */
  async takeTurn<T>(work: () => T): Promise<{ result: T; release: () => void }> {
    const patience = AbortSignal.timeout(this.#busyTimeoutMs);
    const release = await this.#acquire(patience);
    for (let pauseMs = 1; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      try {
        return { result: work(), release };
      } catch (error) {
        if (!isSqliteBusy(error) || patience.aborted) {
          release();
          throw error;
        }
      }
      await pause(pauseMs);
    }
  }

  /** The turn of this process among those of the server, then of the caller within it. */
  async #acquire(patience: AbortSignal): Promise<() => void> {
    const release = await this.#writing.acquire(patience);
    const turn = this.#turn;
    if (!turn) return release;
    try {
      await turn.take(patience);
    } catch (error) {
      release();
      throw error;
    }
    return () => {
      turn.done();
      release();
    };
  }

  async commitTransaction(lease: Lease): Promise<void> {
    this.writer.database.exec("COMMIT");
    // The next commit comes after this one in the log, so it need not wait for the disk.
    this.#endTransaction(lease);
    await this.sync();
  }

  /** Called after a commit, before it is reported. */
  async sync(): Promise<void> {
    await this.#log?.sync();
  }

  /**
   * Called before each statement of a transaction: they are executed at once, so that a long transaction would block the
   * event loop from its start to its end.
   */
  async letOthersRun(): Promise<void> {
    if (this.#busySince !== undefined && systemClock.now() - this.#busySince > busyMs) await nextTurn();
    if (this.#busySince !== undefined) return;
    this.#busySince = systemClock.now();
    setImmediate(() => {
      this.#busySince = undefined;
    });
  }

  async rollbackTransaction(lease: Lease): Promise<void> {
    // SQLite may have rolled back by itself (disk full, I/O error). If only the wait for the disk has failed, the
    // transaction has ended, and another one may be running.
    try {
      if (lease.inTransaction && this.writer.database.isTransaction) this.writer.database.exec("ROLLBACK");
    } finally {
      this.#endTransaction(lease);
    }
  }

  #endTransaction(lease: Lease): void {
    lease.inTransaction = false;
    lease.release();
    lease.release = () => {};
  }

  async releaseConnection(): Promise<void> {}

  /** Changes whenever another connection, in this process or another, commits. */
  dataVersion(): number {
    return (this.#dataVersion.get() as { data_version: number }).data_version;
  }

  async destroy(): Promise<void> {
    await this.#log?.close();
    this.reader.database.close();
    this.writer.database.close();
  }
}

class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }

  // Otherwise Kysely runs one query at a time, and every read waits for the running transaction.
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

export class NodeSqliteDialect implements Dialect {
  readonly #driver: SqliteDriver;

  constructor(driver: SqliteDriver) {
    this.#driver = driver;
  }

  createAdapter = () => new TransactionalSqliteAdapter();
  createDriver = () => this.#driver;
  createIntrospector = (db: ConstructorParameters<typeof SqliteIntrospector>[0]) => new SqliteIntrospector(db);
  createQueryCompiler = () => new SqliteQueryCompiler();
}
