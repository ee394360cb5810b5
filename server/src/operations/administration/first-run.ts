// Whether the first questions about a new site are answered: its name and its purpose.

import { toJson } from "#lib/json.js";
import type { Tx } from "#platform/changes/write.js";
import type { Db } from "#platform/db/tables.js";

const name = "first-run";

export async function isFirstRunDone(db: Db): Promise<boolean> {
  const row = await db.selectFrom("settings").select("name").where("name", "=", name).executeTakeFirst();
  return row !== undefined;
}

export async function finishFirstRun(tx: Tx, userId: string): Promise<void> {
  await tx.db
    .insertInto("settings")
    .values({ name, value: toJson<unknown>("done"), date_updated: tx.now, updated_by: userId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  tx.audit("setup.finish", { kind: "setting", id: name });
  tx.changed("setting", name);
}
