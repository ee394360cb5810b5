// Names of what was deleted: nobody gets them for a while, not even who had them, so that a link, a pack or a build that
// names the old thing never gets another one in its place.
import type { Tx } from "#platform/changes/write.js";
import type { RetiredKind } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";

export interface RetiredName {
  kind: RetiredKind;
  /** Of a version's number its project's id, else empty. */
  scope: string;
  /** In small letters. */
  name: string;
}

const day = 24 * 60 * 60 * 1000;

/** `days`: as the operator has set it; with 0 the name is free at once. */
export async function retireName(tx: Tx, retired: RetiredName, objectId: string, days: number): Promise<void> {
  if (days === 0) return;
  const row = { object_id: objectId, date_retired: tx.now, date_expires: tx.now + days * day };
  await tx.db
    .insertInto("retired_names")
    .values({ ...retired, ...row })
    .onConflict((conflict) => conflict.columns(["kind", "scope", "name"]).doUpdateSet(row))
    .execute();
}

/** To be asked once the name is set, so that whoever was deleting its last bearer meanwhile has committed by now. */
export async function refuseRetired(tx: Tx, { kind, scope, name }: RetiredName): Promise<void> {
  const row = await tx.db
    .selectFrom("retired_names")
    .select("date_expires")
    .where("kind", "=", kind)
    .where("scope", "=", scope)
    .where("name", "=", name)
    .where("date_expires", ">", tx.now)
    .executeTakeFirst();
  if (row) throw fail.nameRetired(name, new Date(row.date_expires).toISOString());
}
