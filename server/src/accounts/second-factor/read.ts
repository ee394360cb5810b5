// Whether an account has a second factor, and how many recovery codes are left.
import type { Db, Row } from "#platform/db/tables.js";
import { aboutTotp } from "#platform/secrets/about.js";
import type { Vault } from "#platform/secrets/vault.js";

export const findTotp = (db: Db, userId: string): Promise<Row<"totp_secrets"> | undefined> =>
  db.selectFrom("totp_secrets").selectAll().where("user_id", "=", userId).executeTakeFirst();

/** In base 32. */
export const readTotpKey = (vault: Vault, { user_id, secret }: Row<"totp_secrets">): string =>
  vault.open(secret, aboutTotp(user_id));

/** Long enough to find the phone and install an app. */
const setUpMs = 10 * 60 * 1000;

/** A key that this session was shown a moment ago and that counts for nothing yet. */
export async function findPendingTotp(
  db: Db,
  { userId, sessionId }: { userId: string; sessionId: string },
  now: number,
): Promise<Row<"totp_secrets"> | undefined> {
  const totp = await findTotp(db, userId);
  if (!totp || totp.date_confirmed !== null || totp.session_id !== sessionId) return undefined;
  return now - totp.date_created < setUpMs ? totp : undefined;
}

export async function hasSecondFactor(db: Db, userId: string): Promise<boolean> {
  const totp = await findTotp(db, userId);
  return totp !== undefined && totp.date_confirmed !== null;
}

export async function countRecoveryCodes(db: Db, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom("recovery_codes")
    .select(db.fn.countAll<number>().as("count"))
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  return count;
}
