// Runs a rendering thread (worker.ts): started by the first text, given one text at a time, replaced if it dies or a text
// takes too long. The limit is CPU time of the thread, so that an ordinary text is rendered on a busy machine too.
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { ownModule, threadEnvironment } from "#lib/own-files.js";
import { Queue } from "#lib/queue.js";
import type { Job, Message } from "./worker.js";

export interface RenderingThread {
  /** Undefined if the text takes too long or fails; rejects with Busy if too many texts are waiting. */
  render(job: Job): Promise<string | undefined>;
  close(): Promise<void>;
}

export interface ThreadOptions {
  /** CPU time for one text. */
  cpuMs?: number;
  /** Texts that may wait or be rendered at the same time. */
  maxWaiting?: number;
}

/** A thread that gets hardly any CPU time is stopped after this many times its budget. */
const patience = 40;

export function openRenderingThread({ cpuMs = 250, maxWaiting = 500 }: ThreadOptions = {}): RenderingThread {
  let worker: Worker | undefined;
  /** CPU time that the thread had used when it became ready for the next text. */
  let usedMs = 0;
  const queue = new Queue(1, maxWaiting - 1);

  async function start(): Promise<Worker> {
    const started = new Worker(ownModule("platform/markdown/worker"), {
      execArgv: [],
      env: threadEnvironment(),
      resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 6 },
    });
    started.on("error", () => {});
    started.on("message", (message: Message) => {
      usedMs = message.usedMs;
    });
    started.once("exit", () => {
      if (worker === started) worker = undefined;
    });
    worker = started;
    await Promise.race([once(started, "message"), once(started, "exit")]);
    return started;
  }

  async function perform(job: Job): Promise<string | undefined> {
    const thread = worker ?? (await start());
    thread.ref();
    const { promise, resolve } = Promise.withResolvers<Message | undefined>();
    const giveUp = () => resolve(undefined);
    const usedBefore = usedMs;
    let next: NodeJS.Timeout;
    const look = async () => {
      const { user, system } = await thread.cpuUsage();
      const leftMs = cpuMs - ((user + system) / 1000 - usedBefore);
      if (leftMs <= 0) giveUp();
      else next = setTimeout(() => look().catch(giveUp), Math.max(leftMs, cpuMs / 10));
    };
    next = setTimeout(() => look().catch(giveUp), cpuMs);
    const last = setTimeout(giveUp, patience * cpuMs);
    thread.once("message", resolve).once("exit", giveUp);
    thread.postMessage(job);
    const answer = await promise;
    clearTimeout(next);
    clearTimeout(last);
    thread.off("message", resolve).off("exit", giveUp);
    if (!answer) {
      worker = undefined;
      await thread.terminate();
      return undefined;
    }
    // An idle thread must not keep the process running. This is called after the listeners are added, because the first
    // listener for messages makes Node.js wait for the thread again.
    thread.unref();
    return answer.html;
  }

  return {
    render: (job) => queue.run(() => perform(job)),
    async close() {
      await queue.idle();
      await worker?.terminate();
    },
  };
}
