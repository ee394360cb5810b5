// A thread of fill-sqlite.mjs: writes the tables of files into an SQLite database of its own, with their indexes.
import { workerData } from "node:worker_threads";
import { blobRows } from "./derived-rows.mjs";
import { fileTables, writeFileRows } from "./rows.mjs";
import { insertInto, openUnsafe, takeIndexes } from "./sqlite-writing.mjs";
import { createWorld } from "./world.mjs";

const { path, schema, blobs, data, stored } = workerData;
const world = createWorld(data);
const toBuffers = ({ sha1, sha512, size }) => ({ sha1: Buffer.from(sha1), sha512: Buffer.from(sha512), size });
for (const [at, file] of stored) world.stored.set(at, toBuffers(file));
const database = openUnsafe(path);
for (const statement of schema) database.exec(statement);
database.exec("BEGIN");
const makeIndexes = takeIndexes(database, [...fileTables, "blobs"]);
const insert = insertInto(database, [...fileTables, "blobs"]);
for (const { sha512, sha1, size } of blobs) insert("blobs", [sha512, sha1, size, data.now]);
await writeFileRows(world, insert);
database.exec(blobRows);
makeIndexes();
database.exec("COMMIT");
database.close();
