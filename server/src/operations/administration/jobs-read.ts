// The job queue as an administrator sees it.
import { sql } from "kysely";
import type { Db, Row } from "#platform/db/tables.js";
import { scheduledKeys } from "#platform/jobs/queue.js";

export type JobState = "parked" | "failing" | "running" | "waiting";
export type JobRow = Row<"jobs">;

export const stateOf = (job: JobRow, now: number): JobState => {
  if (job.date_parked !== null) return "parked";
  if (job.lease_until !== null && job.lease_until > now) return "running";
  return job.last_error === null ? "waiting" : "failing";
};

/** Housekeeping, which the schedule would only enqueue again. */
export const isScheduled = ({ dedupe_key }: Pick<JobRow, "dedupe_key">): boolean =>
  dedupe_key?.startsWith(scheduledKeys) ?? false;

/** Jobs that need attention first. At most 200. */
export const listJobs = (db: Db): Promise<JobRow[]> =>
  db
    .selectFrom("jobs")
    .selectAll()
    .orderBy(sql`case when date_parked is not null then 0 when last_error is not null then 1 else 2 end`)
    .orderBy("run_after")
    .orderBy("id")
    .limit(200)
    .execute();

export const findJob = (db: Db, id: number): Promise<JobRow | undefined> =>
  db.selectFrom("jobs").selectAll().where("id", "=", id).executeTakeFirst();

export interface QueueFigures {
  waiting: number;
  parked: number;
  /** The delay of the oldest job that is due. */
  lateMs: number;
}

export async function readQueue(db: Db, now: number): Promise<QueueFigures> {
  const { rows } = await sql<Record<"waiting" | "parked" | "oldest", number | string | null>>`
    select count(case when date_parked is null then 1 end) as waiting,
      count(date_parked) as parked,
      min(case when date_parked is null then run_after end) as oldest
    from jobs`.execute(db);
  const { waiting, parked, oldest } = rows[0]!;
  return {
    waiting: Number(waiting),
    parked: Number(parked),
    lateMs: oldest === null ? 0 : Math.max(0, now - Number(oldest)),
  };
}
