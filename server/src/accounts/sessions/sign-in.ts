// Signing up and in with a password, for the API routes and the website's forms.

import { takeAttempt } from "#accounts/users/failures.js";
import { inviteDigest, isInviteGood, takeInvite } from "#accounts/users/invite-codes.js";
import { mayMail } from "#accounts/users/mail-quota.js";
import { hashPassword, verifyPassword } from "#accounts/users/passwords.js";
import { canSignIn } from "#accounts/users/policy.js";
import { findAccountByLogin, listUnconfirmed } from "#accounts/users/read.js";
import { createAccount, setLocale } from "#accounts/users/write.js";
import { type Actor, write } from "#platform/changes/write.js";
import type { Row } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import type { Resources } from "#platform/http/resources.js";
import type { Locale } from "#words/languages.js";
import { createSession, type SessionOrigin } from "./write.js";

export interface NewMember {
  userName: string;
  email: string;
  password: string;
  /** Needed where registration is closed, and looked at only there. */
  invite?: string | null;
  /** The language of the page with the form; mails use it too. */
  locale?: Locale;
}

/** Returns the session's token for the cookie. */
export async function signUp(
  resources: Resources,
  actor: Actor,
  origin: SessionOrigin,
  { userName, email, password, invite, locale }: NewMember,
): Promise<{ id: string; token: string }> {
  const isOpen = resources.config.registration === "open";
  if (!isOpen && !invite) throw fail.registrationClosed();
  // This is checked before the password is hashed, so that callers without an invite cannot cause that work.
  if (!isOpen && !(await isInviteGood(resources.db, invite!, resources.clock.now()))) throw fail.inviteCodeInvalid();
  const passwordHash = await hashPassword(password, resources.random);
  // If mail is configured, only a mail to the address tells its owner that it already has an account. For the caller
  // every sign-up looks the same: they get a session and an account that holds no address yet.
  const { enabled: hasMail } = resources.mailer;
  const isMailed = hasMail && (await mayMail(resources, actor, "confirmation", email.toLowerCase()));
  return write(resources, actor, async (tx) => {
    if (!isOpen) await takeInvite(tx, inviteDigest(invite!));
    const account = { userName, email, emailVerified: false, emailHeld: !hasMail, passwordHash, role: "user" } as const;
    const id = await createAccount(tx, account);
    if (locale) await setLocale(tx, id, locale);
    if (isMailed) tx.enqueue("mail-email-change", { userId: id, email: email.toLowerCase() });
    return { id, token: await createSession(tx, id, origin) };
  });
}

/**
 * Unknown account and wrong password cost the same work and get the same answer. Failures are counted (accounts/users/failures.ts);
 * a right password gives its try back.
 */
export async function checkCredential(
  resources: Resources,
  actor: Actor,
  login: string,
  password: string,
): Promise<Row<"users">> {
  const { db, random } = resources;
  const guessed = login.trim().toLowerCase();
  const holder = await findAccountByLogin(db, guessed);
  const giveBack = await takeAttempt(resources, actor, [guessed], holder?.id);
  const { account, needsRehash } = await findOpened(resources, guessed, holder, password);
  if (!account) throw fail.signInFailed();
  await giveBack();
  if (needsRehash) {
    const password_hash = await hashPassword(password, random);
    await db.updateTable("users").set({ password_hash }).where("id", "=", account.id).execute();
  }
  if (!canSignIn(account)) throw fail.accountSuspended();
  return account;
}

/**
 * The account that the password opens. Several accounts may name an address that is not confirmed, and each opens with
 * its own password. These are tried whether or not the address belongs to an account, at the same cost even if there
 * are none: otherwise an account made with another person's address would reveal whether they have one.
 */
async function findOpened(
  { db, mailer }: Resources,
  login: string,
  holder: Row<"users"> | undefined,
  password: string,
): Promise<{ account?: Row<"users"> | undefined; needsRehash: boolean }> {
  const first = await verifyPassword(holder?.password_hash ?? undefined, password);
  if (first.ok && holder) return { account: holder, needsRehash: first.needsRehash };
  if (!mailer.enabled || !login.includes("@")) return { needsRehash: false };
  const [unconfirmed] = await listUnconfirmed(db, login, 1);
  const second = await verifyPassword(unconfirmed?.password_hash ?? undefined, password);
  return { account: second.ok ? unconfirmed : undefined, needsRehash: second.needsRehash };
}
