// Runs the rendering thread (worker.ts): started by the first text, given one at a time, replaced when it dies or takes too
// long. Whoever reads pages never waits for somebody else's text.
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { ownModule, ownModuleOptions } from "../../lib/own-files.js";
import type { Answer, Job } from "./worker.js";

export interface RenderingThread {
  /** Undefined where it takes too long, fails, or too many are waiting. */
  render(job: Job): Promise<string | undefined>;
  close(): Promise<void>;
}

export interface ThreadOptions {
  /** Wall time for one text. */
  jobMs?: number;
  /** Texts that may wait or be in work at once. */
  maxWaiting?: number;
}

export function openRenderingThread({ jobMs = 2000, maxWaiting = 500 }: ThreadOptions = {}): RenderingThread {
  let worker: Worker | undefined;
  let previous: Promise<unknown> = Promise.resolve();
  let waiting = 0;

  async function start(): Promise<Worker> {
    const started = new Worker(ownModule("web/markdown/worker"), {
      execArgv: [...ownModuleOptions],
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 },
    });
    // An idle thread must not keep the server from ending.
    started.unref();
    started.on("error", () => {});
    started.once("exit", () => {
      if (worker === started) worker = undefined;
    });
    worker = started;
    await Promise.race([once(started, "message"), once(started, "exit")]);
    return started;
  }

  async function perform(job: Job): Promise<string | undefined> {
    const thread = worker ?? (await start());
    const { promise, resolve } = Promise.withResolvers<Answer | undefined>();
    const timer = setTimeout(() => resolve(undefined), jobMs);
    const onExit = () => resolve(undefined);
    thread.once("message", resolve).once("exit", onExit);
    thread.postMessage(job);
    const answer = await promise;
    clearTimeout(timer);
    thread.off("message", resolve).off("exit", onExit);
    if (answer) return "html" in answer ? answer.html : undefined;
    worker = undefined;
    await thread.terminate();
    return undefined;
  }

  return {
    async render(job) {
      if (waiting >= maxWaiting) return undefined;
      waiting++;
      const answer = previous.then(() => perform(job)).finally(() => waiting--);
      previous = answer.catch(() => {});
      return answer;
    },
    async close() {
      await previous;
      await worker?.terminate();
    },
  };
}
