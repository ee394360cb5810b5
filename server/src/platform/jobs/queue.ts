// Leases, finishes and retries jobs in the database. Jobs run at least once: the lease of a worker that dies expires.
// The lease is also the proof of ownership: a worker that has lost it can neither finish nor postpone the job.
import { type Kysely, sql } from "kysely";
import type { JobKind } from "#platform/changes/job-kinds.js";
import { inList, skipLocked } from "#platform/db/dialect.js";
import type { Tables } from "#platform/db/tables.js";

export interface LeasedJob {
  id: number;
  kind: JobKind;
  /** JSON text. */
  payload: string;
  attempts: number;
  leaseUntil: number;
}

/** A running worker renews its lease long before it expires. */
export const leaseMs = 60_000;
export const maxAttempts = 10;
/** The keys of scheduled jobs begin with this. */
export const scheduledKeys = "schedule ";

/** Leases the oldest due job of the kinds that this worker knows, if any. Jobs of a newer node wait for that node. */
export async function leaseJob(
  db: Kysely<Tables>,
  kinds: readonly JobKind[],
  now: number,
): Promise<LeasedJob | undefined> {
  const leaseUntil = now + leaseMs;
  const { rows } = await sql<Omit<LeasedJob, "leaseUntil">>`
    update jobs set lease_until = ${leaseUntil}, attempts = attempts + 1
    where id = (
      select id from jobs
      where run_after <= ${now} and date_parked is null and (lease_until is null or lease_until <= ${now})
        and ${inList(db, sql.ref("kind"), kinds)}
      order by run_after, id limit 1 ${skipLocked(db)}
    )
    returning id, kind, payload, attempts`.execute(db);
  return rows[0] && { ...rows[0], leaseUntil };
}

/** For jobs that take long. */
export async function renewLease(db: Kysely<Tables>, job: LeasedJob, now: number): Promise<void> {
  const leaseUntil = now + leaseMs;
  const { numUpdatedRows } = await db
    .updateTable("jobs")
    .set({ lease_until: leaseUntil })
    .where("id", "=", job.id)
    .where("lease_until", "=", job.leaseUntil)
    .executeTakeFirst();
  if (numUpdatedRows === 1n) job.leaseUntil = leaseUntil;
}

/** A job that was enqueued again while it ran has lost its lease, and stays for its next run. */
export async function finishJob(db: Kysely<Tables>, job: LeasedJob): Promise<void> {
  await db.deleteFrom("jobs").where("id", "=", job.id).where("lease_until", "=", job.leaseUntil).execute();
}

/** Retries later, with growing delays; after ten tries the job is parked for a person to look at. */
export async function failJob(
  db: Kysely<Tables>,
  job: LeasedJob,
  reason: string,
  { now, delayMs }: { now: number; delayMs: number },
): Promise<"retry" | "parked"> {
  const isParked = job.attempts >= maxAttempts;
  const { numUpdatedRows } = await db
    .updateTable("jobs")
    .set({
      lease_until: null,
      run_after: now + delayMs,
      date_parked: isParked ? now : null,
      last_error: reason.slice(0, 500),
    })
    .where("id", "=", job.id)
    .where("lease_until", "=", job.leaseUntil)
    .executeTakeFirst();
  return isParked && numUpdatedRows === 1n ? "parked" : "retry";
}

/**
 * 2 s, 4 s, 8 s … up to ten minutes, about half an hour in total. Up to a quarter is added randomly, so that jobs that
 * failed together are not retried together.
 */
export const retryDelayMs = (attempts: number, chance: number): number =>
  Math.round(Math.min(2 ** attempts, 600) * 1000 * (1 + chance / 4));

export async function readQueueFigures(
  db: Kysely<Tables>,
  now: number,
): Promise<{ waiting: number; parked: number; oldestDueMs: number }> {
  const row = await db
    .selectFrom("jobs")
    .select((select) => [
      select.fn.count<number>("id").filterWhere("date_parked", "is", null).as("waiting"),
      select.fn.count<number>("id").filterWhere("date_parked", "is not", null).as("parked"),
      select.fn.min<number | null>("run_after").filterWhere("date_parked", "is", null).as("oldest"),
    ])
    .executeTakeFirstOrThrow();
  return {
    waiting: row.waiting,
    parked: row.parked,
    oldestDueMs: row.oldest === null ? 0 : Math.max(0, now - row.oldest),
  };
}
