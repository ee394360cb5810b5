// Counting costs the same whatever the popularity: statements and rows per download, exact sums, flat memory. `npm run
// test:counting` runs ten minutes of 1,000 downloads a second; `npm test` runs seconds of it.
import fc from "fast-check";
import { type CompiledQuery, sql } from "kysely";
import { expect, test } from "vitest";
import { newId } from "#lib/random.js";
import { write } from "#platform/changes/write.js";
import { anonymous } from "#platform/http/viewer.js";
import { engine, testApp } from "#test/server/harness.js";
import { makeProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";
import { countDownloads } from "./count.js";
import { DownloadCounter } from "./counter.js";
import { type Download, maxPerProject, windowMs } from "./policy.js";

const isLong = process.env.COUNTING === "full";
const seconds = isLong ? 600 : 6;
const perSecond = 1000;
const flushSeconds = 3;
const manyFiles = isLong ? 10_000 : 400;

const world = await testApp();
const { make, resources, clock } = world;
const { db, random } = resources;
const author = await make.user();
clock.freeze();

interface Place {
  projectId: string;
  versionId: string;
}

/** A project of so many versions. Only the first is published; the others are copies of its rows. */
async function makePlaces(count: number): Promise<Place[]> {
  const { id: projectId } = await makeProject(world, author);
  const first = await makeVersion(world, author, projectId);
  const version = await db.selectFrom("versions").selectAll().where("id", "=", first.id).executeTakeFirstOrThrow();
  const file = await db
    .selectFrom("version_files")
    .selectAll()
    .where("version_id", "=", first.id)
    .executeTakeFirstOrThrow();
  const copies = Array.from({ length: count - 1 }, () => ({ id: newId(random), fileId: newId(random) }));
  for (let at = 0; at < copies.length; at += 500)
    await db.transaction().execute(async (tx) => {
      const part = copies.slice(at, at + 500);
      const named = part.map(({ id, fileId }) => ({ id, version_number: id, slug: id, primary_file_id: fileId }));
      await tx
        .insertInto("versions")
        .values(named.map((own) => ({ ...version, ...own })))
        .execute();
      await tx
        .insertInto("version_files")
        .values(part.map(({ id, fileId }) => ({ ...file, id: fileId, version_id: id })))
        .execute();
    });
  return [first.id, ...copies.map(({ id }) => id)].map((versionId) => ({ projectId, versionId }));
}

let clients = 0;
const newClient = () => (++clients).toString(16).padStart(32, "0");
const downloadOf = (place: Place, client = newClient(), time = clock.now()): Download => ({
  ...{ ...place, client, country: "", time },
});

/** Counts a batch, and the statements and rows that this takes: rows that are returned, and rows that are changed. */
async function countAndMeasure(batch: readonly Download[]) {
  return write(resources, {}, async (tx) => {
    const executor = tx.db.getExecutor();
    const { executeQuery } = executor;
    const cost = { statements: 0, rows: 0 };
    executor.executeQuery = async <R>(query: CompiledQuery<R>, ...rest: unknown[]) => {
      const result = await executeQuery.call(executor, query, ...(rest as []));
      cost.statements++;
      cost.rows += Math.max(result.rows.length, Number(result.numAffectedRows ?? 0));
      return result as Awaited<ReturnType<typeof executeQuery<R>>>;
    };
    const counted = await countDownloads(tx, batch);
    executor.executeQuery = executeQuery;
    return { counted, ...cost };
  });
}

test("a download of a popular file takes as many statements and rows as the first one", async () => {
  const [place] = await makePlaces(1);
  const batch = () => Array.from({ length: 300 }, () => downloadOf(place!));
  const first = await countAndMeasure(batch());
  expect(first.counted).toBe(300);
  const later = [];
  for (let n = 0; n < 8; n++) later.push(await countAndMeasure(batch()));
  expect(later).toEqual(Array(8).fill(first));
  // A client that comes again costs no more.
  const same = batch();
  await countAndMeasure(same);
  const again = await countAndMeasure(same);
  expect(again.counted).toBe(0);
  expect(again.rows).toBeLessThanOrEqual(first.rows);
  // One row each for the client, and a few for all of them together.
  expect(first.rows).toBeLessThan(300 + 10);
});

test("a batch of many files takes no more statements than one of a single file", async () => {
  const places = await makePlaces(200);
  const one = await countAndMeasure(places.map(() => downloadOf(places[0]!)));
  const many = await countAndMeasure(places.map((place) => downloadOf(place)));
  expect(many.statements).toBe(one.statements);
  // Client, version and day of each, and a few for all of them together.
  expect(many.rows).toBeLessThan(3 * 200 + 10);
});

/** The rule in plain words (decisions §6), over everything that was ever counted. */
function countByRule(downloads: readonly Download[]): Map<string, number> {
  const counted: Download[] = [];
  for (const download of downloads) {
    const recent = counted.filter(
      ({ client, projectId, time }) =>
        client === download.client && projectId === download.projectId && download.time - time < windowMs,
    );
    if (recent.length < maxPerProject && !recent.some(({ versionId }) => versionId === download.versionId))
      counted.push(download);
  }
  return new Map([...Map.groupBy(counted, ({ versionId }) => versionId)].map(([id, own]) => [id, own.length]));
}

test("any series of downloads is counted as the rule says", async () => {
  const hour = windowMs / 6;
  const [some, others] = [await makePlaces(5), await makePlaces(2)];
  const places = [...some, ...others];
  const download = fc.record({ client: fc.nat(2), place: fc.nat(places.length - 1) });
  const flush = fc.record({ hours: fc.nat(4), downloads: fc.array(download, { maxLength: 12 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(flush, { maxLength: 8 }), async (flushes) => {
      const names = [newClient(), newClient(), newClient()];
      const before = await readSums(places);
      const all: Download[] = [];
      for (const { hours, downloads } of flushes) {
        clock.advance(hours * hour);
        const batch = downloads.map(({ client, place }) => downloadOf(places[place]!, names[client]));
        all.push(...batch);
        await write(resources, {}, (tx) => countDownloads(tx, batch));
      }
      const expected = countByRule(all);
      const after = await readSums(places);
      for (const { versionId } of places)
        expect(after.get(versionId)! - before.get(versionId)!).toBe(expected.get(versionId) ?? 0);
    }),
    { numRuns: isLong ? 300 : 15 },
  );
});

async function readSums(places: readonly Place[]): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom("versions")
    .select(["id", "downloads"])
    .where("project_id", "in", [...new Set(places.map(({ projectId }) => projectId))])
    .execute();
  return new Map(rows.map((row) => [row.id, row.downloads]));
}

test("a batch whose commit was not acknowledged is counted once", async () => {
  const places = await makePlaces(3);
  const batch = places.map((place) => downloadOf(place));
  const count = () => write(resources, {}, (tx) => countDownloads(tx, batch));
  expect([await count(), await count()]).toEqual([3, 0]);
  expect([...(await readSums(places)).values()]).toEqual([1, 1, 1]);
});

interface Part {
  cpuMs: number;
  heap: number;
}

/** A part of the load, in time that passes as fast as it can be counted. Every download is from another address. */
async function runPart(counter: DownloadCounter, places: readonly Place[], length: number): Promise<Part> {
  const before = process.cpuUsage();
  for (let second = 1; second <= length; second++) {
    for (let n = 0; n < perSecond; n++) {
      const client = ++clients;
      const address = `10.${(client >> 16) & 255}.${(client >> 8) & 255}.${client & 255}`;
      counter.note(anonymous, address, places[client % places.length]!);
    }
    clock.advance(1000);
    if (second % flushSeconds === 0) await counter.flush();
  }
  await counter.flush();
  const { user, system } = process.cpuUsage(before);
  globalThis.gc?.();
  return { cpuMs: (user + system) / 1000, heap: process.memoryUsage().heapUsed };
}

test.each([
  ["one file", 1],
  [`${manyFiles} files`, manyFiles],
])(
  `${perSecond} downloads a second of %s for ${seconds} seconds: exact sums, flat memory and cost`,
  async (name, files) => {
    const places = await makePlaces(files);
    const counter = new DownloadCounter(resources);
    const parts: Part[] = [];
    for (let n = 0; n < (isLong ? 5 : 2); n++) parts.push(await runPart(counter, places, seconds / (isLong ? 5 : 2)));
    const total = seconds * perSecond;
    const sums = [...(await readSums(places)).values()];
    expect(sums.every((sum) => Math.abs(sum - total / files) < 1 || files > total)).toBe(true);
    expect(sums.reduce((all, sum) => all + sum, 0)).toBe(total);
    const { projectId } = places[0]!;
    const { downloads } = await db
      .selectFrom("projects")
      .select("downloads")
      .where("id", "=", projectId)
      .executeTakeFirstOrThrow();
    const { rows } = await sql<{ count: number }>`
      select cast(sum(count) as bigint) as count from download_days where project_id = ${projectId}`.execute(db);
    expect([downloads, rows[0]!.count]).toEqual([total, total]);
    if (isLong) report(name, parts);
  },
  3_600_000,
);

function report(name: string, parts: readonly Part[]): void {
  const perDownload = ({ cpuMs }: Part) => (1000 * cpuMs * parts.length) / (seconds * perSecond);
  const ratio = perDownload(parts.at(-1)!) / perDownload(parts[0]!);
  process.stdout.write(
    `${engine}, ${name}: CPU per download ${parts.map((part) => perDownload(part).toFixed(1)).join(", ")} µs ` +
      `(last to first ${ratio.toFixed(2)}); heap ${parts.map(({ heap }) => Math.round(heap / 2 ** 20)).join(", ")} MiB\n`,
  );
}

/** The bytes of a table with its indexes. */
async function measureTable(table: string): Promise<number> {
  const { rows } =
    engine === "postgres"
      ? await sql<{ bytes: number }>`select pg_total_relation_size(${table}::regclass) as bytes`.execute(db)
      : await sql<{ bytes: number }>`select sum(pgsize) as bytes from dbstat
          where name in (select name from sqlite_schema where tbl_name = ${table})`.execute(db);
  return rows[0]!.bytes;
}

test.runIf(isLong)(
  "the size of the tables",
  async () => {
    const count = async (table: string) =>
      (await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(db)).rows[0]!.count;
    const places = await makePlaces(10_000);
    const rows = Array.from({ length: 1_000_000 }, (_, n) => ({
      ...{ version_id: places[(n * 7919) % places.length]!.versionId, project_id: places[0]!.projectId },
      ...{ day: 20_000 + Math.floor(n / places.length), country: "DE", count: 1 + (n % 9) },
    }));
    for (let at = 0; at < rows.length; at += 2000)
      await db
        .insertInto("download_days")
        .values(rows.slice(at, at + 2000))
        .execute();
    for (const table of ["recent_downloads", "download_days"]) {
      const [bytes, all] = [await measureTable(table), await count(table)];
      process.stdout.write(`${engine}, ${table}: ${all} rows, ${(bytes / all).toFixed(0)} bytes each with indexes\n`);
    }
  },
  3_600_000,
);
