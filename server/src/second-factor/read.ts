// Whether an account has a second factor, and how many recovery codes are left.
import type { Db, Row } from "../db/tables.js";

export const findTotp = (db: Db, userId: string): Promise<Row<"totp_secrets"> | undefined> =>
  db.selectFrom("totp_secrets").selectAll().where("user_id", "=", userId).executeTakeFirst();

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
