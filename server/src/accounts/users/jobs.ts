// Mails about accounts. Codes are made here, when the mail is about to leave, so that no queue ever holds one.
import type { JobPayloads } from "#platform/changes/job-kinds.js";
import { write } from "#platform/changes/write.js";
import type { CodePurpose, Row } from "#platform/db/tables.js";
import type { Resources } from "#platform/http/resources.js";
import {
  accountDeletionMail,
  addressConfirmationMail,
  addressTakenMail,
  emailChangedMail,
  emailChangeMail,
  passwordAdditionMail,
  passwordChangedMail,
  passwordResetMail,
} from "#platform/mail/messages.js";
import { codeLifeMs, createCode } from "./codes.js";
import { canSignIn } from "./policy.js";
import { findAccount, findAccountByLogin, listUnconfirmed } from "./read.js";

const bySystem = { credential: "job" };
const minutes = (ms: number) => Math.round(ms / 60_000);

/**
 * The maximum number of mails for accounts that only name the address: enough for users who forgot that they had signed
 * up before.
 */
const mostUnconfirmed = 3;

export async function mailPasswordReset(
  resources: Resources,
  { email }: JobPayloads["mail-password-reset"],
): Promise<void> {
  const holder = await findAccountByLogin(resources.db, email);
  const accounts = holder ? [holder] : await listUnconfirmed(resources.db, email, mostUnconfirmed);
  for (const account of accounts.filter(canSignIn)) {
    const code = await write(resources, bySystem, async (tx) => {
      tx.audit("user.password.reset.request", { kind: "user", id: account.id });
      return createCode(tx, "password_reset", account.id, account.email);
    });
    const mail = passwordResetMail(withCode(resources, account, code, "password_reset"));
    await resources.mailer.send({ to: account.email!, ...mail });
  }
}

/** Mails to a new address of an account, or to the one that it was created with. */
export async function mailEmailChange(
  resources: Resources,
  { userId, email }: JobPayloads["mail-email-change"],
): Promise<void> {
  const account = await findAccount(resources.db, userId);
  if (!account) return;
  const holder = await findAccountByLogin(resources.db, email);
  if (holder && holder.id !== userId) {
    const siteUrl = resources.config.http.url;
    const mail = addressTakenMail({
      siteUrl,
      locale: holder.locale,
      userName: holder.user_name,
      otherName: account.user_name,
    });
    return resources.mailer.send({ to: email, ...mail });
  }
  const code = await write(resources, bySystem, (tx) => createCode(tx, "email_change", userId, email));
  const toMail = account.email === email ? addressConfirmationMail : emailChangeMail;
  const mail = toMail(withCode(resources, account, code, "email_change"));
  await resources.mailer.send({ to: email, ...mail });
}

/** Does nothing if the user has cancelled the action since, or requested another. */
export async function mailAction(resources: Resources, { userId, purpose }: JobPayloads["mail-action"]): Promise<void> {
  const account = await findAccount(resources.db, userId);
  if (!account?.email || account.email_verified !== 1) return;
  const code = await write(resources, bySystem, async (tx) => {
    const asked = await tx.db
      .selectFrom("one_time_codes")
      .select("detail")
      .where("user_id", "=", userId)
      .where("purpose", "=", purpose)
      .where("date_expires", ">", tx.now)
      .orderBy("date_created", "desc")
      .executeTakeFirst();
    return asked && createCode(tx, purpose, userId, asked.detail);
  });
  if (code === undefined) return;
  const toMail = purpose === "password_add" ? passwordAdditionMail : accountDeletionMail;
  const mail = toMail(withCode(resources, account, code, purpose));
  await resources.mailer.send({ to: account.email, ...mail });
}

const withCode = ({ config }: Resources, account: Row<"users">, code: string, purpose: CodePurpose) => ({
  siteUrl: config.http.url,
  locale: account.locale,
  userName: account.user_name,
  code,
  validMinutes: minutes(codeLifeMs[purpose]),
});

export async function mailNotice(
  { mailer, config }: Resources,
  { to, notice, userName, locale = null }: JobPayloads["mail-notice"],
): Promise<void> {
  // Mail was turned off after this was requested, so there is no way to notify anyone.
  if (!mailer.enabled) return;
  const recipient = { siteUrl: config.http.url, locale, userName };
  const mail = notice === "passwordChanged" ? passwordChangedMail(recipient) : emailChangedMail(recipient);
  await mailer.send({ to, ...mail });
}
