// How long the disk of the stored files lasts, from the files that were added in the last months. The database and the
// files are measured at most once in ten minutes.
import { readdir, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { formatBytes } from "#lib/format-bytes.js";
import { type Condition, ok, warning } from "#operations/checks/check.js";
import { perServer } from "#platform/changes/server-memory.js";
import { engineOf } from "#platform/db/dialect.js";
import type { Resources } from "#platform/http/resources.js";
import { say } from "#words/said.js";

const day = 24 * 60 * 60 * 1000;
/** Fewer days of uploads say nothing about the next months. */
const fewestDays = 30;
const soonDays = 30;
/** Later dates would only look exact. */
export const mostDays = 3650;
/** A cache folder with more files is not measured. */
const mostEntries = 20_000;

export interface Growth {
  /** When the oldest file was stored; null without files. */
  firstDate: number | null;
  /** Bytes that were added and are still stored. */
  month: number;
  quarter: number;
}

export interface StorageState extends Growth {
  databaseBytes: number;
  /** Undefined if it was not measured. */
  cacheBytes: number | undefined;
  /** Undefined if the files are not on a disk of this server. */
  freeBytes: number | undefined;
}

export interface Forecast {
  perDay: number;
  /** The days that the larger figure comes from. */
  basis: 30 | 90;
  /** Without the part of the disk that uploads must leave free. */
  roomBytes: number;
  days: number;
}

/** Undefined with too little data, without growth, or for storage whose size is not known. */
export function forecast(
  { firstDate, month, quarter, freeBytes }: Growth & { freeBytes: number | undefined },
  { now, reserve }: { now: number; reserve: number },
): Forecast | undefined {
  if (freeBytes === undefined || firstDate === null || now - firstDate < fewestDays * day) return undefined;
  // The faster of the two, so that the forecast is rather too short. Ninety days need a site of that age.
  const isOld = now - firstDate >= 90 * day;
  const isLonger = isOld && quarter / 90 > month / 30;
  const perDay = isLonger ? quarter / 90 : month / 30;
  if (perDay <= 0) return undefined;
  const roomBytes = Math.max(0, freeBytes - reserve);
  return { perDay, basis: isLonger ? 90 : 30, roomBytes, days: Math.floor(roomBytes / perDay) };
}

export const isBeyond = ({ days }: Forecast): boolean => days > mostDays;

const cacheOf = perServer(({ memory }: Resources) =>
  memory.createCache<StorageState>({ name: "storageState", bytes: 16 * 1024, ageMs: 10 * 60_000 }),
);

export const readStorageState = (resources: Resources): Promise<StorageState> =>
  cacheOf(resources).load(
    "",
    () => measure(resources),
    () => 100,
  );

async function measure(resources: Resources): Promise<StorageState> {
  const { config } = resources;
  return {
    ...(await measureGrowth(resources)),
    databaseBytes: await measureDatabase(resources),
    cacheBytes: await measureFolder(join(config.dataDir, "cache")),
    freeBytes: config.storage.kind === "disk" ? await readFree(config.storage.path) : undefined,
  };
}

async function measureGrowth({ db, clock }: Resources): Promise<Growth> {
  const now = clock.now();
  const { rows } = await sql<Record<"first" | "month" | "quarter", number | string | null>>`
    select min(date_created) as first,
      sum(case when date_created >= ${now - 30 * day} then size else 0 end) as month,
      sum(case when date_created >= ${now - 90 * day} then size else 0 end) as quarter
    from blobs where date_orphaned is null`.execute(db);
  const { first, month, quarter } = rows[0]!;
  return { firstDate: first === null ? null : Number(first), month: Number(month), quarter: Number(quarter) };
}

async function measureDatabase({ db, config }: Resources): Promise<number> {
  if (engineOf(db) === "postgres" || config.database.engine === "postgres") {
    const { rows } = await sql<{ size: number | string }>`select pg_database_size(current_database()) as size`.execute(
      db,
    );
    return Number(rows[0]!.size);
  }
  const { path } = config.database;
  return (await sizeOf(path)) + (await sizeOf(`${path}-wal`));
}

async function measureFolder(folder: string): Promise<number | undefined> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  if (entries.length > mostEntries) return undefined;
  let bytes = 0;
  for (const entry of entries) if (entry.isFile()) bytes += await sizeOf(join(entry.parentPath, entry.name));
  return bytes;
}

const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );

const readFree = (path: string): Promise<number | undefined> =>
  statfs(path).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => undefined,
  );

/** Nothing without a forecast. */
export async function checkForecast(resources: Resources): Promise<Condition[]> {
  const { clock, config } = resources;
  const now = clock.now();
  const found = forecast(await readStorageState(resources), { now, reserve: config.limits.freeDiskBytes });
  if (!found) return [];
  const perDay = formatBytes(Math.round(found.perDay));
  const message = isBeyond(found) ? say.checkup.diskLastsLong(perDay) : say.checkup.diskLasts(found.days, perDay);
  return [found.days < soonDays ? warning(message, say.checkup.addDisk) : ok(message)];
}
