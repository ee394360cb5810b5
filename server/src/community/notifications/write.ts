// Users' actions on their notifications. Each runs in the caller's transaction.
import { sql } from "kysely";
import { readSecretToken } from "#lib/secret-token.js";
import type { Tx } from "#platform/changes/write.js";
import { inList } from "#platform/db/dialect.js";

/** By their ids, or all up to a time. */
export type NotificationSelection = { ids: readonly string[] } | { upTo: number };

/** Returns how many were found, whether or not they were read already. */
export async function markRead({ db, now }: Tx, userId: string, which: NotificationSelection): Promise<number> {
  const { count } = await db
    .selectFrom("notifications")
    .select(db.fn.countAll<number>().as("count"))
    .where("user_id", "=", userId)
    .where(chosen(db, which))
    .executeTakeFirstOrThrow();
  await db
    .updateTable("notifications")
    .set({ date_read: now })
    .where("user_id", "=", userId)
    .where(chosen(db, which))
    .where("date_read", "is", null)
    .execute();
  return count;
}

/** Returns how many were deleted. */
export async function deleteNotifications({ db }: Tx, userId: string, which: NotificationSelection): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom("notifications")
    .where("user_id", "=", userId)
    .where(chosen(db, which))
    .executeTakeFirst();
  return Number(numDeletedRows);
}

const chosen = (db: Tx["db"], which: NotificationSelection) =>
  "ids" in which ? inList(db, sql.ref("id"), which.ids) : sql<boolean>`date_created <= ${which.upTo}`;

/**
 * Unsubscribes with the token from a mail. The token stays valid, so that a second click does not fail. Returns whether
 * it was valid.
 */
export async function endDigests(tx: Tx, token: string): Promise<boolean> {
  const digest = readSecretToken(token)?.digest;
  if (!digest) return false;
  const found = await tx.db
    .selectFrom("unsubscribe_tokens")
    .select("user_id")
    .where("digest", "=", digest)
    .where("date_expires", ">", tx.now)
    .executeTakeFirst();
  if (!found) return false;
  await tx.db
    .updateTable("notification_settings")
    .set({ digest: "off" })
    .where("user_id", "=", found.user_id)
    .execute();
  return true;
}

/** Deletes read notifications; unread ones stay. Returns how many were deleted. */
export async function deleteRead({ db }: Tx, userId: string): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom("notifications")
    .where("user_id", "=", userId)
    .where("date_read", "is not", null)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
