// The PostgreSQL pool: named (prepared) statements, integers as numbers, and timeouts that keep one slow query from
// blocking all others.
import pg from "pg";
import { earlyCommit, isPlanOutdated } from "./dialect.js";

const keptStatements = 2000;
/** Longer texts are lists of rows, which are rarely repeated. */
const longestNamed = 4000;
const names = new Map<string, string>();
const seenOnce = new Set<string>();

/**
 * Names belong to a connection on the server, so one list for the process gives every connection the same names. A text
 * is named at its second use, so that texts used only once do not take the places of frequent ones.
 */
function statementName(text: string): string | undefined {
  const known = names.get(text);
  if (known || names.size >= keptStatements || text.length > longestNamed) return known;
  if (!seenOnce.delete(text)) {
    if (seenOnce.size >= 4 * keptStatements) seenOnce.clear();
    seenOnce.add(text);
    return undefined;
  }
  const name = `s${names.size}`;
  names.set(text, name);
  return name;
}

/** Longer than the server's own timeout, so that it applies only if the server does not answer at all. */
const silenceMs = 8000;
/** For connecting and for waiting for a free connection: on a busy machine both can take seconds. */
const connectMs = silenceMs;
/** All other statements without parameters are migrations, which may take long. */
const bounds = new Set(["begin", "commit", earlyCommit, "rollback"]);

class NamedClient extends pg.Client {
  #planGeneration = 0;
  /** `over`: it has ended with its last statements, and Kysely will still end it. */
  #transaction: "none" | "open" | "over" = "none";

  constructor(config?: string | pg.ClientConfig) {
    super(config);
    // The pool listens for errors only while a connection is idle. If a connection is lost while a request uses it, the
    // request gets the error with its next statement; without this listener the event would end the process.
    this.on("error", () => {});
  }

  // Kysely calls query(text, values); a name makes the server parse and plan the text once per connection.
  // biome-ignore lint/suspicious/noExplicitAny: pg declares a dozen overloads; all are passed on unchanged.
  override query(...args: any[]): any {
    const [text, values] = args;
    if (typeof text !== "string" || !Array.isArray(values) || args.length !== 2)
      // biome-ignore lint/suspicious/noExplicitAny: as above.
      return (super.query as any)(...args);
    return this.#run(text, values);
  }

  async #run(text: string, values: unknown[]): Promise<pg.QueryResult> {
    if (text === "begin") return this.#begin(text);
    const before = this.#transaction;
    if (text === "commit" || text === "rollback") this.#transaction = "none";
    if (text === earlyCommit) this.#transaction = "over";
    if (before === "over" && this.#transaction === "none") return noRows(text);
    const isNamed = values.length > 0;
    const name = isNamed ? statementName(text) : undefined;
    try {
      return await super.query({
        text,
        values,
        ...(name && { name: `${name}_${this.#planGeneration}` }),
        ...((isNamed || bounds.has(text)) && { query_timeout: silenceMs }),
      });
    } catch (error) {
      // The connection still waits for the answer: the pool must not reuse it.
      if (isSilence(error)) this.end().catch(() => {});
      if (!isPlanOutdated(error)) throw error;
      // From here on this connection prepares all statements under new names.
      this.#planGeneration++;
      // The transaction may have ended with the statements that were sent after this one.
      if (before === "open" || this.getTransactionStatus() !== "I") throw error;
      return this.#run(text, values);
    }
  }

  /**
   * Sent together with the first statement of the transaction, whose answer comes only if this one succeeded: on a failure
   * the connection is closed, so that no statement runs outside of the transaction.
   */
  #begin(text: string): pg.QueryResult {
    this.#transaction = "open";
    super.query({ text, query_timeout: silenceMs } as pg.QueryConfig).catch(() => this.connection.stream.destroy());
    return noRows(text);
  }
}

const noRows = (command: string): pg.QueryResult => ({ command, rowCount: null, oid: 0, fields: [], rows: [] });

const isSilence = (error: unknown): boolean => error instanceof Error && error.message === "Query read timeout";

const int8 = 20;
const numeric = 1700;
const types = new pg.TypeOverrides();
// Counts and times are far below 2^53.
types.setTypeParser(int8, Number);
types.setTypeParser(numeric, Number);

export function openPool(url: string, poolSize: number, onError: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: connectMs,
    idleTimeoutMillis: 30_000,
    statement_timeout: 5000,
    lock_timeout: 4000,
    idle_in_transaction_session_timeout: 10_000,
    keepAlive: true,
    application_name: "modshelf",
    types,
    Client: NamedClient,
    // Several statements can be under way on a connection (dialect.ts, together).
    pipeline: true,
  } as pg.PoolConfig);
  // An idle connection that dies (server restart) must not end the process.
  pool.on("error", onError);
  return pool;
}

/** A separate connection without timeouts, for long work on the whole database. */
export function maintenanceClient(url: string): pg.Client {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    types,
    application_name: "modshelf maintenance",
  });
  // If the connection is lost, its user gets the error with the next statement, as with those of the pool.
  client.on("error", () => {});
  return client;
}

/** A separate connection for LISTEN. */
export const listenClient = (url: string): pg.Client =>
  new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    application_name: "modshelf listen",
  });
