// Writes the generated rows into an SQLite database that has the product's schema: versions and what follows from them. Two
// more threads write everything else into databases of their own (fill-sqlite-thread.mjs), which SQLite then takes over page
// by page.
import { rmSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { otherRows, rowsOfVersions } from "./derived-rows.mjs";
import { columns, fileTables, versionTables, writeVersionRows } from "./rows.mjs";
import { insertInto, openUnsafe, takeIndexes, takeKeys } from "./sqlite-writing.mjs";

/** Tables whose rows follow from versions. */
const followingTables = ["version_compat", "download_days"];

export async function fillSqlite(path, world, extras, blobs) {
  const database = openUnsafe(path);
  const isElsewhere = new Set([...versionTables, ...fileTables]);
  const projectTables = Object.keys(columns).filter((table) => !isElsewhere.has(table));
  const { projects, seed, now } = world;
  const given = { blobs, extras, data: { projects, seed, now }, stored: [...world.stored] };
  const others = [projectTables, fileTables].map((tables, n) => {
    const other = `${path}-${n}`;
    return { tables, other, written: runThread({ ...given, path: other, tables, schema: schemaOf(database, tables) }) };
  });
  database.exec("BEGIN");
  const makeIndexes = takeIndexes(database, [...versionTables, ...followingTables, "public_things"]);
  const giveVersionKeys = takeKeys(database, versionTables);
  const giveFollowingKeys = takeKeys(database, followingTables);
  const { put, finish } = insertInto(database, versionTables);
  await writeVersionRows(world, put);
  finish();
  giveVersionKeys();
  for (const statement of rowsOfVersions(now)) database.exec(statement);
  giveFollowingKeys();
  makeIndexes();
  database.exec("COMMIT");
  for (const { tables, other, written } of others) {
    await written;
    database.exec(`ATTACH '${other}' AS other; BEGIN`);
    // Tables and indexes are the same on both sides, so that SQLite copies them without looking into the rows.
    for (const table of tables) database.exec(`INSERT INTO main.${table} SELECT * FROM other.${table}`);
    database.exec("COMMIT; DETACH other");
    rmSync(other);
  }
  database.exec("BEGIN");
  for (const statement of otherRows) database.exec(statement);
  database.exec("COMMIT; PRAGMA journal_mode = WAL");
  database.close();
}

const schemaOf = (database, tables) =>
  tables.flatMap((table) =>
    database
      .prepare("SELECT sql FROM sqlite_schema WHERE tbl_name = ? AND sql IS NOT NULL ORDER BY rowid")
      .all(table)
      .map(({ sql }) => sql),
  );

const runThread = (workerData) =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL("fill-sqlite-thread.mjs", import.meta.url), { workerData });
    worker.once("error", reject);
    worker.once("exit", resolve);
  });
