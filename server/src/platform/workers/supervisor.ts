// Starts the worker processes of a server, replaces those that die, and stops them. They share one port: this process
// accepts each connection and gives it to the next worker (node:cluster).
import cluster, { type Worker } from "node:cluster";
import { fileURLToPath } from "node:url";
import type { Logger } from "pino";
import type { Clock } from "#lib/clock.js";
import type { Assignment, WorkerCalls } from "./calls.js";
import { Channel, type Port } from "./channel.js";
import { Connections } from "./connections.js";
import { type Member, Switchboard } from "./switchboard.js";
import { WorkerMetrics } from "./worker-metrics.js";

/** A worker could not start, for a reason that the operator can remove. */
export class WorkerFailure extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number) {
    super(message);
    this.exitCode = exitCode;
  }
}

export interface SupervisorOptions {
  count: number;
  /** The program of a worker. */
  program: URL;
  clock: Clock;
  log: Logger;
  /** Workers are started before this resolves and wait for it: loading the program takes most of their start. */
  prepared: Promise<unknown>;
  assign(number: number): Assignment;
}

interface Slot {
  readonly number: number;
  worker: Worker | undefined;
  member: Member | undefined;
  isReady: boolean;
  startedAt: number;
  /** How often in a row the worker ended before it was ready. */
  earlyEnds: number;
  /** How often in a row it ended soon. */
  soonEnds: number;
  restarts: number;
  timer: NodeJS.Timeout | undefined;
}

/** A worker that ran this long is replaced at once. */
const longRunMs = 10_000;
const firstPauseMs = 100;
const longestPauseMs = 10_000;
/** After so many attempts in a row that ended before the worker was ready, the server gives up. */
const mostEarlyEnds = 5;
/** A worker ends by itself at its deadline (platform/http/stop-limits.ts); this is for one that cannot. */
const extraStopMs = 2000;
/** The time in which workers take the last connections; a worker takes one as soon as its event loop turns. */
const handOverMs = 5000;

