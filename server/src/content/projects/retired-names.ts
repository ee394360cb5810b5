// Names of deleted objects stay reserved for a while, even for the former owner, so that a link, a modpack or a build
// that names the old object never gets a different one.
import type { Tx } from "#platform/changes/write.js";
import type { RetiredKind } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";

export interface RetiredName {
  kind: RetiredKind;
  /** For a version number the id of its project, otherwise empty. */
  scope: string;
  /** In lower case. */
  name: string;
}

const day = 24 * 60 * 60 * 1000;

/** `days` is the operator's setting; with 0 the name is free at once. */
export async function retireName(tx: Tx, retired: RetiredName, objectId: string, days: number): Promise<void> {
  if (days === 0) return;
  const row = { object_id: objectId, date_retired: tx.now, date_expires: tx.now + days * day };
  await tx.db
    .insertInto("retired_names")
    .values({ ...retired, ...row })
    .onConflict((conflict) => conflict.columns(["kind", "scope", "name"]).doUpdateSet(row))
    .execute();
}

/** The row that reserves the name, if there is one. */
export const retirement = (tx: Tx, { kind, scope, name }: RetiredName) =>
  tx.db
    .selectFrom("retired_names")
    .select(["name", "date_expires"])
    .where("kind", "=", kind)
    .where("scope", "=", scope)
    .where("name", "=", name)
    .where("date_expires", ">", tx.now);

/** To be called after the name is set: a concurrent deletion of its former holder has committed by then. */
export const refuseRetired = async (tx: Tx, retired: RetiredName): Promise<void> =>
  refuseReserved(await retirement(tx, retired).executeTakeFirst());

export function refuseReserved(row: { name: string; date_expires: number } | undefined): void {
  if (row) throw fail.nameRetired(row.name, new Date(row.date_expires).toISOString());
}
