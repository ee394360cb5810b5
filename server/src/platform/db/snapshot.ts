// A consistent snapshot of the whole database, while other connections keep writing.

import { DatabaseSync } from "node:sqlite";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Config } from "#config/config.js";
import { maintenanceClient } from "./postgres.js";

export interface Snapshot {
  /** The number of rows. */
  count(table: string): Promise<number>;
  /** Yields batches of rows; each row is a list in the order of the columns. */
  read(table: string, columns: readonly string[]): AsyncIterable<unknown[][]>;
  close(): Promise<void>;
}

const rowsAtOnce = 500;
const listed = (columns: readonly string[]): string => columns.map((name) => `"${name}"`).join(", ");

export const openSnapshot = (place: Config["database"]): Promise<Snapshot> =>
  place.engine === "sqlite" ? openSqliteSnapshot(place.path) : openPostgresSnapshot(place.url);

/** A reader of the write-ahead log sees the state at its start and blocks no writer. */
async function openSqliteSnapshot(path: string): Promise<Snapshot> {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
  database.exec("BEGIN");
  // The snapshot is taken by the first read.
  database.prepare("SELECT count(*) FROM migrations").get();
  return {
    async count(table) {
      return (database.prepare(`SELECT count(*) AS count FROM "${table}"`).get() as { count: number }).count;
    },
    async *read(table, columns) {
      const statement = database.prepare(`SELECT ${listed(columns)} FROM "${table}"`);
      statement.setReturnArrays(true);
      let part: unknown[][] = [];
      for (const row of statement.iterate() as Iterable<unknown>) {
        part.push(row as unknown[]);
        if (part.length < rowsAtOnce) continue;
        yield part;
        part = [];
        await nextTurn();
      }
      yield part;
    },
    async close() {
      database.close();
    },
  };
}

async function openPostgresSnapshot(url: string): Promise<Snapshot> {
  const client = maintenanceClient(url);
  await client.connect();
  await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
  await client.query("SELECT count(*) FROM migrations");
  return {
    async count(table) {
      const { rows } = await client.query(`SELECT count(*)::integer AS count FROM "${table}"`);
      return rows[0].count;
    },
    async *read(table, columns) {
      await client.query(`DECLARE everything NO SCROLL CURSOR FOR SELECT ${listed(columns)} FROM "${table}"`);
      for (;;) {
        const { rows } = await client.query({ text: `FETCH ${rowsAtOnce} FROM everything`, rowMode: "array" });
        yield rows;
        if (rows.length < rowsAtOnce) break;
      }
      await client.query("CLOSE everything");
    },
    close: () => client.end(),
  };
}
