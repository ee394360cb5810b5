// Downloads of the last two weeks with decreasing weight, for "trending". Read from the daily sums.
import { sql } from "kysely";
import { inList } from "#platform/db/dialect.js";
import type { Db } from "#platform/db/tables.js";

const days = 14;
/** After so many days a download counts half. */
const halfLife = 4;

export const worthOnDay = (day: number, today: number): number =>
  day > today - days ? 0.5 ** (Math.max(0, today - day) / halfLife) : 0;

interface RecentDay {
  project_id: string;
  /** Days since 1970. */
  day: number;
  count: number;
}

export function recentDays(db: Db, ids: readonly string[], today: number) {
  const mine = inList(db, sql.ref("project_id"), ids);
  const since = today - days;
  return sql<RecentDay>`
    select project_id, day, sum(count) as count from download_days where ${mine} and day > ${since}
    group by project_id, day order by project_id, day`;
}

/** By project; those without a download are left out. */
export function sumRecent(rows: readonly RecentDay[], today: number): Map<string, number> {
  const recent = new Map<string, number>();
  for (const { project_id, day, count } of rows)
    recent.set(project_id, (recent.get(project_id) ?? 0) + count * worthOnDay(day, today));
  return recent;
}
