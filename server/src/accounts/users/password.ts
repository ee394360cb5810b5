// Setting, resetting and removing passwords. Each runs in the caller's transaction.
import type { Actor, Tx } from "#platform/changes/write.js";
import type { Db, Row } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import { holdAddress } from "./address.js";
import { findCode, takeUserCode } from "./codes.js";
import {
  type CredentialChoice,
  dropAllCredentials,
  dropCredentials,
  dropUnfinishedSteps,
  listCredentials,
  revokeTokens,
} from "./credentials.js";
import { forgetFailures, forgetFamiliarAddresses, noteFamiliarAddress } from "./failures.js";
import type { RemainingCredentials } from "./password-contract.js";
import { findAccount } from "./read.js";

export interface PasswordSet {
  tokensRevoked: number;
  /** The credentials of the account besides the new password. */
  remaining: RemainingCredentials;
}

/** Ends every session except the calling one, and all tokens that the user does not keep. */
export async function setPassword(
  tx: Tx,
  userId: string,
  passwordHash: string | null,
  { keepSessionId, keepTokens, drop = [] }: CredentialChoice & { keepSessionId?: string } = {},
): Promise<PasswordSet> {
  const account = await tx.db
    .updateTable("users")
    .set({ password_hash: passwordHash })
    .where("id", "=", userId)
    .returning(["email", "email_held", "user_name", "locale"])
    .executeTakeFirst();
  // Another request deleted the account after this one was admitted.
  if (!account) throw fail.userNotFound();
  let ended = tx.db.deleteFrom("sessions").where("user_id", "=", userId);
  if (keepSessionId) ended = ended.where("id", "!=", keepSessionId);
  const { numDeletedRows } = await ended.executeTakeFirst();
  const tokensRevoked = await revokeTokens(tx, userId, keepTokens);
  await dropCredentials(tx, userId, drop);
  await dropUnfinishedSteps(tx, userId);
  tx.audit(
    passwordHash ? "user.password.set" : "user.password.remove",
    { kind: "user", id: userId },
    { sessionsEnded: Number(numDeletedRows), tokensRevoked },
  );
  tx.changed("user", userId);
  // An address that was not confirmed may belong to a stranger, who should get no mail.
  if (account.email && account.email_held)
    tx.enqueue("mail-notice", {
      to: account.email,
      notice: "passwordChanged",
      userName: account.user_name,
      locale: account.locale,
    });
  return { tokensRevoked, remaining: await listCredentials(tx.db, userId) };
}

/** `network`: where the code came from. Its sender has just proved to be the owner. */
export async function resetPasswordWithCode(
  tx: Tx,
  code: string,
  passwordHash: string,
  { network, ...choice }: CredentialChoice & Pick<Actor, "network"> = {},
): Promise<PasswordSet> {
  const { userId, detail } = await takeUserCode(tx, "password_reset", code);
  const account = await findAccount(tx.db, userId);
  if (!account) throw fail.userNotFound();
  const isFirst = isFirstProof(account, detail);
  if (isFirst) {
    await dropAllCredentials(tx, account.id);
    await holdAddress(tx, account.id, detail!);
  }
  await forgetFailures(tx, account);
  await forgetFamiliarAddresses(tx, account.id);
  if (network !== undefined) await noteFamiliarAddress(tx, account.id, network);
  return setPassword(tx, account.id, passwordHash, isFirst ? {} : choice);
}

/** A code that was mailed shows that the address is the user's; one from the command line shows nothing. */
const isFirstProof = (account: Row<"users">, mailedTo: string | null): boolean =>
  mailedTo !== null && account.email === mailedTo && account.email_verified === 0;

export interface ResetPreview {
  userName: string;
  /** Nothing can be kept: another person may have created the account. */
  isFirstProof: boolean;
  credentials: RemainingCredentials;
}

/** The data that the page shows before the password is set; undefined if the code does not work. */
export async function previewReset(db: Db, code: string, now: number): Promise<ResetPreview | undefined> {
  const found = await findCode(db, "password_reset", code, now);
  const account = found?.user_id ? await findAccount(db, found.user_id) : undefined;
  if (!account) return undefined;
  const credentials = await listCredentials(db, account.id);
  return { userName: account.user_name, isFirstProof: isFirstProof(account, found!.detail), credentials };
}
