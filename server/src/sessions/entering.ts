// Signing up and in with a password: what the API routes and the website's forms do alike.
import { type Actor, write } from "../changes/write.js";
import type { Row } from "../db/tables.js";
import { Failure, fail } from "../errors.js";
import type { Resources } from "../http/resources.js";
import { hashPassword, verifyPassword } from "../lib/passwords.js";
import { inviteDigest, isInviteGood, takeInvite } from "../users/invite-codes.js";
import { canSignIn } from "../users/policy.js";
import { findAccountByLogin } from "../users/read.js";
import { createAccount } from "../users/write.js";
import { createSession, type SessionOrigin } from "./write.js";

export interface NewMember {
  userName: string;
  email: string;
  password: string;
  /** Needed where registration is closed, and looked at only there. */
  invite?: string | null;
}

/** Returns the session's token for the cookie. */
export async function signUp(
  resources: Resources,
  actor: Actor,
  origin: SessionOrigin,
  { userName, email, password, invite }: NewMember,
): Promise<{ id: string; token: string }> {
  const isOpen = resources.config.registration === "open";
  if (!isOpen && !invite) throw fail.registrationClosed();
  // Before the work of the hash, which nobody should have for nothing.
  if (!isOpen && !(await isInviteGood(resources.db, invite!, resources.clock.now()))) throw fail.inviteCodeInvalid();
  const passwordHash = await hashPassword(password, resources.random);
  return write(resources, actor, async (tx) => {
    if (!isOpen) await takeInvite(tx, inviteDigest(invite!));
    const id = await createAccount(tx, { userName, email, emailVerified: false, passwordHash, role: "user" });
    return { id, token: await createSession(tx, id, origin) };
  });
}

/**
 * Unknown account and wrong password cost the same work and get the same answer. Failures are counted per account from
 * everywhere; a right password gives its unit back.
 */
export async function checkCredential(
  { db, limiter, random }: Resources,
  login: string,
  password: string,
): Promise<Row<"users">> {
  const guessed = login.trim().toLowerCase();
  await countFailure(limiter, guessed);
  const account = await findAccountByLogin(db, guessed);
  const { ok, needsRehash } = await verifyPassword(account?.password_hash ?? undefined, password);
  if (!ok || !account) throw fail.signInFailed();
  await limiter.refund("accountFailure", guessed);
  if (needsRehash) {
    const password_hash = await hashPassword(password, random);
    await db.updateTable("users").set({ password_hash }).where("id", "=", account.id).execute();
  }
  if (!canSignIn(account)) throw fail.accountSuspended();
  return account;
}

/** Takes one of the few wrong answers that are allowed; whoever was right gives it back. */
export async function countFailure(limiter: Resources["limiter"], who: string): Promise<void> {
  const quota = await limiter.take("accountFailure", who);
  if (!quota.allowed)
    throw new Failure("rateLimited", 429, fail.rateLimited(quota.retryAfterSeconds).message, {
      headers: { "retry-after": String(quota.retryAfterSeconds) },
    });
}
