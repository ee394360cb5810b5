// Writes the generated rows into an SQLite database that has the product's schema. A second thread writes the tables of
// files into a database of its own (fill-sqlite-files.mjs), which SQLite then takes over page by page.
import { rmSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { derivedRows } from "./derived-rows.mjs";
import { columns, fileTables, writeRows } from "./rows.mjs";
import { insertInto, openUnsafe, takeIndexes } from "./sqlite-writing.mjs";

export async function fillSqlite(path, world, extras, blobs) {
  const database = openUnsafe(path);
  const otherTables = [...fileTables, "blobs"];
  const schema = otherTables.flatMap((table) =>
    database.prepare("SELECT sql FROM sqlite_schema WHERE tbl_name = ? AND sql IS NOT NULL ORDER BY rowid").all(table),
  );
  const other = `${path}-files`;
  const { projects, seed, now } = world;
  const workerData = { path: other, schema: schema.map(({ sql }) => sql), blobs, data: { projects, seed, now } };
  const written = runThread({ ...workerData, stored: [...world.stored] });
  database.exec("BEGIN");
  const tables = Object.keys(columns).filter((table) => !otherTables.includes(table));
  const makeIndexes = takeIndexes(database, [...tables, "version_compat", "download_days"]);
  await writeRows(world, extras, insertInto(database, tables));
  database.exec("COMMIT");
  await written;
  database.exec(`ATTACH '${other}' AS other; BEGIN`);
  // Tables and indexes are the same on both sides, so that SQLite copies them without looking into the rows.
  for (const table of otherTables) database.exec(`INSERT INTO main.${table} SELECT * FROM other.${table}`);
  for (const statement of derivedRows("sqlite", now)) database.exec(statement);
  makeIndexes();
  database.exec("COMMIT; DETACH other; PRAGMA journal_mode = WAL");
  database.close();
  rmSync(other);
}

const runThread = (workerData) =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL("fill-sqlite-files.mjs", import.meta.url), { workerData });
    worker.once("error", reject);
    worker.once("exit", resolve);
  });
