// The rows that say which blobs are in use. A blob without references is marked, and deleted after a grace period; an
// upload of the same bytes in between removes the mark.
import { sql } from "kysely";
import { reach } from "#lib/fail-points.js";
import { engineOf, type Statement, together } from "#platform/db/dialect.js";
import type { Db } from "#platform/db/tables.js";
import type { BlobDigest, BlobStore, StoredBlob } from "./store.js";

/** Longer than any backup takes, so that a restored database finds all of its files. */
export const graceMs = 48 * 60 * 60 * 1000;

export class BlobVanished extends Error {}

/**
 * Adds rows for bytes that are about to be stored, marked as unused: if the upload fails at any point, the sweep
 * deletes them. If they are marked already, their grace period starts again.
 */
export async function announceBlobs(db: Db, digests: readonly BlobDigest[], now: number): Promise<void> {
  await db
    .insertInto("blobs")
    .values(toRows(digests, { date_created: now, date_orphaned: now }))
    .onConflict((conflict) =>
      conflict.column("sha512").doUpdateSet({ date_orphaned: now }).where("blobs.date_orphaned", "is not", null),
    )
    .execute();
}

/**
 * Marks blobs as used, inside the transaction that refers to them. The rows are locked first and the bytes are checked
 * afterwards (`needBytes`): a sweep of the same content has either not begun, or is complete and noticed there.
 */
export const reservingBlobs = (db: Db, digests: readonly BlobDigest[], now: number): Statement =>
  db
    .insertInto("blobs")
    .values(toRows(digests, { date_created: now, date_orphaned: null }))
    .onConflict((conflict) => conflict.column("sha512").doUpdateSet({ date_orphaned: null }));

export async function needBytes(store: BlobStore, digests: readonly BlobDigest[]): Promise<void> {
  for (const { sha512 } of digests)
    if (!(await store.find(sha512)))
      throw new BlobVanished(`The blob ${sha512} was deleted by a sweep while it was stored`);
}

/** Both steps for one blob. */
export async function reserveBlob(db: Db, store: BlobStore, digest: BlobDigest, now: number): Promise<Uint8Array> {
  await together(db, [reservingBlobs(db, [digest], now)]);
  await needBytes(store, [digest]);
  return Buffer.from(digest.sha512, "hex");
}

/** Each content once, and sorted, so that two uploads of the same files cannot deadlock. */
function toRows<D extends { date_created: number; date_orphaned: number | null }>(
  digests: readonly BlobDigest[],
  dates: D,
) {
  const bySha512 = new Map(digests.map((digest) => [digest.sha512, digest]));
  return [...bySha512.keys()].sort().map((sha512) => {
    const { sha1, size } = bySha512.get(sha512)!;
    return { sha512: Buffer.from(sha512, "hex"), sha1: Buffer.from(sha1, "hex"), size, ...dates };
  });
}

/** Whether a version's file or an image has these bytes. */
export const isReferenced = sql<boolean>`(exists (select 1 from version_files where version_files.sha512 = blobs.sha512)
  or exists (select 1 from images where images.sha512 = blobs.sha512)
  or exists (select 1 from report_pictures where report_pictures.sha512 = blobs.sha512)
  or exists (select 1 from site_pictures where site_pictures.sha512 = blobs.sha512))`;
/**
 * Not written as the opposite: PostgreSQL would look for each blob by itself, and if many images are equal, it would read the
 * table of images as a whole for each.
 */
const unreferenced = sql<boolean>`not exists (select 1 from version_files where version_files.sha512 = blobs.sha512)
  and not exists (select 1 from images where images.sha512 = blobs.sha512)
  and not exists (select 1 from report_pictures where report_pictures.sha512 = blobs.sha512)
  and not exists (select 1 from site_pictures where site_pictures.sha512 = blobs.sha512)`;

/** Rows per statement: other requests wait while SQLite looks up the references of each. */
const blobsAtOnce = 500;

/**
 * Marks blobs that are no longer referenced. On PostgreSQL a blob that is reserved at the same moment may be marked
 * too. That is safe, because the sweep checks again, but the mark must be removed before the blob really becomes
 * unused.
 */
export async function markOrphans(db: Db, now: number, atOnce = blobsAtOnce): Promise<number> {
  let marked = 0;
  for (let after: Uint8Array = new Uint8Array(0); ; ) {
    const last = await findEndOfPage(db, after, atOnce);
    if (!last) return marked;
    const page = db.updateTable("blobs").where("sha512", ">", after).where("sha512", "<=", last);
    await page.set({ date_orphaned: null }).where("date_orphaned", "is not", null).where(isReferenced).execute();
    const { numUpdatedRows } = await page
      .set({ date_orphaned: now })
      .where("date_orphaned", "is", null)
      .where(unreferenced)
      .executeTakeFirst();
    marked += Number(numUpdatedRows);
    after = last;
  }
}

async function findEndOfPage(db: Db, after: Uint8Array, atOnce: number): Promise<Uint8Array | undefined> {
  const page = db.selectFrom("blobs").select("sha512").where("sha512", ">", after).orderBy("sha512").limit(atOnce);
  const row = await db
    .selectFrom(page.as("page"))
    .select("sha512")
    .orderBy("sha512", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.sha512;
}

/** Marked blobs whose grace period is over, oldest first. */
export async function listSweepable(db: Db, now: number, limit: number): Promise<Uint8Array[]> {
  const rows = await db
    .selectFrom("blobs")
    .select("sha512")
    .where("date_orphaned", "<=", now - graceMs)
    .orderBy("date_orphaned")
    .limit(limit)
    .execute();
  return rows.map((row) => row.sha512);
}

/** Deletes row and bytes in the caller's transaction: the row lock makes `reserveBlob` wait until both are gone. */
export async function sweepBlob(db: Db, store: BlobStore, sha512: Uint8Array, now: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("blobs")
    .where("sha512", "=", sha512)
    .where("date_orphaned", "<=", now - graceMs)
    .where(unreferenced)
    .executeTakeFirst();
  if (numDeletedRows === 0n) return false;
  reach("sweep: row deleted");
  await store.delete(Buffer.from(sha512).toString("hex"));
  reach("sweep: bytes deleted");
  return true;
}

/** The hashes that have a row. */
export async function findListed(db: Db, hashes: readonly string[]): Promise<Set<string>> {
  const wanted =
    engineOf(db) === "postgres"
      ? sql`unnest(${hashes.map((hash) => Buffer.from(hash, "hex"))}::bytea[]) as wanted(hash)`
      : sql`(select unhex(value) as hash from json_each(${JSON.stringify(hashes)})) as wanted`;
  const { rows } = await sql<{ sha512: Uint8Array }>`
    select blobs.sha512 from ${wanted} join blobs on blobs.sha512 = wanted.hash`.execute(db);
  return new Set(rows.map(({ sha512 }) => Buffer.from(sha512).toString("hex")));
}

/**
 * Deletes bytes that have no row, in the caller's transaction. The temporary row blocks an upload of the same content;
 * if a row exists already, an upload has begun to use them.
 */
export async function removeUnlistedBlob(db: Db, store: BlobStore, blob: StoredBlob): Promise<boolean> {
  const sha512 = Buffer.from(blob.sha512, "hex");
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("blobs")
    .values({ sha512, sha1: Buffer.alloc(20), size: blob.size, date_created: 0, date_orphaned: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows === 0n) return false;
  await store.delete(blob.sha512);
  await db.deleteFrom("blobs").where("sha512", "=", sha512).execute();
  return true;
}
