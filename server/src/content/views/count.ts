// Counts a batch of views in one transaction. The digest of a client and project in recent_views decides which of them
// count; the sums by country and by referring host change together.
import { sql } from "kysely";
import { compare, inParts } from "#content/downloads/parts.js";
import { windowMs } from "#content/downloads/policy.js";
import { dayOf } from "#lib/days.js";
import type { Tx } from "#platform/changes/write.js";
import { givenRows, lockProjects } from "#platform/db/dialect.js";
import { displace } from "./frequent-hosts.js";
import { direct, otherHosts, thisSite, type View } from "./policy.js";

/** Hosts of a project and day; views from others are added up under one name. */
export const mostHosts = 100;

const words: readonly string[] = [direct, thisSite, otherHosts];

/** Returns how many were counted. */
export async function countViews(tx: Tx, batch: readonly View[]): Promise<number> {
  const sorted = batch.toSorted((a, b) => compare(a.visitor, b.visitor));
  const fresh = await inParts(sorted, (part) => remember(tx, part));
  if (fresh.length === 0) return 0;
  // A project cannot be deleted from here on, so that its deletion and this transaction do not wait for each other.
  await lockProjects(tx.db, [...new Set(fresh.map(({ projectId }) => projectId))]);
  await inParts(
    sumBy(fresh, ({ country }) => country),
    async (sums) => {
      await addToCountries(tx, sums);
      return [];
    },
  );
  await inParts(
    sumBy(fresh, ({ referrer }) => referrer),
    async (sums) => {
      await addToReferrers(tx, sums);
      return [];
    },
  );
  return fresh.length;
}

/** The ones among these that count. */
async function remember({ db }: Tx, views: readonly View[]): Promise<readonly View[]> {
  const given = givenRows(
    db,
    { visitor: "bytes", time: "integer" },
    views.map(({ visitor, time }) => ({ visitor, time })),
  );
  const { rows } = await sql<{ visitor: Uint8Array }>`
    insert into recent_views as known (visitor, time)
    select visitor, time from ${given} where 1 = 1
    on conflict (visitor) do update set time = excluded.time where excluded.time - known.time >= ${windowMs}
    returning visitor`.execute(db);
  if (rows.length === views.length) return views;
  const counted = new Set(rows.map((row) => Buffer.from(row.visitor).toString("hex")));
  return views.filter(({ visitor }) => counted.has(visitor));
}

interface Sum {
  project_id: string;
  day: number;
  key: string;
  count: number;
}

/** In the order of the keys of the tables. */
const sumBy = (views: readonly View[], keyOf: (view: View) => string): Sum[] =>
  [...Map.groupBy(views, (view) => `${view.projectId} ${dayOf(view.time)} ${keyOf(view)}`).values()]
    .map((group) => ({
      ...{ project_id: group[0]!.projectId, day: dayOf(group[0]!.time), key: keyOf(group[0]!), count: group.length },
    }))
    .sort((a, b) => compare(a.project_id, b.project_id) || a.day - b.day || compare(a.key, b.key));

const columns = { project_id: "text", day: "integer", key: "text", count: "integer" } as const;
/** Projects that were deleted after the view are left out. */
const isThere = sql`exists (select 1 from projects where projects.id = given.project_id)`;

async function addToCountries({ db }: Tx, sums: readonly Sum[]): Promise<void> {
  await sql`insert into view_days (project_id, day, country, count)
    select project_id, day, "key", count from ${givenRows(db, columns, sums)} where ${isThere} order by 1, 2, 3
    on conflict (project_id, day, country) do update set count = view_days.count + excluded.count`.execute(db);
}

/** A host that is new to its project and day is stored while there is room; then frequent ones displace rare ones. */
async function addToReferrers({ db }: Tx, sums: readonly Sum[]): Promise<void> {
  const places = new Map<string, number>();
  const placed = sums.map((sum) => {
    if (words.includes(sum.key)) return { ...sum, place: 0 };
    const place = (places.get(groupOf(sum)) ?? 0) + 1;
    places.set(groupOf(sum), place);
    return { ...sum, place };
  });
  const known = sql`from view_referrers as known where known.project_id = given.project_id and known.day = given.day`;
  const { rows } = await sql<Pick<Sum, "project_id" | "day" | "key">>`
    select project_id, day, "key" from ${givenRows(db, { ...columns, place: "integer" }, placed)}
    where place > 0 and place + (select count(*) ${known}) > ${mostHosts}
      and not exists (select 1 ${known} and known.host = given."key")`.execute(db);
  const without = new Set(rows.map((row) => keyOf({ ...row, day: Number(row.day) })));
  await addHosts(
    db,
    sums.filter((sum) => !without.has(keyOf(sum))).map((sum) => ({ ...sum, missed: 0 })),
  );
  if (without.size > 0)
    await displaceHosts(
      db,
      sums.filter((sum) => without.has(keyOf(sum))),
    );
}

const groupOf = ({ project_id, day }: Pick<Sum, "project_id" | "day">): string => `${project_id} ${day}`;
const keyOf = (sum: Pick<Sum, "project_id" | "day" | "key">): string => `${groupOf(sum)} ${sum.key}`;

async function addHosts(db: Tx["db"], sums: readonly (Sum & { missed: number })[]): Promise<void> {
  if (sums.length === 0) return;
  await sql`insert into view_referrers (project_id, day, host, count, missed)
    select project_id, day, "key", count, missed from ${givenRows(db, { ...columns, missed: "integer" }, sums)}
    where ${isThere} order by 1, 2, 3
    on conflict (project_id, day, host) do update set count = view_referrers.count + excluded.count`.execute(db);
}

/** Three statements, which read and change as many rows as there are new hosts. */
async function displaceHosts(db: Tx["db"], fresh: readonly Sum[]): Promise<void> {
  const groups = Map.groupBy(fresh, groupOf);
  const wanted = [...groups.values()].map((sums) => ({ ...sums[0]!, count: sums.length }));
  const { rows } = await sql<{ project_id: string; day: number; host: string; count: number; missed: number }>`
    select project_id, day, host, count, missed from (
      select known.*, given.count as wanted,
        row_number() over (partition by known.project_id, known.day order by known.count + known.missed, host) as place
      from ${givenRows(db, columns, wanted)}
      join view_referrers as known on known.project_id = given.project_id and known.day = given.day
      where known.host not in (${sql.join(words)})
    ) as ranked where place <= wanted`.execute(db);
  const stored = Map.groupBy(
    rows.map((row) => ({ ...row, day: Number(row.day), count: Number(row.count), missed: Number(row.missed) })),
    groupOf,
  );
  const results = [...groups].map(([group, sums]) => ({
    of: { project_id: sums[0]!.project_id, day: sums[0]!.day },
    ...displace(
      stored.get(group) ?? [],
      sums.map(({ key, count }) => ({ host: key, count })),
    ),
  }));
  const gone = results.flatMap(({ of, displaced }) => displaced.map(({ host }) => ({ ...of, key: host, count: 0 })));
  if (gone.length > 0)
    await sql`delete from view_referrers where (project_id, day, host) in
      (select project_id, day, "key" from ${givenRows(db, columns, gone)})`.execute(db);
  await addHosts(
    db,
    results.flatMap(({ of, added, others }) => [
      ...added.map(({ host, count, missed }) => ({ ...of, key: host, count, missed })),
      ...(others > 0 ? [{ ...of, key: otherHosts, count: others, missed: 0 }] : []),
    ]),
  );
}
