import { describe, expect, test } from "vitest";
import type { JobKind } from "#platform/changes/job-kinds.js";
import { write } from "#platform/changes/write.js";
import { failJob, finishJob, leaseJob, leaseMs, renewLease, retryDelayMs } from "#platform/jobs/queue.js";
import { JobWorker } from "#platform/jobs/worker.js";
import { type TestApp, testApp, uniqueName } from "#test/server/harness.js";
import { startWriterProcess } from "#test/server/writer-process.js";
import { schedule } from "./handlers.js";

const here = await testApp();
const there = await testApp({ sharedWith: here });
const { db } = here.resources;
const { clock } = here;

/** A kind that no other worker of this process knows. */
const newKind = () => uniqueName("job") as JobKind;

type Work = (payload: { n?: number }) => unknown;
const workerFor = (kind: JobKind, work: Work, on: TestApp = here) =>
  new JobWorker(
    on.resources,
    { [kind]: async (_resources: unknown, payload: never) => void (await work(payload)) },
    schedule,
  );

const enqueue = (
  kind: JobKind,
  n: number,
  options: { dedupeKey?: string; runAfter?: number } = {},
  on: TestApp = here,
) => write(on.resources, {}, async (tx) => tx.enqueue(kind, { n } as never, options));

const listJobs = (kind: JobKind) => db.selectFrom("jobs").selectAll().where("kind", "=", kind).orderBy("id").execute();

