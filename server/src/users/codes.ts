// One-time codes: setup of the first administrator, password reset, e-mail change. Only digests are stored; a code
// works once, and asking for a new one ends the old ones of the same purpose and user.
import type { Tx } from "../changes/write.js";
import type { CodePurpose, Db } from "../db/tables.js";
import { newSecretToken, readSecretToken } from "../lib/secret-token.js";

const minute = 60_000;
export const codeLifeMs: Record<CodePurpose, number> = {
  setup: 60 * minute,
  password_reset: 60 * minute,
  email_change: 24 * 60 * minute,
};

export async function createCode(
  tx: Tx,
  purpose: CodePurpose,
  userId: string | null,
  detail: string | null = null,
): Promise<string> {
  const code = newSecretToken("msc_", tx.random);
  // Several servers may each print a setup code at their start; none of them may spoil another's.
  if (userId !== null)
    await tx.db.deleteFrom("one_time_codes").where("purpose", "=", purpose).where("user_id", "=", userId).execute();
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

/** Uses the code up and returns what it was for; undefined when it is wrong, used or expired. */
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

/** Whether the code would work now; used to choose which page to show, never to act. */
export async function isCodeGood(db: Db, purpose: CodePurpose, code: string, now: number): Promise<boolean> {
  const digest = readSecretToken(code)?.digest;
  if (!digest) return false;
  const row = await db
    .selectFrom("one_time_codes")
    .select("purpose")
    .where("digest", "=", digest)
    .where("purpose", "=", purpose)
    .where("date_expires", ">", now)
    .executeTakeFirst();
  return row !== undefined;
}
