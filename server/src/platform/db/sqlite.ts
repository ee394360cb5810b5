// Kysely over node:sqlite. Two connections: one writer, guarded by a queue, and one reader that sees only what is
// committed. Statements are prepared once and kept: re-preparing is most of the cost of a point read.
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
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
import { Queue } from "#lib/queue.js";
import { isSqliteBusy } from "./dialect.js";

const busyTimeoutMs = 5000;
/** Between two tries for a lock that another process holds: short at first, for most hold it for a moment. */
const longestPauseMs = 25;
const keptStatements = 500;

class Connection {
  readonly database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(path: string, options: { readOnly: boolean }) {
    this.database = new DatabaseSync(path, { readOnly: options.readOnly, timeout: busyTimeoutMs });
    this.database.exec("PRAGMA foreign_keys = ON");
    if (options.readOnly) return;
    this.database.exec("PRAGMA journal_mode = WAL");
    // FULL: an acknowledged write survives a power cut, not only a crash of the process.
    this.database.exec("PRAGMA synchronous = FULL");
    // SQLite's own waiting would stop the whole process; the driver waits instead.
    this.database.exec("PRAGMA busy_timeout = 0");
  }

  get keptStatements(): number {
    return this.#statements.size;
  }

  execute<R>(query: CompiledQuery): QueryResult<R> {
    const statement = this.#prepare(query.sql);
    const values = query.parameters.map(toSqliteValue);
    if (statement.columns().length > 0) {
      const rows = statement.all(...values) as R[];
      return { rows, numAffectedRows: SelectQueryNode.is(query.query) ? undefined : BigInt(rows.length) };
    }
    const { changes } = statement.run(...values);
    return { rows: [], numAffectedRows: BigInt(changes) };
  }

  #prepare(text: string): StatementSync {
    const kept = this.#statements.get(text);
    if (kept) return kept;
    const statement = this.database.prepare(text);
    // run() reports the last row id, which the full-text index leaves beyond what a number holds; it would throw then.
    if (statement.columns().length === 0) statement.setReadBigInts(true);
    if (this.#statements.size >= keptStatements) this.#statements.delete(this.#statements.keys().next().value!);
    this.#statements.set(text, statement);
    return statement;
  }
}

/** node:sqlite binds NULL for a Date or undefined without a word; here they are mistakes. */
function toSqliteValue(value: unknown): SQLInputValue {
  if (value === null || typeof value === "string" || typeof value === "number" || typeof value === "bigint")
    return value;
  if (value instanceof Uint8Array) return value;
  throw new TypeError(
    `A ${value === undefined ? "missing value" : Object.prototype.toString.call(value)} cannot be bound`,
  );
}

const readsOnly = (query: CompiledQuery): boolean =>
  SelectQueryNode.is(query.query) || /^\s*(select|pragma|explain)\b/i.test(query.sql);

/** What Kysely holds while it works: it becomes the writer when a transaction begins. */
class Lease implements DatabaseConnection {
  inTransaction = false;
  release: () => void = () => {};
  readonly #driver: SqliteDriver;

  constructor(driver: SqliteDriver) {
    this.#driver = driver;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { writer, reader } = this.#driver;
    if (this.inTransaction) return writer.execute(query);
    if (readsOnly(query)) return reader.execute(query);
    // A statement outside a transaction waits its turn, or it would land inside another request's transaction.
    const { result, release } = await this.#driver.takeTurn(() => writer.execute<R>(query));
    release();
    return result;
  }

  // biome-ignore lint/correctness/useYield: streaming is refused, and Kysely wants a generator.
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error("Streaming queries are not used; read in pages");
  }
}

export class SqliteDriver implements Driver {
  readonly writer: Connection;
  readonly reader: Connection;
  /** Callers wait for a limited time, so this bounds memory only. */
  readonly #writing = new Queue(1, 10_000);
  readonly #busyTimeoutMs: number;
  readonly #dataVersion: StatementSync;

  constructor(path: string, options: { busyTimeoutMs?: number } = {}) {
    this.writer = new Connection(path, { readOnly: false });
    this.reader = new Connection(path, { readOnly: true });
    this.#busyTimeoutMs = options.busyTimeoutMs ?? busyTimeoutMs;
    this.#dataVersion = this.reader.database.prepare("PRAGMA data_version");
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<Lease> {
    return new Lease(this);
  }

  async beginTransaction(lease: Lease): Promise<void> {
    // IMMEDIATE: the write lock is taken now, so that a transaction never fails half-way for lack of it.
    const { release } = await this.takeTurn(() => this.writer.database.exec("BEGIN IMMEDIATE"));
    lease.release = release;
    lease.inTransaction = true;
  }

  /**
   * Does the work when no other write of this process is under way, trying again while another process holds the lock.
   * The turn lasts until `release` is called; after a failure it is over. Waiting in the queue counts too: everybody is
   * refused after the same time, not one after the other.
   */
  async takeTurn<T>(work: () => T): Promise<{ result: T; release: () => void }> {
    const patience = AbortSignal.timeout(this.#busyTimeoutMs);
    const release = await this.#writing.acquire(patience);
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

  async commitTransaction(lease: Lease): Promise<void> {
    this.writer.database.exec("COMMIT");
    this.#endTransaction(lease);
  }

  async rollbackTransaction(lease: Lease): Promise<void> {
    // SQLite may have rolled back by itself (disk full, I/O error); then there is nothing to undo.
    try {
      if (this.writer.database.isTransaction) this.writer.database.exec("ROLLBACK");
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

  /** Changes whenever any other connection, in this process or another, commits. */
  dataVersion(): number {
    return (this.#dataVersion.get() as { data_version: number }).data_version;
  }

  async destroy(): Promise<void> {
    this.reader.database.close();
    this.writer.database.close();
  }
}

class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }

  // Else Kysely lets one query at a time through, and every read waits for the transaction under way.
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
