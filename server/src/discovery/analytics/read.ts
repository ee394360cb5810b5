// Figures of downloads and views per day, from the sums that the counters keep. The downloads of projects always add up to
// those that versions and projects show; the figures of the whole site include projects that were deleted.

import { type RawBuilder, sql } from "kysely";
import { listProjectRights } from "#content/members/rights.js";
import { visibleTo } from "#content/projects/policy.js";
import { dayOf } from "#lib/days.js";
import { inList } from "#platform/db/dialect.js";
import type { Db } from "#platform/db/tables.js";
import { invalid } from "#platform/errors.js";
import type { SignedIn } from "#platform/http/viewer.js";
import { say } from "#words/said.js";
import { allProjects, type Breakdown, type Figure, maxFigures, type ViewBreakdown } from "./figures.js";
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

export interface ViewQuery extends Pick<AnalyticsQuery, "range"> {
  projectIds: readonly string[];
  by?: ViewBreakdown | undefined;
}

/** SELECTs scope, key, day and count of some days. */
type SelectDays = (from: number, to: number) => RawBuilder<unknown>;

/** In the order of scope, key and day. Days without downloads are absent. */
export const listDownloadFigures = (db: Db, query: AnalyticsQuery): Promise<Figure[]> =>
  listFigures(db, "download_days", query, (from, to) => selectBy(db, query, from, to));

/** The same for views. */
export const listViewFigures = (db: Db, query: ViewQuery): Promise<Figure[]> =>
  listFigures(db, "view_days", query, (from, to) => selectViews(db, query, from, to));

async function listFigures(
  db: Db,
  table: SumTable,
  { projectIds, range }: Pick<AnalyticsQuery, "projectIds" | "range">,
  select: SelectDays,
): Promise<Figure[]> {
  const { first = await findFirstDay(db, table, projectIds), last } = range;
  const figures: Figure[] = [];
  if (first === undefined) return figures;
  for (let from = first; from <= last; from += daysAtOnce) {
    const to = Math.min(from + daysAtOnce - 1, last);
    const room = maxFigures - figures.length;
    const { rows } = await sql<Figure>`${select(from, to)} limit ${room + 1}`.execute(db);
    if (rows.length > room)
      throw invalid({
        path: "query",
        message: say.problems.tooManyFigures(maxFigures),
      });
    figures.push(...rows);
  }
  return figures.sort((a, b) => compare(a.scope, b.scope) || compare(a.key, b.key) || a.day - b.day);
}

/** Keys per statement; only referring hosts can be more, and rare ones are left out then. */
const mostKeys = 5000;

/** The sum of each key over all days, the highest first. */
export const sumDownloads = (db: Db, query: AnalyticsQuery & { by: Breakdown }): Promise<Total[]> =>
  sumFigures(db, "download_days", query, (from, to) => selectBy(db, query, from, to));

export const sumViews = (db: Db, query: ViewQuery & { by: ViewBreakdown }): Promise<Total[]> =>
  sumFigures(db, "view_days", query, (from, to) => selectViews(db, query, from, to));

export interface Total {
  key: string;
  count: number;
}

async function sumFigures(
  db: Db,
  table: SumTable,
  { projectIds, range }: Pick<AnalyticsQuery, "projectIds" | "range">,
  select: SelectDays,
): Promise<Total[]> {
  const { first = await findFirstDay(db, table, projectIds), last } = range;
  const sums = new Map<string, number>();
  for (let from = first ?? last + 1; from <= last; from += daysAtOnce) {
    const { rows } = await sql<Total>`select "key", cast(sum(count) as bigint) as count
      from (${select(from, Math.min(from + daysAtOnce - 1, last))}) as days
      group by 1 order by 2 desc, 1 limit ${mostKeys}`.execute(db);
    for (const { key, count } of rows) sums.set(key, (sums.get(key) ?? 0) + count);
  }
  return [...sums].map(([key, count]) => ({ key, count })).sort((a, b) => b.count - a.count || compare(a.key, b.key));
}

/** Downloads of the current day in UTC: timelines leave it out, but authors want to see it. */
export async function countToday(db: Db, projectIds: readonly string[] | undefined, now: number): Promise<number> {
  if (projectIds?.length === 0) return 0;
  const today = dayOf(now);
  const figures = await listDownloadFigures(db, { projectIds, together: true, range: { first: today, last: today } });
  return figures.reduce((sum, { count }) => sum + count, 0);
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

type SumTable = "download_days" | "view_days";

async function findFirstDay(
  db: Db,
  table: SumTable,
  projectIds: readonly string[] | undefined,
): Promise<number | undefined> {
  const { rows } = await sql<{ day: number | null }>`
    select min(day) as day from ${sql.table(table)} where ${isWithin(db, projectIds)}`.execute(db);
  return rows[0]?.day ?? undefined;
}

const isWithin = (db: Db, projectIds: readonly string[] | undefined): RawBuilder<boolean> =>
  projectIds ? inList(db, sql.ref("project_id"), projectIds) : sql<boolean>`1 = 1`;

/** The sums to add up. The whole site has its own, unless the figures are broken down by something of a version. */
function sums(db: Db, { projectIds, together, by }: AnalyticsQuery, from: number, to: number): RawBuilder<unknown> {
  const isOfSite = together && !projectIds && (by === undefined || by === "country");
  const scope = together ? sql`cast(${allProjects} as text)` : sql.ref("project_id");
  const columns = isOfSite ? sql`country, day, count` : sql`version_id, country, day, count`;
  const table = sql.table(isOfSite ? "download_totals" : "download_days");
  return sql`(select ${scope} as scope, ${columns} from ${table}
    where day between ${from} and ${to} and ${isWithin(db, projectIds)}) as sums`;
}

/** The keys for downloads with an unknown country or loader. */
const unnamed = { country: "unknown", loader: "none" } as const;

/** The name of a country in a figure. */
const namedCountry = sql`case when country = '' then ${unnamed.country} else country end`;

function selectViews(db: Db, { projectIds, by }: ViewQuery, from: number, to: number): RawBuilder<unknown> {
  const key = { none: sql`''`, referrer: sql.ref("host"), country: namedCountry }[by ?? "none"];
  return sql`select project_id as scope, ${key} as "key", day, cast(sum(count) as bigint) as count
    from ${sql.table(by === "referrer" ? "view_referrers" : "view_days")}
    where day between ${from} and ${to} and ${isWithin(db, projectIds)} group by 1, 2, 3`;
}

function selectBy(db: Db, query: AnalyticsQuery, from: number, to: number): RawBuilder<unknown> {
  const rows = sums(db, query, from, to);
  const { by } = query;
  if (by === "gameVersion" || by === "loader") return selectByCompat(rows, by);
  const key = {
    none: sql`''`,
    version: sql.ref("version_id"),
    country: namedCountry,
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