describe("a job", () => {
  test("runs once without failures, with two workers on two servers", async () => {
    const kind = newKind();
    const effects: number[] = [];
    const work: Work = async ({ n }) => {
      await Promise.resolve();
      effects.push(n!);
    };
    const workers = [workerFor(kind, work), workerFor(kind, work, there), workerFor(kind, work)];
    await write(here.resources, {}, async (tx) => {
      for (let n = 0; n < 100; n++) tx.enqueue(kind, { n } as never);
    });
    await Promise.all(workers.map((worker) => worker.settle()));
    expect(effects.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, n) => n));
    expect(await listJobs(kind)).toEqual([]);
  });

  test("is done in the order of the times when it is due, and never before", async () => {
    const kind = newKind();
    const effects: number[] = [];
    const worker = workerFor(kind, ({ n }) => effects.push(n!));
    const now = clock.now();
    await enqueue(kind, 3, { runAfter: now + 60_000 });
    await enqueue(kind, 2, { runAfter: now });
    await enqueue(kind, 1, { runAfter: now - 1000 });
    await worker.settle();
    expect(effects).toEqual([1, 2]);
    clock.advance(60_000);
    await worker.settle();
    expect(effects).toEqual([1, 2, 3]);
  });

  test("that fails is retried with a growing delay, and parked after ten tries for an administrator", async () => {
    const kind = newKind();
    let tries = 0;
    const worker = workerFor(kind, () => {
      tries++;
      throw tries % 2 ? new Error("no luck") : "thrown text";
    });
    await enqueue(kind, 1, { dedupeKey: kind });
    for (let attempt = 1; attempt <= 10; attempt++) {
      await worker.settle();
      expect(tries).toBe(attempt);
      await worker.settle();
      expect(tries).toBe(attempt);
      clock.advance(retryDelayMs(attempt, 0) - 2000);
      await worker.settle();
      expect(tries).toBe(attempt);
      clock.advance(retryDelayMs(attempt, 1) - retryDelayMs(attempt, 0) + 2000);
    }
    await worker.settle();
    expect(tries).toBe(10);
    const [parked] = await listJobs(kind);
    expect(parked).toMatchObject({ attempts: 10, lease_until: null, last_error: "thrown text" });
    expect(parked?.date_parked).toBeGreaterThan(0);
    const metrics = await here.resources.metrics.registry.metrics();
    expect(metrics).toContain(`modshelf_jobs_total{kind="${kind}",outcome="parked"} 1`);
    expect(metrics).toContain(`modshelf_jobs_total{kind="${kind}",outcome="retry"} 9`);
    expect(metrics).toMatch(/modshelf_jobs\{state="parked"\} [1-9]/);
    // A parked job does not block the next one.
    await enqueue(kind, 2, { dedupeKey: kind });
    await worker.settle();
    expect(tries).toBe(11);
    await db.deleteFrom("jobs").where("kind", "=", kind).execute();
  });

  test("that failed because the database was busy is retried immediately, but not endlessly", async () => {
    const kind = newKind();
    let tries = 0;
    const worker = workerFor(kind, () => {
      tries++;
      throw Object.assign(new Error("canceling statement due to lock timeout"), { code: "55P03" });
    });
    await enqueue(kind, 1);
    await worker.settle();
    expect(tries).toBe(4);
    await db.deleteFrom("jobs").where("kind", "=", kind).execute();
  });

  test("waits 2 s after the first failure and ten minutes at most, a quarter more by chance", () => {
    expect([1, 2, 3, 9, 10, 50].map((attempt) => retryDelayMs(attempt, 0))).toEqual([
      2000, 4000, 8000, 512_000, 600_000, 600_000,
    ]);
    expect(retryDelayMs(1, 1)).toBe(2500);
  });

  test("that lost its worker is run by another when the lease expires, and the dead worker can no longer change it", async () => {
    const kind = newKind();
    const effects: number[] = [];
    await enqueue(kind, 1);
    const dead = (await leaseJob(db, [kind], clock.now()))!;
    expect(dead).toMatchObject({ kind, attempts: 1, payload: '{"n":1}' });
    const worker = workerFor(kind, async ({ n }) => {
      effects.push(n!);
      // The worker comes back while the other one works.
      await failJob(db, dead, "late", { now: clock.now(), delayMs: 0 });
      await finishJob(db, dead);
      expect(await listJobs(kind)).toHaveLength(1);
    });
    await worker.settle();
    expect(effects).toEqual([]);
    clock.advance(leaseMs);
    await worker.settle();
    expect(effects).toEqual([1]);
    expect(await listJobs(kind)).toEqual([]);
  });

  test("that takes long keeps its lease as long as its worker lives", async () => {
    const kind = newKind();
    await enqueue(kind, 1);
    const job = (await leaseJob(db, [kind], clock.now()))!;
    clock.advance(leaseMs - 1000);
    await renewLease(db, job, clock.now());
    clock.advance(2000);
    expect(await leaseJob(db, [kind], clock.now())).toBeUndefined();
    await finishJob(db, job);
    expect(await listJobs(kind)).toEqual([]);
  });

  test("that crashes every worker is parked too", async () => {
    const kind = newKind();
    let tries = 0;
    await enqueue(kind, 1);
    await db.updateTable("jobs").set({ attempts: 10 }).where("kind", "=", kind).execute();
    await workerFor(kind, () => tries++).settle();
    expect(tries).toBe(0);
    expect((await listJobs(kind))[0]).toMatchObject({
      attempts: 11,
      last_error: "Every try of this job ended its worker",
    });
    expect((await listJobs(kind))[0]?.date_parked).toBeGreaterThan(0);
  });

  test("that this server does not know waits for one that does; one that cannot be parsed fails like any other", async () => {
    const [known, unknown] = [newKind(), newKind()];
    let done = 0;
    await enqueue(unknown, 1);
    await enqueue(known, 1);
    await db
      .updateTable("jobs")
      .set({ payload: "{" as never })
      .where("kind", "=", known)
      .execute();
    await enqueue(known, 2);
    await workerFor(known, () => done++).settle();
    expect(done).toBe(1);
    expect((await listJobs(unknown))[0]).toMatchObject({ attempts: 0, lease_until: null });
    expect((await listJobs(known))[0]).toMatchObject({ attempts: 1, last_error: expect.stringContaining("JSON") });
    await db.deleteFrom("jobs").where("kind", "in", [known, unknown]).execute();
  });
});

