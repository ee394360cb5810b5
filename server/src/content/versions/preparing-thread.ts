// The thread that prepares projects: it performs the tasks of preparing.ts, one message after the other.
import { parentPort, workerData } from "node:worker_threads";
import type { Config } from "#config/config.js";
import { AnswersStore } from "#content/records/answers-store.js";
import type { PreparingTasks } from "#content/records/preparing-tasks.js";
import { FingerprintKey } from "#lib/fingerprint-key.js";
import { openDatabase } from "#platform/db/open.js";
import { openRenderingThread } from "#platform/markdown/thread.js";
import { createPreparer } from "./preparing.js";

export interface ThreadSettings {
  database: Config["database"];
  cdnUrl: string;
  secret: Uint8Array;
  folder: string | undefined;
  /** The first segment of this server. */
  firstSegment: number;
}

export type Task = Exclude<keyof PreparingTasks, "isStarted" | "ownsFiles">;

export interface Call {
  id: number;
  task: Task;
  input: unknown[];
}

export type Reply = { id: number; result: unknown } | { id: number; error: unknown };

const { database: place, cdnUrl, secret, folder, firstSegment } = workerData as ThreadSettings;
const database = openDatabase(place, () => {});
const renderer = openRenderingThread();
/** The thread that renders takes memory, and most of the time there is nothing to render. */
const idleMs = 20_000;
let closing: NodeJS.Timeout | undefined;

async function render(text: string): Promise<string | undefined> {
  clearTimeout(closing);
  try {
    return await renderer.render({ text, cdnUrl });
  } finally {
    closing = setTimeout(() => renderer.close(), idleMs).unref();
  }
}

const tasks = createPreparer({
  db: database.db,
  cdnUrl,
  key: new FingerprintKey(secret),
  store: folder === undefined ? undefined : new AnswersStore(folder, firstSegment),
  render,
  async close() {
    await renderer.close();
    await database.close();
  },
});

let last = Promise.resolve();

async function perform({ id, task, input }: Call): Promise<void> {
  try {
    const result = await (tasks[task] as (...input: unknown[]) => Promise<unknown>)(...input);
    parentPort?.postMessage({ id, result } satisfies Reply);
  } catch (error) {
    parentPort?.postMessage({ id, error } satisfies Reply);
  }
}

parentPort?.on("message", (call: Call) => {
  last = last.then(() => perform(call));
});
