// Calls the tasks of preparing: in a thread, which is replaced if it dies, or on the main thread, as most tests do because
// starting a thread takes longer than they do.
import { Worker } from "node:worker_threads";
import { AnswersStore } from "#content/catalog/answers-store.js";
import { fingerprintSecretOf } from "#content/catalog/fingerprint-secret.js";
import type { PreparingTasks } from "#content/catalog/preparing-tasks.js";
import { FingerprintKey } from "#lib/fingerprint-key.js";
import { ownModule } from "#lib/own-files.js";
import type { Resources } from "#platform/http/resources.js";
import { createPreparer } from "./preparing.js";
import type { Call, Reply, Task, ThreadSettings } from "./preparing-thread.js";

/** On PostgreSQL: the thread performs one task at a time, and a few statements of it at once. */
const poolSize = 2;
const restartMs = 1000;

/** On the main thread. */
export const prepareHere = (resources: Resources, folder?: string): PreparingTasks =>
  createPreparer({
    db: resources.db,
    cdnUrl: resources.config.http.cdnUrl,
    key: new FingerprintKey(fingerprintSecretOf(resources)),
    store: folder === undefined ? undefined : new AnswersStore(folder),
    close: async () => {},
  });

interface Waiting {
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** In a thread, which is started by the first task. */
export function prepareInThread(resources: Resources, folder?: string): PreparingTasks {
  const { clock, config, log } = resources;
  const waiting = new Map<number, Waiting>();
  let calls = 0;
  let worker: Worker | undefined;
  let startedAt = Number.NEGATIVE_INFINITY;
  let isClosed = false;

  function start(): Worker {
    // A thread that dies at once must not be started again and again.
    if (isClosed || clock.now() - startedAt < restartMs) throw new Error("The preparing thread does not run");
    startedAt = clock.now();
    const started = new Worker(ownModule("content/versions/preparing-thread"), {
      execArgv: [],
      env: {},
      workerData: {
        database: config.database.engine === "postgres" ? { ...config.database, poolSize } : config.database,
        cdnUrl: config.http.cdnUrl,
        secret: fingerprintSecretOf(resources),
        folder,
      } satisfies ThreadSettings,
      resourceLimits: { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 32 },
    });
    started.on("message", (reply: Reply) => {
      const one = waiting.get(reply.id);
      waiting.delete(reply.id);
      // An idle thread must not keep the process running.
      if (waiting.size === 0) started.unref();
      if ("error" in reply) one?.reject(reply.error);
      else one?.resolve(reply.result);
    });
    started.on("error", (error) => log.error({ err: error }, "The thread that prepares answers failed"));
    started.once("exit", () => {
      worker = undefined;
      for (const { reject } of waiting.values()) reject(new Error("The preparing thread has ended"));
      waiting.clear();
    });
    worker = started;
    return started;
  }

  function call(task: Task, input: unknown[]): Promise<never> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    try {
      const thread = worker ?? start();
      const id = calls++;
      waiting.set(id, { resolve, reject });
      thread.ref();
      thread.postMessage({ id, task, input } satisfies Call);
    } catch (error) {
      reject(error);
    }
    return promise as Promise<never>;
  }

  const tasks: Task[] = [
    ...(["prepare", "noteStale", "mark", "move", "removeSegment", "setFigures"] as const),
    ...(["readFigures", "listIds", "forgetTaxonomy"] as const),
  ];
  return {
    ...(Object.fromEntries(
      tasks.map((task) => [task, (...input: unknown[]) => call(task, input)]),
    ) as unknown as PreparingTasks),
    ownsFiles: true,
    get isStarted() {
      return worker !== undefined;
    },
    async close() {
      if (worker) await call("close", []).catch(() => undefined);
      isClosed = true;
      await worker?.terminate();
    },
  };
}
