// The key in the URL of a user's feed of followed projects, because feed readers cannot sign in. It gives no other
// access.

import { newSecretToken, tokenDigest } from "#lib/secret-token.js";
import type { Tx } from "#platform/changes/write.js";

/** Replaces the previous key, which becomes invalid. */
export async function createFeedKey(tx: Tx, userId: string): Promise<string> {
  const key = newSecretToken("msc_", tx.random);
  const row = { digest: tokenDigest(key), date_created: tx.now };
  await tx.db
    .insertInto("feed_keys")
    .values({ user_id: userId, ...row })
    .onConflict((conflict) => conflict.column("user_id").doUpdateSet(row))
    .execute();
  tx.audit("user.feed-key.create", { kind: "user", id: userId });
  return key;
}

export async function deleteFeedKey(tx: Tx, userId: string): Promise<void> {
  const { numDeletedRows } = await tx.db.deleteFrom("feed_keys").where("user_id", "=", userId).executeTakeFirst();
  if (numDeletedRows > 0n) tx.audit("user.feed-key.delete", { kind: "user", id: userId });
}
