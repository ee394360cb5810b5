// Writing millions of rows into an SQLite database that can be made again: no journal, no checks (the tests verify the
// rows on both engines), and indexes that are built after the rows.
import { DatabaseSync } from "node:sqlite";
import { columns } from "./rows.mjs";

const settings = ["journal_mode = OFF", "synchronous = OFF", "cache_size = -600000", "temp_store = MEMORY"].concat([
  "threads = 4",
  "ignore_check_constraints = ON",
]);

export function openUnsafe(path) {
  const database = new DatabaseSync(path, { enableForeignKeyConstraints: false });
  for (const setting of settings) database.exec(`PRAGMA ${setting}`);
  return database;
}

/**
 * Drops the indexes of these tables. Returns a function that makes them again, with the figures for the query planner,
 * which SQLite deletes together with an index.
 */
export function takeIndexes(database, tables) {
  const indexes = database
    .prepare(`SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL
      AND tbl_name IN (${tables.map((name) => `'${name}'`).join()}) ORDER BY rowid`)
    .all();
  const hasFigures = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_stat1'").get() !== undefined;
  const figures = hasFigures ? database.prepare("SELECT tbl, idx, stat FROM sqlite_stat1").all() : [];
  for (const { name } of indexes) database.exec(`DROP INDEX "${name}"`);
  return () => {
    for (const { sql } of indexes) database.exec(sql);
    if (!hasFigures) return;
    database.exec("DELETE FROM sqlite_stat1");
    const insert = database.prepare("INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES (?, ?, ?)");
    for (const { tbl, idx, stat } of figures) insert.run(tbl, idx, stat);
  };
}

/** Returns a function that inserts a row into one of these tables. */
export function insertInto(database, tables) {
  const inserts = new Map(
    tables.map((table) => {
      const names = columns[table].trim().split(/\s+/);
      const places = names.map(() => "?").join();
      return [table, database.prepare(`INSERT INTO ${table} (${names.join()}) VALUES (${places})`)];
    }),
  );
  return (table, values) => inserts.get(table).run(...values);
}
