// Opens the configured database. Callers get one Kysely handle and a way to be notified of commits by other processes.
import { chmodSync, closeSync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { Kysely, PostgresDialect, sql } from "kysely";
import type { Config } from "#config/config.js";
import type { DatabaseLocation } from "#config/locations.js";
import { changeChannel } from "./dialect.js";
import { listenClient, openPool } from "./postgres.js";
import { NodeSqliteDialect, type ProcessTurn, SqliteDriver } from "./sqlite.js";
import type { Tables } from "./tables.js";

export interface Database {
  db: Kysely<Tables>;
  /** Calls back soon after another process or node has committed. Returns a function that stops it. */
  watch(onCommit: () => void, onTrouble: (error: Error) => void): Promise<() => Promise<void>>;
  /** Pool figures for the metrics; absent on SQLite. */
  pool?: { totalCount: number; idleCount: number; waitingCount: number };
  close(): Promise<void>;
}

const sqliteWatchMs = 100;
const reconnectMs = 1000;

/** `turn`: for one of several processes of a server. PostgreSQL needs none. */
export function openDatabase(
  config: Config["database"],
  onError: (error: Error) => void,
  turn?: ProcessTurn,
): Database {
  return config.engine === "sqlite" ? openSqlite(config, turn) : openPostgres(config, onError);
}

/** SQLite gives its other files (-wal, -shm) the mode of this file. Files of older versions are restricted now. */
function makePrivate(path: string): void {
  try {
    closeSync(openSync(path, "a", 0o600));
    if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600);
  } catch {
    // The file belongs to another user or cannot be written; if that matters, SQLite reports it when it opens the file.
  }
}

function openSqlite(
  { path, isDurable }: Extract<DatabaseLocation, { engine: "sqlite" }>,
  turn: ProcessTurn | undefined,
): Database {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  makePrivate(path);
  const driver = new SqliteDriver(path, { turn, isDurable });
  const db = new Kysely<Tables>({ dialect: new NodeSqliteDialect(driver) });
  return {
    db,
    async watch(onCommit, onTrouble) {
      let seen = driver.dataVersion();
      let isTold = false;
      const look = () => {
        const version = driver.dataVersion();
        isTold = false;
        if (version === seen) return;
        seen = version;
        onCommit();
      };
      const timer = setInterval(() => {
        try {
          look();
        } catch (error) {
          // An error thrown from a timer would end the process; the next poll may work.
          if (!isTold) onTrouble(error as Error);
          isTold = true;
        }
      }, sqliteWatchMs);
      timer.unref();
      return async () => clearInterval(timer);
    },
    async close() {
      // Kysely closes only drivers that it has used.
      await sql`select 1`.execute(db);
      await db.destroy();
    },
  };
}

function openPostgres(config: { url: string; poolSize: number }, onError: (error: Error) => void): Database {
  const pool = openPool(config.url, config.poolSize, onError);
  // A process reads the change log after each of its own commits; their notifications are for the others.
  const ownPids = new Set<number>();
  pool.on("connect", (client) => ownPids.add(pidOf(client)));
  pool.on("remove", (client) => ownPids.delete(pidOf(client)));
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  return {
    db,
    pool,
    watch: (onCommit, onTrouble) => listen(config.url, { isOwn: (pid) => ownPids.has(pid), onCommit, onTrouble }),
    close: () => (pool.ended ? Promise.resolve() : pool.end()),
  };
}

/** The number of the process that serves a connection; pg does not declare it. */
const pidOf = (client: object): number => (client as { processID: number }).processID;

interface Listener {
  isOwn: (pid: number) => boolean;
  onCommit: () => void;
  onTrouble: (error: Error) => void;
}

/** LISTEN with reconnection. The change log reads what was missed after the reconnection, and on its own timer. */
async function listen(url: string, { isOwn, onCommit, onTrouble }: Listener): Promise<() => Promise<void>> {
  let stopped = false;
  let client: ReturnType<typeof listenClient> | undefined;
  let timer: NodeJS.Timeout | undefined;
  // One line in the log per outage, not one per try.
  let isTold = false;

  const connect = async () => {
    const next = listenClient(url);
    client = next;
    next.on("notification", ({ processId }) => {
      if (!isOwn(processId)) onCommit();
    });
    next.on("error", (error) => lost(next, error));
    next.on("end", () => lost(next, new Error("The server ended the connection")));
    try {
      await next.connect();
      await next.query(`LISTEN ${changeChannel}`);
      isTold = false;
      onCommit();
    } catch (error) {
      lost(next, error as Error);
    }
  };
  const lost = (which: typeof client, error: Error) => {
    if (stopped || which !== client) return;
    client = undefined;
    // The connection may be half open; it does not matter if the goodbye message fails.
    which?.end().catch(() => {});
    if (!isTold) onTrouble(error);
    isTold = true;
    timer = setTimeout(() => void connect(), reconnectMs);
    timer.unref();
  };

  await connect();
  return async () => {
    stopped = true;
    clearTimeout(timer);
    await client?.end();
  };
}
