// Takes from the quota of an account, in the transaction that stores the files of a version.
import { lockUser } from "#accounts/users/locking.js";
import type { Tx } from "#platform/changes/write.js";
import { placeholderId } from "#platform/db/placeholder.js";
import { type Limits, refuseOverQuota } from "#platform/pictures/quota.js";

/** Locks the account, so that requests run one after the other. Must be called before any project is locked. */
export async function takeQuota(
  tx: Tx,
  limits: Limits,
  userId: string,
  files: readonly { digest: { size: number } }[],
) {
  if (files.length === 0 || limits.accountBytes === Number.POSITIVE_INFINITY || userId === placeholderId) return;
  await lockUser(tx, userId);
  const bytes = files.reduce((sum, { digest }) => sum + digest.size, 0);
  await refuseOverQuota(tx.db, limits, userId, bytes);
}
