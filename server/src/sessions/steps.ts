// What was begun at the door and not finished. Whoever holds the code of a step may finish it, once and soon.
import type { Tx } from "../changes/write.js";
import type { Db, Row } from "../db/tables.js";
import { newSecretToken, readSecretToken, tokenDigest } from "../lib/secret-token.js";

export type StepKind = Row<"sign_in_steps">["kind"];
export const stepLifeMs = 10 * 60 * 1000;

export async function createStep(
  tx: Tx,
  kind: StepKind,
  { userId = null, challenge = null }: { userId?: string | null; challenge?: string | null },
): Promise<string> {
  const code = newSecretToken("msc_", tx.random);
  await tx.db
    .insertInto("sign_in_steps")
    .values({ digest: tokenDigest(code), kind, user_id: userId, challenge, date_expires: tx.now + stepLifeMs })
    .execute();
  return code;
}

/** Left as it is: a wrong answer may be mended. */
export async function findStep(
  db: Db,
  kind: StepKind,
  code: string,
  now: number,
): Promise<Row<"sign_in_steps"> | undefined> {
  const digest = readSecretToken(code)?.digest;
  if (!digest) return undefined;
  return db
    .selectFrom("sign_in_steps")
    .selectAll()
    .where("digest", "=", digest)
    .where("kind", "=", kind)
    .where("date_expires", ">", now)
    .executeTakeFirst();
}

/** Uses the step up; undefined where it is wrong, used or too old. */
export async function takeStep(tx: Tx, kind: StepKind, code: string): Promise<Row<"sign_in_steps"> | undefined> {
  const digest = readSecretToken(code)?.digest;
  if (!digest) return undefined;
  return tx.db
    .deleteFrom("sign_in_steps")
    .where("digest", "=", digest)
    .where("kind", "=", kind)
    .where("date_expires", ">", tx.now)
    .returningAll()
    .executeTakeFirst();
}
