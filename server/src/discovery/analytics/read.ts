// Download figures from the ledger: the days that are folded and the rows that are not yet, in one statement, so that
// they always add up to what versions and projects show.

import { type RawBuilder, sql } from "kysely";
import { listProjectRights } from "#content/members/rights.js";
import { visibleTo } from "#content/projects/policy.js";
import { dayOf } from "#lib/days.js";
import { inList } from "#platform/db/dialect.js";
import type { Db } from "#platform/db/tables.js";
import { invalid } from "#platform/errors.js";
import type { SignedIn } from "#platform/http/viewer.js";
import { say } from "#words/said.js";
import { allProjects, type Breakdown, type Figure, maxFigures } from "./figures.js";
import type { DayRange } from "./ranges.js";

/** Days per statement: other requests get their turn in between, for any range. */
const daysAtOnce = 100;

export interface AnalyticsQuery {
  /** Undefined: all projects. */
  projectIds?: readonly string[];
  /** Adds up all projects. */
  together?: boolean;
  range: DayRange;
  by?: Breakdown | undefined;
}

/** In the order of scope, key and day. Days without downloads are absent. */
export async function listDownloadFigures(db: Db, query: AnalyticsQuery): Promise<Figure[]> {
  const { first = await findFirstDay(db, query.projectIds), last } = query.range;
  const figures: Figure[] = [];
  if (first === undefined) return figures;
  for (let from = first; from <= last; from += daysAtOnce) {
    const to = Math.min(from + daysAtOnce - 1, last);
    const room = maxFigures - figures.length;
    const { rows } = await sql<Figure>`${selectBy(db, query, from, to)} limit ${room + 1}`.execute(db);
    if (rows.length > room)
      throw invalid({
        path: "query",
        message: say.problems.tooManyFigures(maxFigures),
      });
    figures.push(...rows);
  }
  return figures.sort((a, b) => compare(a.scope, b.scope) || compare(a.key, b.key) || a.day - b.day);
}

/** Downloads of the current day in UTC: timelines leave it out, but authors want to see it. */
export async function countToday(db: Db, projectIds: readonly string[] | undefined, now: number): Promise<number> {
  if (projectIds?.length === 0) return 0;
  const today = dayOf(now);
  const figures = await listDownloadFigures(db, { projectIds, together: true, range: { first: today, last: today } });
  return figures.reduce((sum, { count }) => sum + count, 0);
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

async function findFirstDay(db: Db, projectIds: readonly string[] | undefined): Promise<number | undefined> {
  const within = isWithin(db, projectIds);
  const { rows } = await sql<{ day: number | null }>`select min(day) as day from (
    select min(day) as day from download_days where ${within}
    union all select min(day) from downloads where ${within}) as days`.execute(db);
  return rows[0]?.day ?? undefined;
}

const isWithin = (db: Db, projectIds: readonly string[] | undefined): RawBuilder<boolean> =>
  projectIds ? inList(db, sql.ref("project_id"), projectIds) : sql<boolean>`1 = 1`;

/** Folded days and single downloads alike. */
function ledger(db: Db, { projectIds, together }: AnalyticsQuery, from: number, to: number): RawBuilder<unknown> {
  const scope = together ? sql`cast(${allProjects} as text)` : sql.ref("project_id");
  const where = sql`day between ${from} and ${to} and ${isWithin(db, projectIds)}`;
  return sql`(select ${scope} as scope, version_id, country, day, count from download_days where ${where}
    union all select ${scope} as scope, version_id, country, day, 1 as count from downloads where ${where}) as ledger`;
}

/** The keys for downloads with an unknown country or loader. */
const unnamed = { country: "unknown", loader: "none" } as const;

function selectBy(db: Db, query: AnalyticsQuery, from: number, to: number): RawBuilder<unknown> {
  const rows = ledger(db, query, from, to);
  const { by } = query;
  if (by === "gameVersion" || by === "loader") return selectByCompat(rows, by);
  const key = {
    none: sql`''`,
    version: sql.ref("version_id"),
    country: sql`case when country = '' then ${unnamed.country} else country end`,
  }[by ?? "none"];
  return sql`select scope, ${key} as "key", day, cast(sum(count) as bigint) as count from ${rows}
    group by 1, 2, 3`;
}

/**
 * A version may run on several game versions and loaders, and the one it was downloaded for is unknown: it counts for
 * each of them. The rows are pairs, so a game version with two loaders must be counted once.
 */
function selectByCompat(rows: RawBuilder<unknown>, by: "gameVersion" | "loader"): RawBuilder<unknown> {
  const key =
    by === "gameVersion"
      ? sql.ref("pair.game_version")
      : sql`case when pair.loader = '' then ${unnamed.loader} else pair.loader end`;
  return sql`select scope, "key", day, cast(sum(count) as bigint) as count from (
      select scope, per_version.version_id, ${key} as "key", day, max(count) as count
      from (select scope, version_id, day, sum(count) as count from ${rows} group by 1, 2, 3) as per_version
        join version_compat as pair on pair.version_id = per_version.version_id
      group by 1, 2, 3, 4) as figures
    group by 1, 2, 3`;
}

/** The projects that the caller can see, and those whose figures they may read, in that order. */
export async function findReadableProjects(
  db: Db,
  viewer: SignedIn,
  ids: readonly string[],
): Promise<{ seen: string[]; permitted: string[] }> {
  const rows = await db
    .selectFrom("projects")
    .select("projects.id")
    .where(inList(db, sql.ref("projects.id"), ids))
    .where(visibleTo(viewer))
    .execute();
  const visible = new Set(rows.map((row) => row.id));
  const seen = ids.filter((id) => visible.has(id));
  const rights = await listProjectRights(db, viewer.user, seen);
  return { seen, permitted: seen.filter((id) => rights.get(id)?.permissions.has("view_analytics")) };
}