export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #slots: Slot[];
  readonly #switchboard: Switchboard;
  readonly #started = Promise.withResolvers<string>();
  readonly #failed = Promise.withResolvers<never>();
  readonly #metrics: WorkerMetrics;
  readonly #connections = new Connections();
  #isStopping = false;
  #whenEnded: (() => void) | undefined;
  #isClean = true;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#slots = Array.from({ length: options.count }, (_, at) => ({
      ...{ number: at + 1, worker: undefined, member: undefined, isReady: false, startedAt: 0 },
      ...{ earlyEnds: 0, soonEnds: 0, restarts: 0, timer: undefined },
    }));
    this.#metrics = new WorkerMetrics(() => ({
      running: this.#slots.filter(({ isReady }) => isReady).length,
      restarts: this.#slots.reduce((sum, { restarts }) => sum + restarts, 0),
    }));
    this.#switchboard = new Switchboard(() => this.collectMetrics());
    this.#started.promise.catch(() => undefined);
    this.#failed.promise.catch(() => undefined);
  }

  /** Resolves with the address when all workers answer. Rejects with WorkerFailure if one cannot start. */
  start(): Promise<string> {
    cluster.setupPrimary({ exec: fileURLToPath(this.#options.program), args: [] });
    for (const slot of this.#slots) this.#fork(slot);
    return Promise.race([this.#started.promise, this.#failed.promise]);
  }

  /** Rejects with WorkerFailure when a worker cannot be replaced. */
  get failed(): Promise<never> {
    return this.#failed.promise;
  }

  /** The figures of all processes together. */
  async collectMetrics(): Promise<string> {
    await this.#switchboard.askAll(async (channel) => this.#metrics.note(channel, await channel.request("metrics")));
    return this.#metrics.text();
  }

  get metricsType(): string {
    return this.#metrics.contentType;
  }

  /** Every worker reads the settings file again. */
  reload(): void {
    for (const { channel } of this.#switchboard.members) channel.tell("reload");
  }

  /** Lets the workers finish; those that have not ended after `limitMs` are killed. Returns whether all ended well. */
  async stop(limitMs: number): Promise<boolean> {
    this.#isStopping = true;
    for (const { channel } of this.#switchboard.members) channel.tell("prepareStop");
    await this.#connections.stopAccepting(handOverMs);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#whenEnded = resolve;
    for (const { timer, member } of this.#slots) {
      clearTimeout(timer);
      member?.channel.tell("stop");
    }
    const late = setTimeout(() => {
      for (const { member } of this.#slots) member?.kill("It did not stop in time");
    }, limitMs + extraStopMs);
    this.#checkEnded();
    await promise;
    clearTimeout(late);
    return this.#isClean;
  }

  #fork(slot: Slot): void {
    const worker = cluster.fork();
    const channel = new Channel<WorkerCalls>(worker.process as Port);
    const member: Member = {
      number: slot.number,
      pid: worker.process.pid,
      channel,
      kill: (reason) => {
        this.#options.log.error({ worker: slot.number, pid: member.pid, reason }, "A worker is killed");
        worker.kill("SIGKILL");
      },
    };
    Object.assign(slot, { worker, member, isReady: false, startedAt: this.#options.clock.now() });
    this.#switchboard.connect(member, {
      begin: async () => {
        await this.#options.prepared;
        return this.#options.assign(slot.number);
      },
      ready: (address) => this.#becameReady(slot, address),
      failed: (message, exitCode) => this.#failed.reject(new WorkerFailure(message, exitCode)),
    });
    worker.on("error", (error) => this.#options.log.error({ err: error, worker: slot.number }, "A worker failed"));
    this.#connections.watch(worker.process);
    worker.once("exit", (code, signal) => {
      this.#connections.forget(worker.process);
      this.#ended(slot, member, { code, signal });
    });
  }

  #becameReady(slot: Slot, address: string): void {
    slot.isReady = true;
    slot.earlyEnds = 0;
    this.#options.log.info({ worker: slot.number, pid: slot.member?.pid }, "A worker answers");
    if (this.#slots.every(({ isReady }) => isReady)) this.#started.resolve(address);
  }

  #ended(slot: Slot, member: Member, how: { code: number | null; signal: string | null }): void {
    const wasReady = slot.isReady;
    Object.assign(slot, { worker: undefined, member: undefined, isReady: false });
    this.#switchboard.disconnect(member);
    this.#metrics.retire(member.channel);
    if (this.#isStopping) {
      if (how.code !== 0) this.#isClean = false;
      this.#checkEnded();
      return;
    }
    const isSoon = !wasReady || this.#options.clock.now() - slot.startedAt < longRunMs;
    slot.soonEnds = isSoon ? slot.soonEnds + 1 : 0;
    if (!wasReady) slot.earlyEnds++;
    this.#options.log.error(
      { worker: slot.number, pid: member.pid, exitCode: how.code, signal: how.signal },
      "A worker has ended; it is replaced",
    );
    if (slot.earlyEnds >= mostEarlyEnds) {
      this.#failed.reject(
        new WorkerFailure(
          `A worker process ended ${slot.earlyEnds} times before it could answer (${describe(how)}). ` +
            "The log above says why; MODSHELF_WORKERS=1 starts the server in one process.",
          1,
        ),
      );
      return;
    }
    slot.restarts++;
    const pauseMs = slot.soonEnds === 0 ? 0 : Math.min(firstPauseMs * 2 ** (slot.soonEnds - 1), longestPauseMs);
    slot.timer = setTimeout(() => this.#fork(slot), pauseMs);
  }

  #checkEnded(): void {
    if (this.#slots.every(({ worker }) => worker === undefined)) this.#whenEnded?.();
  }
}

const describe = ({ code, signal }: { code: number | null; signal: string | null }): string =>
  signal === null ? `exit code ${code}` : `signal ${signal}`;
