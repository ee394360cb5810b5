// The thread that fills the tables of the hash index, with its own connection that only reads.
import { parentPort, workerData } from "node:worker_threads";
import { FingerprintKey } from "#lib/fingerprint-key.js";
import { buffersOf, type IndexTask, readTables } from "./index-tables.js";

const { place, secret } = workerData as IndexTask;
const tables = (await readTables(place, new FingerprintKey(secret)))!.move();
parentPort!.postMessage(tables, buffersOf(tables));
