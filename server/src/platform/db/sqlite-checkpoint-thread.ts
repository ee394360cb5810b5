// The thread that copies pages of the write-ahead log into the database, at every message (sqlite-log.ts).
import { DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";

const database = new DatabaseSync(workerData as string);

parentPort?.on("message", () => {
  // PASSIVE: neither waits for others nor makes them wait.
  database.exec("PRAGMA wal_checkpoint(PASSIVE)");
  parentPort?.postMessage("copied");
});
