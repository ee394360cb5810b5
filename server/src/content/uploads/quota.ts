// How much one account may store: the files of the versions that it has published, each counted wherever it is used.
import { sql } from "kysely";
import { lockUser } from "#accounts/users/locking.js";
import { placeholderId } from "#accounts/users/policy.js";
import type { Config } from "#config/config.js";
import { formatBytes } from "#lib/format-bytes.js";
import type { Tx } from "#platform/changes/write.js";
import type { Db } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";

type Limits = Pick<Config["limits"], "accountBytes">;

export async function readAccountUse(db: Db, userId: string): Promise<number> {
  const { bytes } = await db
    .selectFrom("versions")
    .innerJoin("version_files", "version_files.version_id", "versions.id")
    .select(sql<number | string>`coalesce(sum(version_files.size), 0)`.as("bytes"))
    .where("versions.author_id", "=", userId)
    .executeTakeFirstOrThrow();
  return Number(bytes);
}

/** Throws where so many bytes more are too many. Without a lock: good for a refusal before a file is read. */
export async function refuseOverQuota(db: Db, { accountBytes }: Limits, userId: string, bytes: number): Promise<void> {
  if (accountBytes === Number.POSITIVE_INFINITY || userId === placeholderId) return;
  const used = await readAccountUse(db, userId);
  if (used + bytes > accountBytes) throw fail.quotaReached(formatBytes(accountBytes), formatBytes(used));
}

/** The same in the transaction that stores them, one at a time for each account. Before any project is locked. */
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
