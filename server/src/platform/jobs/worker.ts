// Runs the jobs of the queue in this process: woken by the change log when a job is enqueued anywhere, and by a timer
// for jobs that become due. Several nodes do this at the same time.
import type { JobKind, JobPayloads } from "#platform/changes/job-kinds.js";
import { isOverloaded } from "#platform/db/dialect.js";
import type { Resources } from "#platform/http/resources.js";
import {
  failJob,
  finishJob,
  type LeasedJob,
  leaseJob,
  leaseMs,
  maxAttempts,
  readQueueFigures,
  renewLease,
  retryDelayMs,
  scheduledKeys,
} from "./queue.js";

const pollMs = 1000;
/** How often settle() retries if the queue cannot be read. */
const mostLooks = 10;
/** How often a job that failed because of a busy database is retried without delay. */
const promptTries = 3;

export type Handlers = { [K in JobKind]: (resources: Resources, payload: JobPayloads[K]) => Promise<void> };

/** Jobs without a payload that run at fixed intervals. */
export type Schedule = readonly { kind: JobKind; everyMs: number }[];

export class JobWorker {
  readonly #resources: Resources;
  readonly #handlers: Partial<Handlers>;
  readonly #kinds: readonly JobKind[];
  /** Only one of several workers of a server has the schedule. It also updates the metrics of the queue. */
  readonly #schedule: Schedule | undefined;
  #timer: NodeJS.Timeout | undefined;
  #unsubscribe: () => void = () => {};
  #working: Promise<void> | undefined;
  #again = false;
  #stopping = false;
  /** The error of the last attempt to read the queue. */
  #trouble: unknown;

  constructor(resources: Resources, handlers: Partial<Handlers>, schedule?: Schedule) {
    this.#resources = resources;
    this.#handlers = handlers;
    this.#kinds = Object.keys(handlers) as JobKind[];
    this.#schedule = schedule;
  }

  start(): void {
    this.#unsubscribe = this.#resources.changeLog.subscribe((change) => {
      if (change.kind === "job" && this.#kinds.includes(change.id as JobKind)) this.wake();
    });
    this.#timer = setInterval(() => this.wake(), pollMs);
    this.#timer.unref();
    this.wake();
  }

  wake(): void {
    if (this.#stopping) return;
    if (this.#working) {
      this.#again = true;
      return;
    }
    this.#working = this.#drain().finally(() => {
      this.#working = undefined;
      if (!this.#again) return;
      this.#again = false;
      this.wake();
    });
  }

  get isIdle(): boolean {
    return this.#working === undefined;
  }

  /** Resolves when no job is due any more; rejects if the queue cannot be read. */
  async settle(): Promise<void> {
    for (let looks = 0; looks < mostLooks; looks++) {
      this.wake();
      while (this.#working) await this.#working;
      if (this.#trouble === undefined) return;
    }
    throw this.#trouble;
  }

  /** Lets the running job finish, within a time limit: an aborted job runs again when its lease has expired. */
  async stop(graceMs = 60_000): Promise<void> {
    this.#stopping = true;
    this.#unsubscribe();
    clearInterval(this.#timer);
    const { promise: deadline, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, graceMs);
    await Promise.race([this.#working, deadline]);
    clearTimeout(timer);
  }

  async #drain(): Promise<void> {
    const { db, clock, log } = this.#resources;
    try {
      if (this.#schedule) await this.#enqueueScheduled(this.#schedule);
      while (!this.#stopping) {
        const job = await leaseJob(db, this.#kinds, clock.now());
        if (!job) break;
        await this.#run(job);
      }
      if (this.#schedule) await this.#measure();
      this.#trouble = undefined;
    } catch (error) {
      this.#trouble = error;
      // The database is unavailable; the timer tries again.
      log.warn({ err: error }, "The job queue could not be read; it will be tried again");
    }
  }

  async #run(job: LeasedJob): Promise<void> {
    const { db, metrics } = this.#resources;
    try {
      await this.#withLease(job, () => this.#do(job));
    } catch (error) {
      return this.#fail(job, error);
    }
    await finishJob(db, job);
    metrics.jobs.inc({ kind: job.kind, outcome: "done" });
  }

  async #withLease(job: LeasedJob, work: () => Promise<void>): Promise<void> {
    let renewed = Promise.resolve();
    const timer = setInterval(() => {
      renewed = this.#renew(job);
    }, leaseMs / 3);
    try {
      await work();
    } finally {
      clearInterval(timer);
      // Without the current lease the job cannot be finished.
      await renewed;
    }
  }

  async #do(job: LeasedJob): Promise<void> {
    // None of the earlier tries reported an end: the job takes down its worker.
    if (job.attempts > maxAttempts) throw new Error("Every try of this job ended its worker");
    await this.#handlers[job.kind]!(this.#resources, JSON.parse(job.payload) as never);
  }

  async #renew(job: LeasedJob): Promise<void> {
    const { db, clock, log } = this.#resources;
    try {
      await renewLease(db, job, clock.now());
    } catch (error) {
      log.warn({ err: error, job: job.kind, id: job.id }, "The lease of a job could not be renewed");
    }
  }

  async #fail(job: LeasedJob, error: unknown): Promise<void> {
    const { db, clock, random, log, metrics } = this.#resources;
    const reason = error instanceof Error ? error.message : String(error);
    const isPrompt = isOverloaded(error) && job.attempts <= promptTries;
    const delayMs = isPrompt ? 0 : retryDelayMs(job.attempts, random.bytes(1)[0]! / 256);
    const outcome = await failJob(db, job, reason, { now: clock.now(), delayMs });
    metrics.jobs.inc({ kind: job.kind, outcome });
    log[outcome === "parked" ? "error" : "warn"](
      { err: error, job: job.kind, id: job.id, attempts: job.attempts },
      `A job failed: ${outcome}`,
    );
  }

  /**
   * The next run is enqueued when the key of the last one is free; its due time is a multiple of the interval. Reads
   * first, so that an idle server writes nothing.
   */
  async #enqueueScheduled(schedule: Schedule): Promise<void> {
    const { db, clock } = this.#resources;
    const now = clock.now();
    const wanted = schedule.map(({ kind, everyMs }) => ({
      ...{ kind, payload: "{}", dedupe_key: `${scheduledKeys}${kind}` },
      ...{ run_after: Math.ceil((now + 1) / everyMs) * everyMs, date_created: now },
    }));
    const keys = wanted.map(({ dedupe_key }) => dedupe_key);
    const there = await db.selectFrom("jobs").select("dedupe_key").where("dedupe_key", "in", keys).execute();
    const missing = wanted.filter((job) => !there.some(({ dedupe_key }) => dedupe_key === job.dedupe_key));
    if (missing.length === 0) return;
    await db
      .insertInto("jobs")
      .values(missing)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  async #measure(): Promise<void> {
    const { db, clock, metrics } = this.#resources;
    const figures = await readQueueFigures(db, clock.now());
    metrics.waitingJobs.set({ state: "waiting" }, figures.waiting);
    metrics.waitingJobs.set({ state: "parked" }, figures.parked);
    metrics.oldestJobSeconds.set(figures.oldestDueMs / 1000);
  }
}
