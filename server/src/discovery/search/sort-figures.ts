// The figures by which results are sorted. Downloads of the last two weeks count with decreasing weight, for "trending"; they are
// read from the daily sums.
import { sql } from "kysely";
import { inList, together } from "#platform/db/dialect.js";
import type { Db } from "#platform/db/tables.js";
import type { Figures } from "./entry.js";

const days = 14;
/** After so many days a download counts half. */
const halfLife = 4;

const worthOnDay = (day: number, today: number): number =>
  day > today - days ? 0.5 ** (Math.max(0, today - day) / halfLife) : 0;

interface RecentDay {
  project_id: string;
  /** Days since 1970. */
  day: number;
  count: number;
}

function recentDays(db: Db, ids: readonly string[], today: number) {
  const mine = inList(db, sql.ref("project_id"), ids);
  const since = today - days;
  return sql<RecentDay>`
    select project_id, day, sum(count) as count from download_days where ${mine} and day > ${since}
    group by project_id, day order by project_id, day`;
}

/** By project; those without a download are left out. */
function sumRecent(rows: readonly RecentDay[], today: number): Map<string, number> {
  const recent = new Map<string, number>();
  for (const { project_id, day, count } of rows)
    recent.set(project_id, (recent.get(project_id) ?? 0) + count * worthOnDay(day, today));
  return recent;
}

/** Statements that can be sent together with others. */
export const figureRows = (db: Db, ids: readonly string[], today: number) =>
  [
    db
      .selectFrom("projects")
      .select(["id", "downloads", "followers", "date_updated", "date_published"])
      .where(inList(db, sql.ref("id"), ids)),
    recentDays(db, ids, today),
  ] as const;

interface FigureRow {
  id: string;
  downloads: number;
  followers: number;
  date_updated: number;
  date_published: number;
}

export function toFigures(
  projects: readonly FigureRow[],
  days: readonly RecentDay[],
  today: number,
): Map<string, Figures> {
  const recent = sumRecent(days, today);
  return new Map(
    projects.map((row) => [
      row.id,
      {
        downloads: row.downloads,
        followers: row.followers,
        dateUpdated: row.date_updated,
        datePublished: row.date_published,
        recent: recent.get(row.id) ?? 0,
      },
    ]),
  );
}

export async function readFigures(db: Db, ids: readonly string[], today: number): Promise<Map<string, Figures>> {
  if (ids.length === 0) return new Map();
  const [projects, days] = await together(db, figureRows(db, ids, today));
  return toFigures(projects.rows, days.rows, today);
}
