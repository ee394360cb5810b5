// Counts a batch of downloads in one transaction. The key of a client and project in recent_downloads decides which of
// them count; the sums of versions, days, projects and the site change together. A download costs the same few row
// operations, however many there were before: nothing reads the past, and a popular project is added to once per batch.
import { sql } from "kysely";
import { announceFigures, type FiguresChange } from "#content/records/figures.js";
import { dayOf } from "#lib/days.js";
import type { Tx } from "#platform/changes/write.js";
import { givenRows, lockProjects } from "#platform/db/dialect.js";
import { compare, inParts } from "./parts.js";
import { type Download, toRounds, windowMs } from "./policy.js";

/** Returns how many were counted. */
export async function countDownloads(tx: Tx, batch: readonly Download[]): Promise<number> {
  const fresh: Download[] = [];
  for (const round of toRounds(batch)) {
    // All nodes take the rows in the same order, so that they never wait for each other in a circle.
    round.sort((a, b) => compare(a.client, b.client) || compare(a.projectId, b.projectId));
    fresh.push(...(await inParts(round, (part) => remember(tx, part))));
  }
  if (fresh.length === 0) return 0;
  // From here on other nodes wait that count downloads of the same projects; only sums are left.
  await lockProjects(tx.db, [...new Set(fresh.map(({ projectId }) => projectId))]);
  const versions = await addToVersions(tx, fresh);
  const totals = new Map(versions.map(({ id, downloads }) => [id, downloads]));
  // Versions that were deleted after the download are left out.
  const counted = fresh.filter(({ versionId }) => totals.has(versionId));
  if (counted.length === 0) return 0;
  const projects = await addToProjects(tx, counted);
  await addToDays(tx, counted);
  const byProject = Map.groupBy(versions, ({ project_id }) => project_id);
  const changes = projects.map(
    ({ id, downloads }): FiguresChange => ({
      projectId: id,
      downloads,
      versions: (byProject.get(id) ?? []).map((version) => ({ versionId: version.id, downloads: version.downloads })),
    }),
  );
  await announceFigures(tx, changes);
  return counted.length;
}

/** The ones among these that count; there is at most one per client and project. */
async function remember({ db }: Tx, downloads: readonly Download[]): Promise<readonly Download[]> {
  const given = givenRows(
    db,
    { client: "bytes", project_id: "text", version_1: "text", time_1: "integer" },
    downloads.map(({ client, projectId, versionId, time }) => ({
      ...{ client, project_id: projectId, version_1: versionId, time_1: time },
    })),
  );
  const { rows } = await sql<{ client: Uint8Array; project_id: string }>`
    insert into recent_downloads as known (client, project_id, version_1, time_1)
    select client, project_id, version_1, time_1 from ${given} where 1 = 1
    on conflict (client, project_id) do update set
      version_3 = known.version_2, time_3 = known.time_2, version_2 = known.version_1, time_2 = known.time_1,
      version_1 = excluded.version_1, time_1 = excluded.time_1
    where excluded.time_1 - coalesce(known.time_3, 0) >= ${windowMs}
      and (known.version_1 <> excluded.version_1 or excluded.time_1 - known.time_1 >= ${windowMs})
      and (coalesce(known.version_2, '') <> excluded.version_1 or excluded.time_1 - known.time_2 >= ${windowMs})
    returning client, project_id`.execute(db);
  // Most of the time all of them count.
  if (rows.length === downloads.length) return downloads;
  const counted = new Set(rows.map((row) => `${Buffer.from(row.client).toString("hex")} ${row.project_id}`));
  return downloads.filter(({ client, projectId }) => counted.has(`${client} ${projectId}`));
}

interface Total {
  id: string;
  downloads: number;
}

async function addToVersions({ db }: Tx, fresh: readonly Download[]): Promise<(Total & { project_id: string })[]> {
  return inParts(
    sumsOf(fresh, ({ versionId }) => versionId),
    async (sums) => {
      const { rows } = await sql<Total & { project_id: string }>`
      update versions set downloads = downloads + given.added
      from ${givenRows(db, sumColumns, sums)} where id = given.key
      returning id, project_id, downloads`.execute(db);
      return rows;
    },
  );
}

async function addToProjects({ db }: Tx, counted: readonly Download[]): Promise<Total[]> {
  return inParts(
    sumsOf(counted, ({ projectId }) => projectId),
    async (sums) => {
      const { rows } = await sql<Total>`
      update projects set downloads = downloads + given.added
      from ${givenRows(db, sumColumns, sums)} where id = given.key
      returning id, downloads`.execute(db);
      return rows;
    },
  );
}

const sumColumns = { key: "text", added: "integer" } as const;

const sumsOf = (downloads: readonly Download[], keyOf: (download: Download) => string) =>
  [...Map.groupBy(downloads, keyOf)].map(([key, group]) => ({ key, added: group.length }));

async function addToDays({ db }: Tx, counted: readonly Download[]): Promise<void> {
  const groupBy = (keyOf: (download: Download) => string) => [
    ...Map.groupBy(counted, (download) => `${keyOf(download)} ${dayOf(download.time)} ${download.country}`).values(),
  ];
  const days = groupBy(({ versionId }) => versionId).map((group) => {
    const { versionId, projectId, country, time } = group[0]!;
    return { version_id: versionId, project_id: projectId, day: dayOf(time), country, count: group.length };
  });
  const columns = { day: "integer", country: "text", count: "integer" } as const;
  await inParts(days, async (part) => {
    await sql`insert into download_days (version_id, project_id, day, country, count)
      select version_id, project_id, day, country, count
      from ${givenRows(db, { version_id: "text", project_id: "text", ...columns }, part)} where 1 = 1
      on conflict (version_id, day, country) do update set count = download_days.count + excluded.count`.execute(db);
    return [];
  });
  // The rows that all nodes share come last, in the same order.
  const totals = groupBy(() => "")
    .map((group) => ({ day: dayOf(group[0]!.time), country: group[0]!.country, count: group.length }))
    .sort((a, b) => a.day - b.day || compare(a.country, b.country));
  await sql`insert into download_totals (day, country, count)
    select day, country, count from ${givenRows(db, columns, totals)} where 1 = 1
    on conflict (day, country) do update set count = download_totals.count + excluded.count`.execute(db);
}
