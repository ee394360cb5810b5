// Locks a user's row until the transaction ends, so that limits per user hold under concurrency.
import type { Tx } from "#platform/changes/write.js";
import { fail } from "#platform/errors.js";

/** Written as an update that changes nothing: SQLite knows no FOR UPDATE, and rows that refer to the user can still be made. */
export async function lockUser(tx: Tx, userId: string): Promise<void> {
  const { numUpdatedRows } = await tx.db
    .updateTable("users")
    .set((column) => ({ name: column.ref("name") }))
    .where("id", "=", userId)
    .executeTakeFirst();
  // Deleted by another request since this one was let in.
  if (numUpdatedRows === 0n) throw fail.userNotFound();
}
