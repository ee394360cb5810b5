// Runs the picture decoding process (worker.ts): started by the first job, given one at a time,
// replaced when it dies, takes too long or has grown too large.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { extname } from "node:path";
import type { Answer, Greeting, Job, Reply } from "./worker.js";

export interface WorkerClientOptions {
  /** Wall time for one job. */
  jobMs?: number;
  /** Jobs that may be unanswered at once; more are refused at the door. */
  maxUnanswered?: number;
}

export interface WorkerClient {
  run(job: Job): Promise<Answer>;
  findPid(): number | undefined;
  /** Ends the process at once; jobs that have no answer yet are rejected. */
  close(): Promise<void>;
}

const startMs = 30_000;
// The same file name ends in .js when compiled and in .ts when tests run the sources.
const workerUrl = new URL(`./worker${extname(import.meta.url)}`, import.meta.url);
// No setting of the server reaches the decoder. Without these of glibc, it would hardly give memory back.
const workerEnv = { MALLOC_ARENA_MAX: "2", MALLOC_TRIM_THRESHOLD_: "65536", MALLOC_MMAP_THRESHOLD_: "65536" };

export function openWorkerClient({ jobMs = 5_000, maxUnanswered = 32 }: WorkerClientOptions = {}): WorkerClient {
  let child: ChildProcess | undefined;
  let previous: Promise<unknown> = Promise.resolve();
  let unanswered = 0;
  let isClosed = false;

  function run(job: Job): Promise<Answer> {
    if (unanswered >= maxUnanswered) return Promise.resolve({ refused: "tooExpensive" });
    unanswered++;
    const answer = previous.then(() => perform(job)).finally(() => unanswered--);
    previous = answer.catch(() => {});
    return answer;
  }

  async function perform(job: Job): Promise<Answer> {
    refuseWhenClosed();
    const worker = child ?? (await start());
    holdProcessOpen(worker, true);
    // A failed send needs no answer of its own: the process has ended or is about to.
    worker.send(job, () => {});
    const heard = await listen<Reply>(worker, jobMs);
    refuseWhenClosed();
    if (heard === "late") return { refused: "tooExpensive" };
    if (heard === "ended") return { refused: "broken" };
    if (heard.isSpent) await end(worker);
    holdProcessOpen(worker, false);
    return heard.answer;
  }

  async function start(): Promise<ChildProcess> {
    const worker = fork(workerUrl, {
      serialization: "advanced",
      execArgv: ["--max-old-space-size=128"],
      env: workerEnv,
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    child = worker;
    worker.once("exit", () => {
      if (child === worker) child = undefined;
    });
    worker.on("error", () => {});
    const heard = await listen<Greeting>(worker, startMs);
    if (typeof heard === "object" && heard.ready) return worker;
    await end(worker);
    child = undefined;
    refuseWhenClosed();
    throw new Error(`The picture decoder does not start: ${typeof heard === "object" ? heard.problem : heard}`);
  }

  function refuseWhenClosed(): void {
    if (isClosed) throw new Error("The picture decoder is closed");
  }

  return {
    run,
    findPid: () => child?.pid,
    async close() {
      isClosed = true;
      if (child) await end(child);
      await previous;
    },
  };
}

/** What the process says next, or why it says nothing more: it ended, or it was late and has been ended. */
function listen<Message extends object>(worker: ChildProcess, limitMs: number): Promise<Message | "ended" | "late"> {
  return new Promise((resolve) => {
    let silence: "ended" | "late" = "ended";
    const timer = setTimeout(() => {
      silence = "late";
      worker.off("message", settle);
      worker.kill("SIGKILL");
    }, limitMs);
    const settleSilent = () => settle(silence);
    function settle(heard: unknown): void {
      clearTimeout(timer);
      worker.off("message", settle).off("exit", settleSilent).off("error", settleSilent);
      resolve(heard as Message | "ended" | "late");
    }
    worker.once("message", settle).once("exit", settleSilent).once("error", settleSilent);
  });
}

async function end(worker: ChildProcess): Promise<void> {
  const isRunning = worker.pid !== undefined && worker.exitCode === null && worker.signalCode === null;
  if (!isRunning) return;
  const exited = once(worker, "exit");
  worker.kill("SIGKILL");
  await exited;
}

/** An idle decoder must not keep the server from ending; one at work must. */
function holdProcessOpen(worker: ChildProcess, isHeld: boolean): void {
  if (isHeld) {
    worker.ref();
    worker.channel?.ref();
  } else {
    worker.unref();
    worker.channel?.unref();
  }
}
