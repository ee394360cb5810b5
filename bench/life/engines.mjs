// The database of the benchmark: a file on SQLite; on PostgreSQL a server of its own in the folder of the data.
import { mkdirSync } from "node:fs";
import { join } from "node:path";

const sqlite = {
  name: "sqlite",
  create: async () => undefined,
  finish: async () => {},
  copy: async () => undefined,
  keep: async () => {},
  pids: () => [],
  close: async () => {},
};

/**
 * `create` makes an empty database, `finish` is called when it has been filled, and `copy` makes one for a run; both that make
 * one return its URL, or undefined on SQLite. `keep` replaces a database by its copy after a run.
 */
export const openEngine = async (name, folder) => (name === "sqlite" ? sqlite : openPostgres(join(folder, "server")));

/** A database that is being filled can be made again, so that nothing has to survive a crash. */
const whileFilling = {
  fsync: "off",
  full_page_writes: "off",
  wal_level: "minimal",
  max_wal_senders: 0,
  autovacuum: "off",
};

async function openPostgres(folder) {
  const { startPostgres } = await import("../postgres.mjs");
  mkdirSync(folder, { recursive: true });
  let server = await startPostgres(folder, { isKept: true });
  const restart = async (settings) => {
    await server.stop();
    server = await startPostgres(folder, { isKept: true, settings });
  };
  const ask = (text) => server.withClient("postgres", (client) => client.query(text));
  // Always the same: prepared answers belong to the database at one address.
  const copied = "run";
  return {
    name: "postgres",
    async create(name) {
      await restart(whileFilling);
      await ask(`DROP DATABASE IF EXISTS ${name}`);
      await ask(`CREATE DATABASE ${name}`);
      return server.urlOf(name);
    },
    finish: () => restart(),
    async copy(name) {
      await ask(`DROP DATABASE IF EXISTS ${copied} WITH (FORCE)`);
      await ask(`CREATE DATABASE ${copied} TEMPLATE ${name}`);
      return server.urlOf(copied);
    },
    async keep(name) {
      await ask(`DROP DATABASE ${name}`);
      await ask(`ALTER DATABASE ${copied} RENAME TO ${name}`);
    },
    pids: () => [server.pid],
    async close() {
      await ask(`DROP DATABASE IF EXISTS ${copied} WITH (FORCE)`);
      await server.stop();
    },
  };
}
