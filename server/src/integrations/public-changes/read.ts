// The SELECTs of public changes, and the function that builds one for answers.
import type { Db, Row } from "#platform/db/tables.js";
import { timestamp } from "#platform/http/schemas.js";
import type { PublicChange } from "./contract.js";

/** The cursor with the number up to which deletions have been removed. */
export const forgottenCursor = "public-changes forgotten";

export const listPublicChanges = (db: Db, since: number, limit: number): Promise<Row<"public_changes">[]> =>
  db.selectFrom("public_changes").selectAll().where("seq", ">", since).orderBy("seq").limit(limit).execute();

/** The last changes, in their order. */
export async function listLatestPublicChanges(db: Db, limit: number): Promise<Row<"public_changes">[]> {
  const rows = await db.selectFrom("public_changes").selectAll().orderBy("seq", "desc").limit(limit).execute();
  return rows.reverse();
}

/** A client at a lower position may have missed a deletion. */
export async function findForgotten(db: Db): Promise<number> {
  const row = await db.selectFrom("feed_cursors").select("seq").where("name", "=", forgottenCursor).executeTakeFirst();
  return row?.seq ?? 0;
}

export const toPublicChange = (row: Row<"public_changes">): PublicChange => ({
  seq: row.seq,
  kind: row.kind,
  id: row.object_id,
  projectId: row.project_id,
  act: row.act,
  date: timestamp(row.date_created),
});
