// Pictures that a reporter attaches: only the reporter and moderators can see them.
import { readFile } from "node:fs/promises";
import { sql } from "kysely";
import { newId } from "#lib/random.js";
import { reserveBlob } from "#platform/blobs/rows.js";
import type { Tx } from "#platform/changes/write.js";
import { inList } from "#platform/db/dialect.js";
import type { Db, Row } from "#platform/db/tables.js";
import type { StagedFile } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import { refuseOverQuota } from "#platform/pictures/quota.js";
import { type PictureStore, type StoredPicture, storeBackground } from "#platform/pictures/write.js";

export const mostEvidence = 4;

export type Evidence = Pick<Row<"report_pictures">, "id" | "report_id" | "width" | "height">;

/** Re-encodes the files like every picture, which removes their metadata. Throws if one cannot be used. */
export async function storeEvidence(resources: Resources, files: readonly StagedFile[]): Promise<StoredPicture[]> {
  const stored: StoredPicture[] = [];
  for (const { blob } of files) stored.push(await storeBackground(resources, await readFile(blob.path)));
  return stored;
}

export async function addEvidence(
  tx: Tx,
  { blobs, config }: PictureStore,
  report: { id: string; reporterId: string },
  pictures: readonly StoredPicture[],
): Promise<void> {
  const bytes = pictures.reduce((sum, { digest }) => sum + digest.size, 0);
  await refuseOverQuota(tx.db, config.limits, report.reporterId, bytes);
  for (const { digest, width, height } of pictures) {
    const sha512 = await reserveBlob(tx.db, blobs, digest, tx.now);
    await tx.db
      .insertInto("report_pictures")
      .values({ id: newId(tx.random), report_id: report.id, sha512, width, height, date_created: tx.now })
      .execute();
  }
}

/** Grouped by report, in the order of upload. */
export async function listEvidence(
  db: Db,
  reportIds: readonly string[],
): Promise<ReadonlyMap<string, readonly Evidence[]>> {
  const rows = await db
    .selectFrom("report_pictures")
    .select(["id", "report_id", "width", "height"])
    .where(inList(db, sql.ref("report_id"), reportIds))
    .orderBy("date_created")
    .orderBy("id")
    .execute();
  return Map.groupBy(rows, ({ report_id }) => report_id);
}

export const findEvidence = (db: Db, reportId: string, pictureId: string) =>
  db
    .selectFrom("report_pictures")
    .select("sha512")
    .where("report_id", "=", reportId)
    .where("id", "=", pictureId)
    .executeTakeFirst();
