// Checks whether a SQLite file is intact, in a separate thread: reading the whole file takes long and must not block
// the server.
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { ownModule } from "#lib/own-files.js";
import type { Faults } from "./sqlite-check-thread.js";

export interface FileCheck {
  faults: Promise<Faults>;
  /** Lets the process exit before the check is complete. */
  goOnAside(): void;
}

export function checkSqliteFile(path: string): FileCheck {
  const worker = new Worker(ownModule("platform/db/sqlite-check-thread"), { workerData: path });
  const faults = Promise.race([
    once(worker, "message").then(([found]) => found as Faults),
    once(worker, "exit").then((): Faults => []),
  ]);
  return { faults, goOnAside: () => worker.unref() };
}
