// The PostgreSQL pool: named (prepared) statements, numbers as numbers, and time-outs that keep one slow query from
// holding everyone up.
import pg from "pg";

const keptStatements = 500;
const names = new Map<string, string>();

/** Names are per connection on the server, so one list for the process gives every connection the same ones. */
function statementName(text: string): string | undefined {
  const known = names.get(text);
  if (known || names.size >= keptStatements) return known;
  const name = `s${names.size}`;
  names.set(text, name);
  return name;
}

class NamedClient extends pg.Client {
  // Kysely calls query(text, values); a name makes the server parse and plan the text once per connection.
  // biome-ignore lint/suspicious/noExplicitAny: pg declares a dozen overloads; all are passed on unchanged.
  override query(...args: any[]): any {
    const [text, values] = args;
    if (typeof text === "string" && Array.isArray(values) && values.length > 0 && args.length === 2) {
      const name = statementName(text);
      return super.query({ text, values, ...(name && { name }) });
    }
    // biome-ignore lint/suspicious/noExplicitAny: as above.
    return (super.query as any)(...args);
  }
}

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
    connectionTimeoutMillis: 3000,
    idleTimeoutMillis: 30_000,
    statement_timeout: 5000,
    lock_timeout: 2000,
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

/** A connection of its own for LISTEN. */
export const listenClient = (url: string): pg.Client =>
  new pg.Client({ connectionString: url, keepAlive: true, application_name: "modshelf listen" });
