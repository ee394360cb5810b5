// Claims, finishes and retries jobs in the database. At least once: a worker that dies leaves a lease that runs out.
import { type Kysely, sql } from "kysely";
import type { JobKind } from "../changes/job-kinds.js";
import { skipLocked } from "../db/dialect.js";
import type { Tables } from "../db/tables.js";

export interface ClaimedJob {
  id: number;
  kind: JobKind;
  payload: unknown;
  attempts: number;
}

const leaseMs = 60_000;
const maxAttempts = 10;

/** Takes the oldest due job for this worker, or nothing. */
export async function claimJob(db: Kysely<Tables>, now: number): Promise<ClaimedJob | undefined> {
  const { rows } = await sql<{ id: number; kind: JobKind; payload: string; attempts: number }>`
    update jobs set lease_until = ${now + leaseMs}, attempts = attempts + 1
    where id = (
      select id from jobs
      where run_after <= ${now} and date_parked is null and (lease_until is null or lease_until <= ${now})
      order by run_after, id limit 1 ${skipLocked(db)}
    )
    returning id, kind, payload, attempts`.execute(db);
  const [row] = rows;
  return row && { ...row, payload: JSON.parse(row.payload) };
}

export async function finishJob(db: Kysely<Tables>, id: number): Promise<void> {
  await db.deleteFrom("jobs").where("id", "=", id).execute();
}

/** Tries again later, longer each time; after ten tries the job is parked for a person to look at. */
export async function failJob(
  db: Kysely<Tables>,
  job: ClaimedJob,
  error: Error,
  now: number,
): Promise<"retry" | "parked"> {
  const parked = job.attempts >= maxAttempts;
  await db
    .updateTable("jobs")
    .set({
      lease_until: null,
      run_after: now + retryDelayMs(job.attempts),
      date_parked: parked ? now : null,
      last_error: error.message.slice(0, 500),
    })
    .where("id", "=", job.id)
    .execute();
  return parked ? "parked" : "retry";
}

/** 2 s, 4 s, 8 s … capped at ten minutes: some half an hour in all. */
export const retryDelayMs = (attempts: number): number => Math.min(2 ** attempts, 600) * 1000;

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
