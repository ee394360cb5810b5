// Runs a child process that does dangerous work (worker-process.ts): started by the first job, given one at a time,
// replaced when it dies, takes too long or has grown too large.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { ownModuleOptions } from "#lib/own-files.js";
import type { Greeting, Reply } from "./worker-process.js";

export interface ChildWorkerOptions<Answer> {
  /** What runs in the process: a file that calls serveJobs(). */
  file: URL;
  /** For error messages: "The picture decoder". */
  name: string;
  /** CPU time for one job; wall time where the system does not tell the CPU time of another process. */
  jobMs: number;
  /** Jobs that may be unanswered at once; more are turned away at the door. */
  maxUnanswered: number;
  nodeOptions: readonly string[];
  /** The whole environment of the process: no setting of the server reaches it. */
  env: Record<string, string>;
  onLate(): Answer;
  onDeath(): Answer;
  onFull(): Answer;
}

export interface ChildWorker<Job, Answer> {
  run(job: Job): Promise<Answer>;
  countUnanswered(): number;
  findPid(): number | undefined;
  /** Ends the process at once; jobs that have no answer yet are rejected. */
  close(): Promise<void>;
}

const startMs = 30_000;
/** A process that gets hardly any CPU time is given up after this many times its limit, though not before a minute. */
const patience = 12;
const leastPatienceMs = 60_000;

export function openChildWorker<Job extends object, Answer>(
  options: ChildWorkerOptions<Answer>,
): ChildWorker<Job, Answer> {
  let child: ChildProcess | undefined;
  let previous: Promise<unknown> = Promise.resolve();
  let unanswered = 0;
  let isClosed = false;

  async function run(job: Job): Promise<Answer> {
    if (unanswered >= options.maxUnanswered) return options.onFull();
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
    const heard = await listen<Reply<Answer>>(worker, options.jobMs);
    holdProcessOpen(worker, false);
    refuseWhenClosed();
    if (heard === "late") return options.onLate();
    if (heard === "starved") return options.onFull();
    if (heard === "ended") return options.onDeath();
    if (heard.isSpent) await end(worker);
    return heard.answer;
  }

  async function start(): Promise<ChildProcess> {
    const worker = fork(options.file, {
      serialization: "advanced",
      execArgv: [...options.nodeOptions, ...ownModuleOptions],
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
    countUnanswered: () => unanswered,
    findPid: () => child?.pid,
    async close() {
      isClosed = true;
      if (child) await end(child);
      await previous;
    },
  };
}

type Silence = "ended" | "late" | "starved";

/**
 * What the process says next, or why it says nothing more: it ended, or it was ended because it used up its limit or got no
 * CPU time. A busy machine alone makes no job late.
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

/** CPU time that the process has used so far, in user and system mode. Only Linux tells it, in ticks of 10 ms. */
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
  // An idle process does not keep the server running, which could end before it hears of the exit that it waits for.
  const waiting = setInterval(() => {}, 1000);
  const exited = once(worker, "exit");
  worker.kill("SIGKILL");
  await exited;
  clearInterval(waiting);
}

/** An idle process must not keep the server from ending; one at work must. */
function holdProcessOpen(worker: ChildProcess, isHeld: boolean): void {
  if (isHeld) {
    worker.ref();
    worker.channel?.ref();
  } else {
    worker.unref();
    worker.channel?.unref();
  }
}
