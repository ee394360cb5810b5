// Takes from the quota of an account, in the transaction that stores the files of a version.
import { formatBytes } from "#lib/format-bytes.js";
import type { Tx } from "#platform/changes/write.js";
import { quotaLock, together } from "#platform/db/dialect.js";
import { placeholderId } from "#platform/db/placeholder.js";
import { fail } from "#platform/errors.js";
import { accountUse, type Limits } from "#platform/pictures/quota.js";

/**
 * Refuses the files that this transaction has inserted if the account has no room for them. To be called last: from here to
 * the commit, all other transactions that add files of the account wait.
 */
export async function takeQuota(
  tx: Tx,
  { accountBytes }: Limits,
  userId: string,
  files: readonly { digest: { size: number } }[],
): Promise<void> {
  if (files.length === 0 || accountBytes === Number.POSITIVE_INFINITY || userId === placeholderId) return;
  const [use] = await together(tx.db, [accountUse(userId)], quotaLock(tx.db, userId));
  const used = Number(use.rows[0]!.bytes);
  if (used <= accountBytes) return;
  const bytes = files.reduce((sum, { digest }) => sum + digest.size, 0);
  throw fail.quotaReached(formatBytes(accountBytes), formatBytes(used - bytes));
}
