// Deletes what is no longer needed of views: the digests of visitors after the window in which they matter, and referring
// hosts after more than a year. The sums by day and country stay as long as the project.
import { type Kysely, sql } from "kysely";
import { forgottenBefore, rowsAtOnce } from "#content/downloads/forget.js";
import { dayOf } from "#lib/days.js";
import { skipLocked } from "#platform/db/dialect.js";
import type { Tables } from "#platform/db/tables.js";

/** A year can be compared with the one before, day by day for a month. */
export const referrerDays = 400;

export async function forgetVisitors(db: Kysely<Tables>, now: number): Promise<void> {
  const old = sql`select visitor from recent_views where time <= ${forgottenBefore(now)}
    order by time limit ${rowsAtOnce} ${skipLocked(db)}`;
  for (let deleted = 1n; deleted > 0n; ) {
    const { numAffectedRows = 0n } = await sql`delete from recent_views where visitor in (${old})`.execute(db);
    deleted = numAffectedRows;
  }
  const oldHosts = sql`select project_id, day, host from view_referrers where day < ${dayOf(now) - referrerDays}
    order by day limit ${rowsAtOnce} ${skipLocked(db)}`;
  for (let deleted = 1n; deleted > 0n; ) {
    const { numAffectedRows = 0n } =
      await sql`delete from view_referrers where (project_id, day, host) in (${oldHosts})`.execute(db);
    deleted = numAffectedRows;
  }
}
