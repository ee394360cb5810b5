// The email address of an account: changing and confirming it. Each runs in the caller's transaction.
import type { Tx } from "#platform/changes/write.js";
import type { Db } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import { findCode, takeUserCode } from "./codes.js";
import { findAccount } from "./read.js";
import { namingConflicts } from "./write.js";

export async function setEmail(tx: Tx, userId: string, email: string, verified: boolean): Promise<void> {
  const before = await findAccount(tx.db, userId);
  if (!before) throw fail.userNotFound();
  await holdAddress(tx, userId, email, verified);
  // Codes mailed to the old address must not open the account any more.
  await tx.db.deleteFrom("one_time_codes").where("user_id", "=", userId).execute();
  tx.audit("user.email.set", { kind: "user", id: userId });
  tx.changed("user", userId);
  if (before.email && before.email_held && before.email !== email.toLowerCase())
    tx.enqueue("mail-notice", {
      to: before.email,
      notice: "emailChanged",
      userName: before.user_name,
      locale: before.locale,
    });
}

/**
 * Assigns the address to this account, and refuses if another account holds it. If mail is configured, the address of a
 * new account is only noted (`email_held` 0) until its owner has answered a mail: any number of accounts may name it,
 * and none of them reserves it or is found by it. If no mail is configured, the first account that names the address
 * holds it.
 */
export async function holdAddress(tx: Tx, userId: string, email: string, verified = true): Promise<void> {
  await namingConflicts(
    tx.db
      .updateTable("users")
      .set({ email: email.toLowerCase(), email_verified: verified ? 1 : 0, email_held: 1 })
      .where("id", "=", userId)
      .execute(),
  );
}

/** Confirms a new address, or for the first time the one that the account was created with. */
export async function confirmEmailWithCode(tx: Tx, code: string): Promise<void> {
  const { userId, detail } = await takeUserCode(tx, "email_change", code);
  if (!detail) throw fail.codeInvalid();
  await setEmail(tx, userId, detail, true);
}

/** The data that the page shows before the address is confirmed; undefined if the code does not work. */
export async function previewEmailChange(db: Db, code: string, now: number) {
  const found = await findCode(db, "email_change", code, now);
  const account = found?.user_id ? await findAccount(db, found.user_id) : undefined;
  if (!account || !found?.detail) return undefined;
  return { userName: account.user_name, email: found.detail, isFirst: account.email === found.detail };
}