describe("a job with a key", () => {
  test("is there once while it waits", async () => {
    const kind = newKind();
    const effects: number[] = [];
    await Promise.all([1, 2, 3, 4].map((n) => enqueue(kind, n, { dedupeKey: kind }, n % 2 ? here : there)));
    await write(here.resources, {}, async (tx) => {
      for (const n of [5, 6]) tx.enqueue(kind, { n } as never, { dedupeKey: kind });
    });
    expect(await listJobs(kind)).toHaveLength(1);
    await workerFor(kind, ({ n }) => effects.push(n!)).settle();
    expect(effects).toHaveLength(1);
    await enqueue(kind, 7, { dedupeKey: kind });
    await workerFor(kind, ({ n }) => effects.push(n!)).settle();
    expect(effects[1]).toBe(7);
  });

  test("that is enqueued while it runs is run again: the run may have started before the change", async () => {
    const kind = newKind();
    const effects: number[] = [];
    const worker = workerFor(kind, async ({ n }) => {
      effects.push(n!);
      if (effects.length > 1) return;
      await enqueue(kind, 2, { dedupeKey: kind });
      await enqueue(kind, 3, { dedupeKey: kind });
    });
    await enqueue(kind, 1, { dedupeKey: kind });
    await worker.settle();
    expect(effects).toHaveLength(2);
    expect(effects[0]).toBe(1);
    expect(await listJobs(kind)).toEqual([]);
  });
});

describe("scheduled jobs", () => {
  test("is in the queue once, however many workers, restarts and hours there are", async () => {
    const workers = [here.app.jobs, there.app.jobs, workerFor(newKind(), () => 0)];
    for (let hours = 0; hours < 3; hours++) {
      // Due jobs run first; the next run is scheduled at the next check.
      for (let looks = 0; looks < 2; looks++) await Promise.all(workers.map((worker) => worker.settle()));
      for (const { kind, everyMs } of schedule) {
        const [job, ...more] = await listJobs(kind);
        expect(more).toEqual([]);
        expect(job!.run_after % everyMs).toBe(0);
        expect(job!.run_after - clock.now()).toBeLessThanOrEqual(everyMs);
      }
      clock.advance(60 * 60_000);
    }
  });

  test("is not written again while it is queued: an idle server does not write to the disk", async () => {
    const kind = newKind();
    const later = { runAfter: clock.now() + 1000 };
    // The other server may have run jobs that are now scheduled again.
    for (let looks = 0; looks < 2; looks++) await Promise.all([here.app.jobs.settle(), there.app.jobs.settle()]);
    await enqueue(kind, 1, later);
    for (let looks = 0; looks < 3; looks++) await here.app.jobs.settle();
    await enqueue(kind, 2, later);
    // Both engines also count rows that they did not insert.
    const [first, second] = await listJobs(kind);
    expect(second!.id).toBe(first!.id + 1);
  });
});

describe("a worker", () => {
  test("that cannot read the queue does not report that nothing is due", async () => {
    const elsewhere = { ...here, resources: { ...here.resources, db: db.withSchema("nowhere") } };
    await expect(workerFor(newKind(), () => 0, elsewhere).settle()).rejects.toThrow("nowhere");
  });

  test("that is stopped finishes the running job, and starts no other", async () => {
    const kind = newKind();
    const gate = Promise.withResolvers<void>();
    const begun: number[] = [];
    let ended = 0;
    const worker = workerFor(kind, async ({ n }) => {
      begun.push(n!);
      await gate.promise;
      ended++;
    });
    await enqueue(kind, 1);
    await enqueue(kind, 2);
    worker.start();
    await expect.poll(() => begun).toEqual([1]);
    const stopped = worker.stop();
    expect(ended).toBe(0);
    gate.resolve();
    await stopped;
    expect([begun, ended]).toEqual([[1], 1]);
    expect(await listJobs(kind)).toHaveLength(1);
    await db.deleteFrom("jobs").where("kind", "=", kind).execute();
  });

  test("that is stopped does not wait endlessly", async () => {
    const kind = newKind();
    const gate = Promise.withResolvers<void>();
    let begun = 0;
    const worker = workerFor(kind, () => {
      begun++;
      return gate.promise;
    });
    await enqueue(kind, 1);
    worker.start();
    await expect.poll(() => begun).toBe(1);
    await worker.stop(50);
    expect((await listJobs(kind))[0]?.lease_until).toBeGreaterThan(clock.now());
    gate.resolve();
    await expect.poll(() => listJobs(kind)).toEqual([]);
  });

  test("starts jobs that another server or process enqueues", async () => {
    const kind = newKind();
    let done = 0;
    const worker = workerFor(kind, () => done++);
    worker.start();
    const process = await startWriterProcess(here.config.database);
    for (let times = 1; times <= 6; times++) {
      if (times % 2) await process.write("job", kind);
      else await enqueue(kind, 1, {}, there);
      await expect.poll(() => done).toBe(times);
    }
    await process.close();
    await worker.stop();
  });
});
