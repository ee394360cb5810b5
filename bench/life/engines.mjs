// The database of the benchmark: a file on SQLite; on PostgreSQL a server of its own in the folder of the data.
import { mkdirSync } from "node:fs";
import { join } from "node:path";

const sqlite = {
  name: "sqlite",
  create: async () => undefined,
  copy: async () => undefined,
  pids: () => [],
  close: async () => {},
};

/** `create` makes an empty database and `copy` one for a run; both return its URL, or undefined on SQLite. */
export const openEngine = async (name, folder) => (name === "sqlite" ? sqlite : openPostgres(join(folder, "server")));

async function openPostgres(folder) {
  const { startPostgres } = await import("../postgres.mjs");
  mkdirSync(folder, { recursive: true });
  const server = await startPostgres(folder, { isKept: true });
  const ask = (text) => server.withClient("postgres", (client) => client.query(text));
  const copied = `run_${process.pid}`;
  return {
    name: "postgres",
    async create(name) {
      await ask(`DROP DATABASE IF EXISTS ${name}`);
      await ask(`CREATE DATABASE ${name}`);
      return server.urlOf(name);
    },
    async copy(name) {
      await ask(`CREATE DATABASE ${copied} TEMPLATE ${name}`);
      return server.urlOf(copied);
    },
    pids: () => [server.pid],
    async close() {
      await ask(`DROP DATABASE IF EXISTS ${copied} WITH (FORCE)`);
      await server.stop();
    },
  };
}
