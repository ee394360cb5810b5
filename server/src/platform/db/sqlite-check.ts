// Whether a SQLite file is whole, looked at in a thread of its own: reading all of it takes its time, and nobody else may
// wait for that.
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { ownModule } from "#lib/own-files.js";
import type { Faults } from "./sqlite-check-thread.js";

export interface FileCheck {
  faults: Promise<Faults>;
  /** The program may end before it does. */
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
