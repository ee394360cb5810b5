// Whether a SQLite file is whole, looked at in a thread of its own: reading all of it takes its time, and nobody else may
// wait for that.
import { once } from "node:events";
import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import type { Faults } from "./sqlite-check-thread.js";

export interface FileCheck {
  faults: Promise<Faults>;
  /** The program may end before it does. */
  goOnAside(): void;
}

export function checkSqliteFile(path: string): FileCheck {
  // The same file name ends in .js when compiled and in .ts when tests run the sources.
  const file = new URL(`./sqlite-check-thread${extname(import.meta.url)}`, import.meta.url);
  const worker = new Worker(file, { workerData: path });
  const faults = Promise.race([
    once(worker, "message").then(([found]) => found as Faults),
    once(worker, "exit").then((): Faults => []),
  ]);
  return { faults, goOnAside: () => worker.unref() };
}
