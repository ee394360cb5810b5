// Stores a value of this server under a name, in the caller's transaction: a setting, or the state of something that exists once.
import { toJson } from "#lib/json.js";
import type { Tx } from "#platform/changes/write.js";

/** `userId` is who decided it, if it was a person. */
export async function storeValue(tx: Tx, name: string, value: unknown, userId: string | null = null): Promise<void> {
  const row = { name, value: toJson<unknown>(value), date_updated: tx.now, updated_by: userId };
  await tx.db
    .insertInto("settings")
    .values(row)
    .onConflict((conflict) => conflict.column("name").doUpdateSet(row))
    .execute();
}
