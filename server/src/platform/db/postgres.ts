// The PostgreSQL pool: named (prepared) statements, numbers as numbers, and time-outs that keep one slow query from
// holding everyone up.
import pg from "pg";
import { isPlanOutdated } from "./dialect.js";

const keptStatements = 2000;
/** Longer ones are lists of rows, of which no two are alike. */
const longestNamed = 4000;
const names = new Map<string, string>();
const seenOnce = new Set<string>();

/**
 * Names are per connection on the server, so one list for the process gives every connection the same ones. A text gets
 * its name at its second use: those that are put together once must not take the places of those that come every time.
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

/** Past the server's own limit, so that this acts only where the server has fallen silent. */
const silenceMs = 8000;
/** To connect, or to wait for a free connection: on a busy machine both can take seconds. */
const connectMs = silenceMs;
/** Everything else without parameters is a migration, which may take its time. */
const bounds = new Set(["begin", "commit", "rollback"]);

class NamedClient extends pg.Client {
  #planGeneration = 0;

  constructor(config?: string | pg.ClientConfig) {
    super(config);
    // The pool listens only while it holds the connection. A loss while a request holds it comes to that request with
    // its next statement; without a listener here it would end the process.
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
      // The connection still waits for the answer: the pool must not give it to anybody else.
      if (isSilence(error)) this.end().catch(() => {});
      if (!isPlanOutdated(error)) throw error;
      // From here on this connection prepares everything under new names.
      this.#planGeneration++;
      if (this.getTransactionStatus() !== "I") throw error;
      return this.#run(text, values);
    }
  }
}

const isSilence = (error: unknown): boolean => error instanceof Error && error.message === "Query read timeout";

const int8 = 20;
const numeric = 1700;
const types = new pg.TypeOverrides();
// Counts and times stay far below 2^53.
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
  } as pg.PoolConfig);
  // An idle connection that dies (server restart) must not end the process.
  pool.on("error", onError);
  return pool;
}

/** A connection of its own for work on everything there is, which may take its time. */
export const maintenanceClient = (url: string): pg.Client =>
  new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    types,
    application_name: "modshelf maintenance",
  });

/** A connection of its own for LISTEN. */
export const listenClient = (url: string): pg.Client =>
  new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    application_name: "modshelf listen",
  });
