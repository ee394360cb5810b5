// Setting up, using and ending the second factor. Each runs in the caller's transaction.
import { createHash } from "node:crypto";
import type { Tx } from "#platform/changes/write.js";
import { fail } from "#platform/errors.js";
import { aboutTotp } from "#platform/secrets/about.js";
import { findPendingTotp, findTotp, readTotpKey } from "./read.js";
import { newTotpSecret, stepOfCode } from "./totp.js";

const codeCount = 10;
const alphabet = "abcdefghjkmnpqrstuvwxyz23456789";
const codeLength = 16;

interface Setter {
  userId: string;
  /** Only the session that was shown a key can confirm it: another session of the account may belong to a thief. */
  sessionId: string;
}

/** A new secret each time. It counts for nothing until a code made from it was given. A secret in use is never replaced. */
export async function beginTotp(tx: Tx, { userId, sessionId }: Setter): Promise<string> {
  const secret = newTotpSecret(tx.random);
  const begun = {
    secret: tx.vault.seal(secret, aboutTotp(userId)),
    last_step: 0,
    date_created: tx.now,
    session_id: sessionId,
  };
  const { numInsertedOrUpdatedRows } = await tx.db
    .insertInto("totp_secrets")
    .values({ user_id: userId, ...begun, date_confirmed: null })
    .onConflict((conflict) =>
      conflict.column("user_id").doUpdateSet(begun).where("totp_secrets.date_confirmed", "is", null),
    )
    .executeTakeFirst();
  if (!numInsertedOrUpdatedRows) throw fail.secondFactorOn();
  return secret;
}

/** Returns the recovery codes, this once. */
export async function confirmTotp(tx: Tx, { userId, sessionId }: Setter, code: string): Promise<string[]> {
  if (!(await findPendingTotp(tx.db, { userId, sessionId }, tx.now))) throw fail.secondFactorWrong();
  if (!(await takeTotpCode(tx, userId, code))) throw fail.secondFactorWrong();
  await tx.db
    .updateTable("totp_secrets")
    .set({ date_confirmed: tx.now, session_id: null })
    .where("user_id", "=", userId)
    .execute();
  tx.audit("user.second-factor.on", { kind: "user", id: userId });
  return replaceRecoveryCodes(tx, userId);
}

export async function renewRecoveryCodes(tx: Tx, userId: string): Promise<string[]> {
  tx.audit("user.recovery-codes.renew", { kind: "user", id: userId });
  return replaceRecoveryCodes(tx, userId);
}

async function replaceRecoveryCodes(tx: Tx, userId: string): Promise<string[]> {
  await tx.db.deleteFrom("recovery_codes").where("user_id", "=", userId).execute();
  const codes = Array.from({ length: codeCount }, () => newRecoveryCode(tx));
  await tx.db
    .insertInto("recovery_codes")
    .values(codes.map((code) => ({ digest: digestOf(code), user_id: userId })))
    .execute();
  return codes;
}

function newRecoveryCode({ random }: Tx): string {
  let letters = "";
  while (letters.length < codeLength) {
    const byte = random.bytes(1)[0]!;
    // Bytes that would favour some letters are discarded, so that every letter is equally likely.
    if (byte < 256 - (256 % alphabet.length)) letters += alphabet[byte % alphabet.length];
  }
  return letters.replace(/(.{4})(?=.)/g, "$1-");
}

/** Written with or without dashes and spaces, in any case. Nearly 80 random bits need no slow hash. */
const digestOf = (code: string): Buffer =>
  createHash("sha256")
    .update(code.toLowerCase().replace(/[^a-z0-9]/g, ""))
    .digest();

export async function removeSecondFactor(tx: Tx, userId: string): Promise<void> {
  await tx.db.deleteFrom("totp_secrets").where("user_id", "=", userId).execute();
  await tx.db.deleteFrom("recovery_codes").where("user_id", "=", userId).execute();
  tx.audit("user.second-factor.off", { kind: "user", id: userId });
}

/** Uses the code up: of the app, or one of the recovery codes. Returns whether it was good. */
export async function takeCode(tx: Tx, userId: string, given: string): Promise<boolean> {
  const digits = given.replace(/\s/g, "");
  if (/^\d{6}$/.test(digits)) return takeTotpCode(tx, userId, digits);
  const { numDeletedRows } = await tx.db
    .deleteFrom("recovery_codes")
    .where("user_id", "=", userId)
    .where("digest", "=", digestOf(given))
    .executeTakeFirst();
  if (numDeletedRows === 0n) return false;
  tx.audit("user.recovery-codes.use", { kind: "user", id: userId });
  return true;
}

async function takeTotpCode(tx: Tx, userId: string, code: string): Promise<boolean> {
  const totp = await findTotp(tx.db, userId);
  const step = totp && stepOfCode(readTotpKey(tx.vault, totp), code.replace(/\s/g, ""), tx.now);
  if (step === undefined) return false;
  const { numUpdatedRows } = await tx.db
    .updateTable("totp_secrets")
    .set({ last_step: step })
    .where("user_id", "=", userId)
    .where("last_step", "<", step)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
