// Mails about accounts. Codes are made here, when the mail is about to leave, so that no queue ever holds one.
import type { JobPayloads } from "../changes/job-kinds.js";
import { write } from "../changes/write.js";
import type { Resources } from "../http/resources.js";
import { mailIn } from "../mail/german.js";
import { emailChangedMail, emailChangeMail, passwordChangedMail, passwordResetMail } from "../mail/messages.js";
import { codeLifeMs, createCode } from "./codes.js";
import { canSignIn } from "./policy.js";
import { findAccount, findAccountByLogin } from "./read.js";

const bySystem = { credential: "job" };
const minutes = (ms: number) => Math.round(ms / 60_000);

export async function mailPasswordReset(
  resources: Resources,
  { email }: JobPayloads["mail-password-reset"],
): Promise<void> {
  const account = await findAccountByLogin(resources.db, email);
  if (!account?.email || !canSignIn(account)) return;
  const code = await write(resources, bySystem, async (tx) => {
    tx.audit("user.password.reset.request", { kind: "user", id: account.id });
    return createCode(tx, "password_reset", account.id, account.email);
  });
  const text = {
    siteUrl: resources.config.http.url,
    userName: account.user_name,
    code,
    validMinutes: minutes(codeLifeMs.password_reset),
  };
  await resources.mailer.send({ to: account.email, ...mailIn(account.locale, passwordResetMail(text)) });
}

export async function mailEmailChange(
  resources: Resources,
  { userId, email }: JobPayloads["mail-email-change"],
): Promise<void> {
  const account = await findAccount(resources.db, userId);
  if (!account) return;
  const code = await write(resources, bySystem, (tx) => createCode(tx, "email_change", userId, email));
  const text = {
    siteUrl: resources.config.http.url,
    userName: account.user_name,
    code,
    validMinutes: minutes(codeLifeMs.email_change),
  };
  await resources.mailer.send({ to: email, ...mailIn(account.locale, emailChangeMail(text)) });
}

export async function mailNotice(
  { mailer, config }: Resources,
  { to, notice, userName, locale = null }: JobPayloads["mail-notice"],
): Promise<void> {
  // Asked for while mail was set up, and done after it was taken away: nobody to tell.
  if (!mailer.enabled) return;
  const recipient = { siteUrl: config.http.url, userName };
  const text = notice === "passwordChanged" ? passwordChangedMail(recipient) : emailChangedMail(recipient);
  await mailer.send({ to, ...mailIn(locale, text) });
}
