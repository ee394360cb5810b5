// A database without tables, on the engine under test.
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, inject } from "vitest";
import type { Config } from "#config/config.js";
import { type Database, openDatabase } from "#platform/db/open.js";
import { engine } from "#test/server/harness.js";

export async function emptyDatabase(): Promise<Config["database"]> {
  if (engine === "sqlite") {
    const folder = mkdtempSync(join(tmpdir(), "modshelf-empty-"));
    afterAll(() => rmSync(folder, { recursive: true, force: true }));
    return { engine, path: join(folder, "empty.db") };
  }
  const name = `empty_${randomBytes(8).toString("hex")}`;
  await runAsAdmin(`CREATE DATABASE ${name}`);
  afterAll(() => runAsAdmin(`DROP DATABASE ${name} WITH (FORCE)`));
  return { engine, url: inject("postgresUrl").replace(/postgres$/, name), poolSize: 2 };
}

/** Opened until the end of the file. */
export function openForTest(config: Config["database"]): Database {
  const database = openDatabase(config, () => {});
  afterAll(() => database.close());
  return database;
}

async function runAsAdmin(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject("postgresUrl") });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
