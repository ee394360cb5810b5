// Checks whether a SQLite file is intact. Reading the whole file takes long and must not block the server.
import { fork } from "node:child_process";
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { ownModule } from "#lib/own-files.js";
import type { Faults } from "./sqlite-check-thread.js";

const module = () => ownModule("platform/db/sqlite-check-thread");

/** In a thread. It cannot be interrupted, so the file should be small. */
export function checkSqliteFile(path: string): Promise<Faults> {
  const worker = new Worker(module(), { workerData: path });
  return Promise.race([
    once(worker, "message").then(([found]) => found as Faults),
    once(worker, "exit").then((): Faults => []),
  ]);
}

/** In a process of its own, which ends with this one. */
export function checkSqliteFileAside(path: string): Promise<Faults> {
  const child = fork(module(), [path], { execArgv: [], env: {}, stdio: ["ignore", "ignore", "ignore", "ipc"] });
  child.unref();
  child.channel?.unref();
  const end = () => child.kill("SIGKILL");
  process.once("exit", end);
  child.once("exit", () => process.removeListener("exit", end));
  return Promise.race([
    once(child, "message").then(([found]) => found as Faults),
    once(child, "exit").then((): Faults => []),
  ]);
}
