// One-time codes: setup of the first administrator, password reset, email change, and actions.ts. Only digests are
// stored; a code works once. A new code ends codes of the same purpose and user that were mailed to other addresses.
// Codes mailed to the same address keep working, so that a stranger who requests another cannot invalidate the owner's
// link.

import { newSecretToken, readSecretToken } from "#lib/secret-token.js";
import type { Tx } from "#platform/changes/write.js";
import type { CodePurpose, Db } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import { lockUser } from "./locking.js";

const minute = 60_000;
export const codeLifeMs: Record<CodePurpose, number> = {
  setup: 60 * minute,
  password_reset: 60 * minute,
  email_change: 24 * 60 * minute,
  password_add: 120 * minute,
  account_deletion: 120 * minute,
};

export async function createCode(
  tx: Tx,
  purpose: CodePurpose,
  userId: string | null,
  detail: string | null = null,
): Promise<string> {
  const code = newSecretToken("msc_", tx.random);
  // Several servers may each print a setup code when they start; none may invalidate another's.
  if (userId !== null)
    await tx.db
      .deleteFrom("one_time_codes")
      .where("purpose", "=", purpose)
      .where("user_id", "=", userId)
      .where((or) => or.or([or("detail", "is", null), or("detail", "!=", detail ?? "")]))
      .execute();
  await tx.db
    .insertInto("one_time_codes")
    .values({
      digest: readSecretToken(code)!.digest,
      purpose,
      user_id: userId,
      detail,
      date_created: tx.now,
      date_expires: tx.now + codeLifeMs[purpose],
    })
    .execute();
  return code;
}

/** Uses the code up and returns its row; undefined if it is wrong, used or expired. */
export async function takeCode(tx: Tx, purpose: CodePurpose, code: string) {
  const digest = readSecretToken(code)?.digest;
  if (!digest) return undefined;
  return tx.db
    .deleteFrom("one_time_codes")
    .where("digest", "=", digest)
    .where("purpose", "=", purpose)
    .where("date_expires", ">", tx.now)
    .returning(["user_id", "detail"])
    .executeTakeFirst();
}

/** Like takeCode, for a code of a user. Locks the user's row first, because using one code ends the others. */
export async function takeUserCode(
  tx: Tx,
  purpose: CodePurpose,
  code: string,
): Promise<{ userId: string; detail: string | null }> {
  const found = await findCode(tx.db, purpose, code, tx.now);
  if (!found?.user_id) throw fail.codeInvalid();
  await lockUser(tx, found.user_id);
  if (!(await takeCode(tx, purpose, code))) throw fail.codeInvalid();
  return { userId: found.user_id, detail: found.detail };
}

/** Whether the code would work now; used to choose which page to show, never to act. */
export const isCodeGood = async (db: Db, purpose: CodePurpose, code: string, now: number): Promise<boolean> =>
  (await findCode(db, purpose, code, now)) !== undefined;

/** The row of a code that would work now; undefined otherwise. */
export async function findCode(db: Db, purpose: CodePurpose, code: string, now: number) {
  const digest = readSecretToken(code)?.digest;
  if (!digest) return undefined;
  return db
    .selectFrom("one_time_codes")
    .select(["user_id", "detail"])
    .where("digest", "=", digest)
    .where("purpose", "=", purpose)
    .where("date_expires", ">", now)
    .executeTakeFirst();
}
