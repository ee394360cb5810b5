// The thread that fills the tables of the hash index, with its own connection that only reads.
import { parentPort, workerData } from "node:worker_threads";
import type { Config } from "#config/config.js";
import { FingerprintKey } from "#lib/fingerprint-key.js";
import { buffersOf, readTables } from "./index-tables.js";

export interface IndexTask {
  place: Config["database"];
  secret: Uint8Array;
}

const { place, secret } = workerData as IndexTask;
const tables = (await readTables(place, new FingerprintKey(secret)))!.move();
parentPort!.postMessage(tables, buffersOf(tables));
