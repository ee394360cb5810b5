// A connection to an SQLite database, with its settings and its prepared statements. These are cached, because preparing is
// most of the cost of reading a row.
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { type CompiledQuery, type QueryResult, SelectQueryNode } from "kysely";
import { isSqliteBusy } from "./dialect.js";
import { checkpointBytes } from "./sqlite-log.js";

/** How long a statement of a reader waits, and a writer for its turn. */
export const busyTimeoutMs = 5000;
const keptStatements = 500;
/** The first process that succeeds switches for all of them, so two or three tries are the rule. */
const mostSwitches = 100;
/** SQLite copies pages of the log into the database itself only if it has become this long: 64 MiB. */
const mostLogPages = 16 * 1024;
/** The memory for pages of the writer; SQLite's own default of 2 MB is too small for a batch of downloads. */
const cacheKib = 8 * 1024;
/** A transaction may change this many pages (16 MiB) before it writes them into the log. */
const spilledPages = 4096;

interface Prepared {
  statement: StatementSync;
  givesRows: boolean;
}

export class Connection {
  readonly database: DatabaseSync;
  readonly #statements = new Map<string, Prepared>();

  constructor(path: string, options: { readOnly: boolean; isDurable?: boolean }) {
    this.database = new DatabaseSync(path, { readOnly: options.readOnly, timeout: busyTimeoutMs });
    this.database.exec("PRAGMA foreign_keys = ON");
    if (options.readOnly) return;
    switchToWal(this.database);
    // NORMAL: a checkpoint waits for the disk, a commit does not; the driver waits before it reports the commit.
    this.database.exec(`PRAGMA synchronous = ${options.isDurable ? "NORMAL" : "OFF"}`);
    this.database.exec(`PRAGMA wal_autocheckpoint = ${mostLogPages}`);
    this.database.exec(`PRAGMA journal_size_limit = ${checkpointBytes}`);
    this.database.exec(`PRAGMA cache_size = ${-cacheKib}; PRAGMA cache_spill = ${spilledPages}`);
    // Waiting inside SQLite would block the whole process; the driver waits instead.
    this.database.exec("PRAGMA busy_timeout = 0");
  }

  get keptStatements(): number {
    return this.#statements.size;
  }

  execute<R>(query: CompiledQuery): QueryResult<R> {
    const { statement, givesRows } = this.#prepare(query.sql);
    const values = query.parameters.map(toSqliteValue);
    if (givesRows) {
      const rows = statement.all(...values) as R[];
      return { rows, numAffectedRows: SelectQueryNode.is(query.query) ? undefined : BigInt(rows.length) };
    }
    const { changes } = statement.run(...values);
    return { rows: [], numAffectedRows: BigInt(changes) };
  }

  #prepare(text: string): Prepared {
    const kept = this.#statements.get(text);
    if (kept) return kept;
    const statement = this.database.prepare(text);
    // Asked once: describing the columns of a wide table takes several times as long as reading a row of it.
    const givesRows = statement.columns().length > 0;
    // run() reports the last row id, which can exceed a safe integer because of the full-text index; it would throw
    // then.
    if (!givesRows) statement.setReadBigInts(true);
    if (this.#statements.size >= keptStatements) this.#statements.delete(this.#statements.keys().next().value!);
    const prepared = { statement, givesRows };
    this.#statements.set(text, prepared);
    return prepared;
  }
}

/**
 * If several processes open a new database at the same time, SQLite refuses the switch at once instead of waiting,
 * because they would wait for each other. A transaction does wait until the others are done; then it is tried again.
 */
function switchToWal(database: DatabaseSync): void {
  for (let tries = 1; ; tries++) {
    try {
      database.exec("PRAGMA journal_mode = WAL");
      return;
    } catch (error) {
      if (!isSqliteBusy(error) || tries === mostSwitches) throw error;
    }
    database.exec("BEGIN EXCLUSIVE; ROLLBACK");
  }
}

/** node:sqlite silently binds NULL for a Date or undefined; here these are errors. */
function toSqliteValue(value: unknown): SQLInputValue {
  if (value === null || typeof value === "string" || typeof value === "number" || typeof value === "bigint")
    return value;
  if (value instanceof Uint8Array) return value;
  throw new TypeError(
    `A ${value === undefined ? "missing value" : Object.prototype.toString.call(value)} cannot be bound`,
  );
}
