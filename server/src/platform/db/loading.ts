// Loads whole tables into a new database, in one transaction. Foreign keys are checked at the end, because tables come
// in any order and some refer to each other.
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import type pg from "pg";
import type { Config } from "#config/config.js";
import type { Column } from "./columns.js";
import { maintenanceClient } from "./postgres.js";

export interface LoadedColumn {
  name: string;
  kind: Column<unknown>["kind"];
}

export interface Loader {
  /** Removes the rows that the migrations have inserted. */
  empty(tables: readonly string[]): Promise<void>;
  /** Bytes are given as Buffers. */
  load(table: string, columns: readonly LoadedColumn[], rows: readonly unknown[][]): Promise<void>;
  /** Throws if a foreign key is violated; then nothing was loaded. */
  finish(): Promise<void>;
  /** Harmless after finish(). */
  close(): Promise<void>;
}

const names = (columns: readonly LoadedColumn[]): string => columns.map(({ name }) => `"${name}"`).join(", ");

export const openLoader = (place: Config["database"]): Promise<Loader> =>
  place.engine === "sqlite" ? openSqliteLoader(place.path) : openPostgresLoader(place.url);

async function openSqliteLoader(path: string): Promise<Loader> {
  const database = new DatabaseSync(path, { timeout: 5000, enableForeignKeyConstraints: false });
  database.exec("PRAGMA synchronous = FULL");
  database.exec("BEGIN IMMEDIATE");
  return {
    async empty(tables) {
      for (const table of tables) database.exec(`DELETE FROM "${table}"`);
    },
    async load(table, columns, rows) {
      const places = columns.map(() => "?").join(", ");
      const statement = database.prepare(`INSERT INTO "${table}" (${names(columns)}) VALUES (${places})`);
      for (const row of rows) statement.run(...(row as SQLInputValue[]));
    },
    async finish() {
      const [broken] = database.prepare("PRAGMA foreign_key_check").all();
      if (broken) throw new Error(`A row of ${broken.table} refers to a row of ${broken.parent} that does not exist`);
      database.exec("COMMIT");
    },
    async close() {
      database.close();
    },
  };
}

const arrays = { text: "text[]", integer: "bigint[]", bytes: "bytea[]" } as const;

async function openPostgresLoader(url: string): Promise<Loader> {
  const client = maintenanceClient(url);
  await client.connect();
  await client.query("BEGIN");
  const references = await listReferences(client);
  return {
    async empty(tables) {
      await client.query(`TRUNCATE ${tables.map((table) => `"${table}"`).join(", ")} CASCADE`);
      for (const { table, name } of references)
        await client.query(`ALTER TABLE ${table} ALTER CONSTRAINT "${name}" DEFERRABLE INITIALLY DEFERRED`);
    },
    async load(table, columns, rows) {
      const values = columns.map((_column, at) => rows.map((row) => row[at] ?? null));
      const lists = columns.map(({ kind }, at) => `$${at + 1}::${arrays[kind]}`).join(", ");
      await client.query(`INSERT INTO "${table}" (${names(columns)}) SELECT * FROM unnest(${lists})`, values);
    },
    async finish() {
      await client.query("SET CONSTRAINTS ALL IMMEDIATE");
      for (const { table, name, before } of references)
        await client.query(`ALTER TABLE ${table} ALTER CONSTRAINT "${name}" ${before}`);
      await continueNumbers(client);
      await client.query("COMMIT");
    },
    close: () => client.end(),
  };
}

interface Reference {
  table: string;
  name: string;
  before: string;
}

async function listReferences(client: pg.Client): Promise<Reference[]> {
  const { rows } = await client.query<Reference>(
    `SELECT conrelid::regclass::text AS "table", conname AS name, CASE WHEN NOT condeferrable THEN 'NOT DEFERRABLE'
       WHEN condeferred THEN 'DEFERRABLE INITIALLY DEFERRED' ELSE 'DEFERRABLE INITIALLY IMMEDIATE' END AS before
     FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::regnamespace`,
  );
  return rows;
}

/** Sets the identity sequences after the loaded rows. SQLite does this by itself. */
async function continueNumbers(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ table_name: string; column_name: string }>(
    `SELECT table_name, column_name FROM information_schema.columns
     WHERE table_schema = current_schema() AND is_identity = 'YES'`,
  );
  for (const { table_name, column_name } of rows)
    await client.query(
      `SELECT setval(pg_get_serial_sequence('"${table_name}"', '${column_name}'),
        coalesce(max("${column_name}"), 1), max("${column_name}") IS NOT NULL) FROM "${table_name}"`,
    );
}
