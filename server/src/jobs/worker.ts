// Works the queue off in this process: woken by the change feed when a job is enqueued anywhere, and by a timer for
// what falls due. Several nodes do this side by side.
import type { Resources } from "../http/resources.js";
import { handlers, schedule } from "./handlers.js";
import { type ClaimedJob, claimJob, failJob, finishJob, readQueueFigures } from "./queue.js";

const pollMs = 1000;

export class JobWorker {
  readonly #resources: Resources;
  #timer: NodeJS.Timeout | undefined;
  #unsubscribe: () => void = () => {};
  #working: Promise<void> | undefined;
  #again = false;
  #stopping = false;

  constructor(resources: Resources) {
    this.#resources = resources;
  }

  start(): void {
    this.#unsubscribe = this.#resources.feed.subscribe((change) => {
      if (change.kind === "job") this.wake();
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

  /** Resolves when nothing is due any more. */
  async settle(): Promise<void> {
    this.wake();
    while (this.#working) await this.#working;
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    this.#unsubscribe();
    clearInterval(this.#timer);
    await this.#working;
  }

  async #drain(): Promise<void> {
    const { db, clock, log } = this.#resources;
    try {
      await this.#enqueueScheduled();
      while (!this.#stopping) {
        const job = await claimJob(db, clock.now());
        if (!job) break;
        await this.#run(job);
      }
      await this.#measure();
    } catch (error) {
      // The database is away; the timer tries again.
      log.warn({ err: error }, "The job queue cannot be read");
    }
  }

  async #run(job: ClaimedJob): Promise<void> {
    const { db, clock, log, metrics } = this.#resources;
    try {
      await handlers[job.kind](this.#resources, job.payload as never);
      await finishJob(db, job.id);
      metrics.jobs.inc({ kind: job.kind, outcome: "done" });
    } catch (error) {
      const outcome = await failJob(db, job, error as Error, clock.now());
      metrics.jobs.inc({ kind: job.kind, outcome });
      log[outcome === "parked" ? "error" : "warn"](
        { err: error, job: job.kind, id: job.id, attempts: job.attempts },
        `A job failed: ${outcome}`,
      );
    }
  }

  /** The next run is enqueued while the last one's key is free; its due time comes from the clock, not from us. */
  async #enqueueScheduled(): Promise<void> {
    const { db, clock } = this.#resources;
    const now = clock.now();
    for (const { kind, everyMs } of schedule) {
      const due = Math.ceil((now + 1) / everyMs) * everyMs;
      await db
        .insertInto("jobs")
        .values({ kind, payload: "{}", dedupe_key: `schedule ${kind}`, run_after: due, date_created: now })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    }
  }

  async #measure(): Promise<void> {
    const { db, clock, metrics } = this.#resources;
    const figures = await readQueueFigures(db, clock.now());
    metrics.waitingJobs.set({ state: "waiting" }, figures.waiting);
    metrics.waitingJobs.set({ state: "parked" }, figures.parked);
    metrics.oldestJobSeconds.set(figures.oldestDueMs / 1000);
  }
}
