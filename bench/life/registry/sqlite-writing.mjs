// Writing millions of rows into an SQLite database that can be made again: no journal, no checks (the tests verify the
// rows on both engines), and indexes that are built after the rows, also those of primary keys.
import { DatabaseSync } from "node:sqlite";
import { columns } from "./rows.mjs";

const settings = ["journal_mode = OFF", "synchronous = OFF", "cache_size = -600000"].concat([
  "threads = 4",
  "ignore_check_constraints = ON",
]);

const tableKey = /,\s*(?:PRIMARY KEY|UNIQUE)\s*\([^)]*\)/gi;
const columnKey = /\s(?:PRIMARY KEY|UNIQUE)\b/gi;

export function openUnsafe(path) {
  const database = new DatabaseSync(path, { enableForeignKeyConstraints: false, defensive: false });
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

/**
 * Takes the primary keys and unique constraints from these tables: their indexes, which cannot be dropped, would be written
 * row by row in no order. Returns a function that gives them back and sorts their indexes.
 */
export function takeKeys(database, tables) {
  const listed = database
    .prepare(`SELECT rowid, type, name, tbl_name, rootpage, sql FROM sqlite_schema
      WHERE tbl_name IN (${tables.map((name) => `'${name}'`).join()}) AND (type = 'table' OR sql IS NULL)`)
    .all();
  const indexes = listed.filter(({ type }) => type === "index");
  const change = (sqlOf, text, valuesOf) => {
    database.exec("PRAGMA writable_schema = ON");
    const setSql = database.prepare("UPDATE sqlite_schema SET sql = ? WHERE rowid = ?");
    for (const { type, sql, rowid } of listed) if (type === "table") setSql.run(sqlOf(sql), rowid);
    const statement = database.prepare(text);
    for (const index of indexes) statement.run(...valuesOf(index));
    database.exec("PRAGMA writable_schema = RESET");
  };
  const withoutKeys = (sql) => sql.replace(tableKey, "").replace(columnKey, "");
  change(withoutKeys, "DELETE FROM sqlite_schema WHERE rowid = ?", ({ rowid }) => [rowid]);
  return () => {
    const insert = "INSERT INTO sqlite_schema (rowid, type, name, tbl_name, rootpage) VALUES (?, 'index', ?, ?, ?)";
    change(
      (sql) => sql,
      insert,
      ({ rowid, name, tbl_name, rootpage }) => [rowid, name, tbl_name, rootpage],
    );
    for (const { name } of indexes) database.exec(`REINDEX ${name}`);
  };
}

/** Rows of one table that are inserted together, because a statement costs as much as the values of half a row. */
const together = 16;

/** Returns functions that insert a row into one of these tables, and that insert the rows which wait for others. */
export function insertInto(database, tables) {
  const writers = new Map(tables.map((table) => [table, createInsert(database, table)]));
  return {
    put: (table, values) => writers.get(table).put(values),
    finish() {
      for (const writer of writers.values()) writer.finish();
    },
  };
}

function createInsert(database, table) {
  const names = columns[table].trim().split(/\s+/);
  const places = `(${names.map(() => "?").join()})`;
  const insert = (rows) =>
    database.prepare(`INSERT INTO ${table} (${names.join()}) VALUES ${Array(rows).fill(places).join()}`);
  const many = insert(together);
  const one = insert(1);
  const size = names.length;
  let waiting = [];
  return {
    put(values) {
      waiting.push(...values);
      if (waiting.length < together * size) return;
      many.run(...waiting);
      waiting = [];
    },
    finish() {
      for (let at = 0; at < waiting.length; at += size) one.run(...waiting.slice(at, at + size));
      waiting = [];
    },
  };
}
