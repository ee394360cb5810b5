// The thread that copies pages of the write-ahead log into the database (sqlite-log.ts): once when it starts, and again
// at every message.
import { DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";

const database = new DatabaseSync(workerData as string);

/** PASSIVE: neither waits for others nor makes them wait. */
function copyPages(): void {
  database.exec("PRAGMA wal_checkpoint(PASSIVE)");
  parentPort?.postMessage("copied");
}

copyPages();
parentPort?.on("message", copyPages);
