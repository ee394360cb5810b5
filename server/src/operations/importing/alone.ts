// One import at a time: two that bring the same project at once would create it twice. The lock belongs to the process, so
// that an import that is killed does not hinder the next one.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { engineOf } from "#platform/db/dialect.js";
import { tryLock } from "#platform/db/server-lock.js";
import type { Resources } from "#platform/http/resources.js";

export class OtherImport extends Error {
  constructor() {
    super("Another import is running here. Nothing was imported.");
  }
}

const lockName = "import.lock";
const lockNumber = 7307205;

export async function alone<T>({ db, config }: Pick<Resources, "db" | "config">, work: () => Promise<T>): Promise<T> {
  if (engineOf(db) === "sqlite") {
    mkdirSync(config.dataDir, { recursive: true });
    const release = tryLock(join(config.dataDir, lockName));
    if (!release) throw new OtherImport();
    try {
      return await work();
    } finally {
      release();
    }
  }
  // Nodes share the database, not the folder. The lock is held by this connection.
  return db.connection().execute(async (connection) => {
    const { rows } = await sql<{ taken: boolean }>`select pg_try_advisory_lock(${lockNumber}) as taken`.execute(
      connection,
    );
    if (!rows[0]?.taken) throw new OtherImport();
    try {
      return await work();
    } finally {
      await sql`select pg_advisory_unlock(${lockNumber})`.execute(connection);
    }
  });
}
