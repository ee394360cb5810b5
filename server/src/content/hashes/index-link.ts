// Starts the thread that fills the tables of the hash index (index-thread.ts).
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { ownModule } from "#lib/own-files.js";
import type { IndexTask, MovedTables } from "./index-tables.js";

/** `use` is called with the thread, and with undefined when it has ended. */
export async function readInThread(task: IndexTask, use: (worker: Worker | undefined) => void): Promise<MovedTables> {
  const worker = new Worker(ownModule("content/hashes/index-thread"), {
    execArgv: [],
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 6 },
  });
  use(worker);
  try {
    // An error of the thread rejects the wait for its message.
    const ended = once(worker, "exit").then(() => Promise.reject(new Error("The thread has ended")));
    const [moved] = (await Promise.race([once(worker, "message"), ended])) as [MovedTables];
    return moved;
  } finally {
    use(undefined);
    await worker.terminate();
  }
}
