// Runs a child process for dangerous work (worker-process.ts): it is started by the first job, gets one job at a time,
// and is replaced when it dies, takes too long or has grown too large.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { Queue } from "#lib/queue.js";
import type { Greeting, Reply } from "./worker-process.js";

export interface ChildWorkerOptions<Answer> {
  /** The module of the process, which calls serveJobs(). */
  file: URL;
  /** For error messages: "The picture decoder". */
  name: string;
  /** CPU time for one job; wall time if the system does not report the CPU time of another process. */
  jobMs: number;
  /** How many jobs may wait or run at once; further ones are refused. */
  maxUnanswered: number;
  /** A process that had nothing to do for this long is ended; the next job starts another one. */
  idleMs?: number;
  nodeOptions: readonly string[];
  /** The whole environment of the process: it gets no setting of the server. */
  env: Record<string, string>;
  onLate(): Answer;
  onDeath(): Answer;
  onFull(): Answer;
}

export interface ChildWorker<Job, Answer> {
  run(job: Job): Promise<Answer>;
  countUnanswered(): number;
  /** Resolves when it has no job. */
  idle(): Promise<void>;
  findPid(): number | undefined;
  /** Ends the process at once; unfinished jobs are rejected. */
  close(): Promise<void>;
}

const startMs = 30_000;
/** An idle process takes 30 to 50 MB, and starting one takes a tenth of a second. */
const defaultIdleMs = 30_000;
/** A process that gets hardly any CPU time is killed after this many times its limit, but not before a minute. */
const patience = 12;
const leastPatienceMs = 60_000;

export function openChildWorker<Job extends object, Answer>(
  options: ChildWorkerOptions<Answer>,
): ChildWorker<Job, Answer> {
  let child: ChildProcess | undefined;
  const queue = new Queue(1, options.maxUnanswered - 1);
  let isClosed = false;
  let ending: NodeJS.Timeout | undefined;

  async function run(job: Job): Promise<Answer> {
    if (queue.isFull) return options.onFull();
    return queue.run(() => perform(job));
  }

  async function perform(job: Job): Promise<Answer> {
    refuseWhenClosed();
    clearTimeout(ending);
    const worker = child ?? (await start());
    holdProcessOpen(worker, true);
    // A failed send needs no handling: the process has ended or is about to.
    worker.send(job, () => {});
    const heard = await listen<Reply<Answer>>(worker, options.jobMs);
    holdProcessOpen(worker, false);
    refuseWhenClosed();
    if (heard === "late") return options.onLate();
    if (heard === "starved") return options.onFull();
    if (heard === "ended") return options.onDeath();
    if (heard.isSpent) await end(worker);
    else ending = setTimeout(() => retire(worker), options.idleMs ?? defaultIdleMs).unref();
    return heard.answer;
  }

  /** From here on no job is given to it. */
  function retire(worker: ChildProcess): void {
    if (child === worker) child = undefined;
    worker.kill("SIGKILL");
  }

  async function start(): Promise<ChildProcess> {
    const worker = fork(options.file, {
      serialization: "advanced",
      execArgv: [...options.nodeOptions],
      env: options.env,
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
    throw new Error(`${options.name} does not start: ${typeof heard === "object" ? heard.problem : heard}`);
  }

  function refuseWhenClosed(): void {
    if (isClosed) throw new Error(`${options.name} is closed`);
  }

  return {
    run,
    countUnanswered: () => queue.length,
    idle: () => queue.idle(),
    findPid: () => child?.pid,
    async close() {
      isClosed = true;
      clearTimeout(ending);
      if (child) await end(child);
      await queue.idle();
    },
  };
}

type Silence = "ended" | "late" | "starved";

/**
 * The next message of the process, or why there is none: it ended, or it was killed because it exceeded its limit or
 * got no CPU time. A busy machine alone does not make a job late.
 */
function listen<Message extends object>(worker: ChildProcess, limitMs: number): Promise<Message | Silence> {
  return new Promise((resolve) => {
    let silence: Silence = "ended";
    let timer: NodeJS.Timeout;
    let waitedMs = 0;
    const usedBefore = cpuMsOf(worker);
    const wait = (ms: number) => {
      waitedMs += ms;
      timer = setTimeout(look, ms);
    };
    function look(): void {
      const leftMs = limitMs - (usedBefore === undefined ? waitedMs : (cpuMsOf(worker) ?? 0) - usedBefore);
      const isStarved = waitedMs >= Math.max(patience * limitMs, leastPatienceMs);
      if (leftMs > 0 && !isStarved) {
        wait(Math.max(leftMs, limitMs / 10));
        return;
      }
      silence = leftMs > 0 ? "starved" : "late";
      worker.off("message", settle);
      worker.kill("SIGKILL");
    }
    const settleSilent = () => settle(silence);
    function settle(heard: unknown): void {
      clearTimeout(timer);
      worker.off("message", settle).off("exit", settleSilent).off("error", settleSilent);
      resolve(heard as Message | Silence);
    }
    worker.once("message", settle).once("exit", settleSilent).once("error", settleSilent);
    wait(limitMs);
  });
}

/** The CPU time of the process so far, in user and system mode. Only Linux reports it, in ticks of 10 ms. */
function cpuMsOf({ pid }: ChildProcess): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const [user, system] = stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ", 13)
      .slice(11)
      .map(Number);
    return (user! + system!) * 10;
  } catch {
    return undefined;
  }
}

async function end(worker: ChildProcess): Promise<void> {
  const isRunning = worker.pid !== undefined && worker.exitCode === null && worker.signalCode === null;
  if (!isRunning) return;
  // An idle process does not keep the server running, which could end before it gets the exit event.
  const waiting = setInterval(() => {}, 1000);
  const exited = once(worker, "exit");
  worker.kill("SIGKILL");
  await exited;
  clearInterval(waiting);
}

/** An idle process must not keep the server from ending; a working one must. */
function holdProcessOpen(worker: ChildProcess, isHeld: boolean): void {
  if (isHeld) {
    worker.ref();
    worker.channel?.ref();
  } else {
    worker.unref();
    worker.channel?.unref();
  }
}
