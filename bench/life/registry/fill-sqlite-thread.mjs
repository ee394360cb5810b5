// A thread of fill-sqlite.mjs: writes the tables of projects, or those of files, into an SQLite database of its own, with
// their indexes.
import { workerData } from "node:worker_threads";
import { blobRows } from "./derived-rows.mjs";
import { writeFileRows, writeProjectRows } from "./rows.mjs";
import { insertInto, openUnsafe, takeIndexes, takeKeys } from "./sqlite-writing.mjs";
import { createWorld } from "./world.mjs";

const { path, tables, schema, blobs, extras, data, stored } = workerData;
const world = createWorld(data);
const toBuffers = ({ sha1, sha512, size }) => ({ sha1: Buffer.from(sha1), sha512: Buffer.from(sha512), size });
for (const [at, file] of stored) world.stored.set(at, toBuffers(file));
const database = openUnsafe(path);
for (const statement of schema) database.exec(statement);
database.exec("BEGIN");
const makeIndexes = takeIndexes(database, tables);
// Blobs are written in the order of their key.
const giveKeys = takeKeys(
  database,
  tables.filter((table) => table !== "blobs"),
);
const { put, finish } = insertInto(database, tables);
if (tables.includes("blobs")) {
  for (const { sha512, sha1, size } of blobs) put("blobs", [sha512, sha1, size, data.now]);
  await writeFileRows(world, put);
  finish();
  database.exec(blobRows);
} else {
  await writeProjectRows(world, extras, put);
  finish();
}
giveKeys();
makeIndexes();
database.exec("COMMIT");
database.close();
