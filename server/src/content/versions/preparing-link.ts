// Calls the tasks of preparing: in a thread, which is replaced if it dies, or on the main thread, as most tests do because
// starting a thread takes longer than they do.
import { Worker } from "node:worker_threads";
import { fingerprintSecretOf } from "#content/hashes/fingerprint-secret.js";
import { AnswersStore } from "#content/records/answers-store.js";
import { lastSegment } from "#content/records/journal.js";
import type { PreparingTasks } from "#content/records/preparing-tasks.js";
import { FingerprintKey } from "#lib/fingerprint-key.js";
import { ownModule, threadEnvironment } from "#lib/own-files.js";
import type { Resources } from "#platform/http/resources.js";
import { createPreparer } from "./preparing.js";
import type { Call, Reply, Task, ThreadSettings } from "./preparing-thread.js";

/** On PostgreSQL: the thread performs one task at a time, and a few statements of it at once. */
const poolSize = 2;
const restartMs = 1000;
/** The thread takes 30 to 80 MB, and a registry that is not changed has nothing to prepare. */
const idleMs = 20_000;

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

/** A running thread, with the calls that wait for it. */
class Thread {
  readonly worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #calls = 0;
  #ending: NodeJS.Timeout | undefined;

  /** `onIdle` is called when it has had nothing to do for a while. */
  constructor(settings: ThreadSettings, onIdle: () => void) {
    this.worker = new Worker(ownModule("content/versions/preparing-thread"), {
      execArgv: [],
      env: threadEnvironment(),
      workerData: settings,
      resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 12 },
    });
    this.worker.on("message", (reply: Reply) => {
      const one = this.#waiting.get(reply.id);
      this.#waiting.delete(reply.id);
      if (this.#waiting.size === 0) {
        // An idle thread must not keep the process running.
        this.worker.unref();
        this.#ending = setTimeout(onIdle, idleMs).unref();
      }
      if ("error" in reply) one?.reject(reply.error);
      else one?.resolve(reply.result);
    });
    this.worker.once("exit", () => {
      clearTimeout(this.#ending);
      for (const { reject } of this.#waiting.values()) reject(new Error("The preparing thread has ended"));
      this.#waiting.clear();
    });
  }

  call(task: Task, input: unknown[]): Promise<unknown> {
    clearTimeout(this.#ending);
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const id = this.#calls++;
    this.#waiting.set(id, { resolve, reject });
    this.worker.ref();
    this.worker.postMessage({ id, task, input } satisfies Call);
    return promise;
  }

  async end(): Promise<void> {
    await this.call("close", []).catch(() => undefined);
    await this.worker.terminate();
  }
}

/** In a thread, which is started by the first task, and ends when there was nothing to do for a while. */
export function prepareInThread(resources: Resources, folder?: string): PreparingTasks {
  const { clock, config, log } = resources;
  const firstSegment = folder === undefined ? 0 : lastSegment(folder) + 1;
  let thread: Thread | undefined;
  let ending: Promise<void> = Promise.resolve();
  let startedAt = Number.NEGATIVE_INFINITY;
  let isClosed = false;

  /** The next task starts a new thread. This one has nothing left to write, so it may end at the same time. */
  function end(): void {
    if (thread) ending = thread.end();
    thread = undefined;
  }

  function start(): Thread {
    // A thread that dies at once must not be started again and again.
    if (isClosed || clock.now() - startedAt < restartMs) throw new Error("The preparing thread does not run");
    startedAt = clock.now();
    const started = new Thread(
      {
        database: config.database.engine === "postgres" ? { ...config.database, poolSize } : config.database,
        cdnUrl: config.http.cdnUrl,
        secret: fingerprintSecretOf(resources),
        folder,
        firstSegment,
      },
      end,
    );
    started.worker.on("error", (error) => log.error({ err: error }, "The thread that prepares answers failed"));
    started.worker.once("exit", () => {
      if (thread === started) thread = undefined;
    });
    return started;
  }

  async function call(task: Task, input: unknown[]): Promise<unknown> {
    thread ??= start();
    return thread.call(task, input);
  }

  const tasks: Task[] = [
    ...(["wake", "prepare", "noteStale", "mark", "move", "removeSegment", "setFigures"] as const),
    ...(["readFigures", "forgetTaxonomy"] as const),
  ];
  return {
    ...(Object.fromEntries(
      tasks.map((task) => [task, (...input: unknown[]) => call(task, input)]),
    ) as unknown as PreparingTasks),
    // The thread is not started only to find that everything is prepared, as after most starts of the server.
    listIds: prepareHere(resources).listIds,
    ownsFiles: true,
    get isStarted() {
      return thread !== undefined;
    },
    async close() {
      end();
      isClosed = true;
      await ending;
    },
  };
}
