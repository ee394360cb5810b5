// The rows of cases: all open reports about one object belong to one case, even under concurrency.

import { newId } from "#lib/random.js";
import type { Tx } from "#platform/changes/write.js";
import { lockRows } from "#platform/db/dialect.js";
import type { Row } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import type { ItemType } from "./words.js";

const tries = 3;

/** The open case about this object, created if there is none, and locked until the transaction ends. Returns its id. */
export async function joinCase(tx: Tx, itemType: ItemType, itemId: string, isUrgent: boolean): Promise<string> {
  for (let attempt = 0; attempt < tries; attempt++) {
    await tx.db
      .insertInto("report_cases")
      .values({
        id: newId(tx.random),
        item_type: itemType,
        item_id: itemId,
        is_urgent: 0,
        date_created: tx.now,
        date_updated: tx.now,
        date_closed: null,
      })
      .onConflict((conflict) => conflict.columns(["item_type", "item_id"]).where("date_closed", "is", null).doNothing())
      .execute();
    const joined = await tx.db
      .updateTable("report_cases")
      .set((column) => ({ date_updated: tx.now, is_urgent: isUrgent ? 1 : column.ref("is_urgent") }))
      .where("item_type", "=", itemType)
      .where("item_id", "=", itemId)
      .where("date_closed", "is", null)
      .returning("id")
      .executeTakeFirst();
    // Closed by another between the two statements: then there is room for a new one.
    if (joined) return joined.id;
  }
  throw fail.unavailable();
}

/** Locks the case, so that its reports are closed and opened one at a time. */
export async function lockCase({ db }: Tx, caseId: string | null): Promise<Row<"report_cases"> | undefined> {
  if (caseId === null) return undefined;
  return db.selectFrom("report_cases").selectAll().where("id", "=", caseId).modifyEnd(lockRows(db)).executeTakeFirst();
}

/** A case is open as long as one of its reports is. Returns whether it is closed now. */
export async function closeCaseIfDone({ db, now }: Tx, caseId: string): Promise<boolean> {
  const open = await db
    .selectFrom("reports")
    .select("id")
    .where("case_id", "=", caseId)
    .where("closed", "=", 0)
    .limit(1)
    .executeTakeFirst();
  if (open) return false;
  await db.updateTable("report_cases").set({ date_closed: now, date_updated: now }).where("id", "=", caseId).execute();
  return true;
}
