// The use cases: storing a sign-in that has begun, and finishing it with the provider's account.

import { hasSecondFactor } from "#accounts/second-factor/read.js";
import { createStep } from "#accounts/sessions/steps.js";
import { createSession, type SessionOrigin } from "#accounts/sessions/write.js";
import { takeInvite } from "#accounts/users/invite-codes.js";
import { canSignIn } from "#accounts/users/policy.js";
import { findAccountByLogin, hasPasskey } from "#accounts/users/read.js";
import { createAccount } from "#accounts/users/write.js";
import { newId } from "#lib/random.js";
import { newSecretToken, readSecretToken, tokenDigest } from "#lib/secret-token.js";
import { type Actor, type Tx, type Writing, write } from "#platform/changes/write.js";
import { brokenUnique } from "#platform/db/dialect.js";
import type { Row } from "#platform/db/tables.js";
import { Failure, fail } from "#platform/errors.js";
import type { Profile, Provider, ProviderName } from "./known-providers.js";
import { canBeUserName, flowLifeMs, type Intent, toUserName, withSuffix } from "./policy.js";
import { findLinkedUser, listLinkedAccounts } from "./read.js";

const verifierBytes = 32;

/** Returns the secrets of the flow: the state goes into the provider's URL, the verifier only to the provider. */
export async function createFlow(
  tx: Tx,
  flow: {
    intent: Intent;
    provider: ProviderName;
    browserDigest: Uint8Array;
    userId: string | null;
    next: string | null;
    inviteDigest: Uint8Array | null;
  },
): Promise<{ state: string; codeVerifier: string }> {
  const state = newSecretToken("msc_", tx.random);
  const codeVerifier = tx.random.bytes(verifierBytes).toString("base64url");
  await tx.db
    .insertInto("oauth_flows")
    .values({
      state_digest: tokenDigest(state),
      browser_digest: flow.browserDigest,
      provider: flow.provider,
      intent: flow.intent,
      code_verifier: codeVerifier,
      user_id: flow.userId,
      date_expires: tx.now + flowLifeMs,
      next: flow.next,
      invite_digest: flow.inviteDigest,
    })
    .execute();
  return { state, codeVerifier };
}

/** Uses the state up, regardless of the outcome. */
export async function takeFlow(tx: Tx, state: string): Promise<Row<"oauth_flows"> | undefined> {
  const digest = readSecretToken(state)?.digest;
  if (!digest) return undefined;
  return tx.db.deleteFrom("oauth_flows").where("state_digest", "=", digest).returningAll().executeTakeFirst();
}

/** A visitor who signs in: their account at a provider, and the origin of the session. */
export interface Arrival {
  provider: Provider & { name: ProviderName };
  profile: Profile;
  origin: SessionOrigin;
}

/** The result of a sign-in: a session, or the question for the second factor. */
export type Entry = { token: string } | { step: string };

/** Undefined if the provider's account is not linked to a user. */
export async function signInLinked(tx: Tx, { provider, profile, origin }: Arrival): Promise<Entry | undefined> {
  const user = await findLinkedUser(tx.db, provider.name, profile.id);
  if (!user) return undefined;
  if (!canSignIn(user)) throw fail.accountSuspended();
  // The provider confirms the first factor only: a user with a second factor is asked for it however they sign in.
  if (await hasSecondFactor(tx.db, user.id))
    return { step: await createStep(tx, "second_factor", { userId: user.id, provider: provider.name }) };
  return { token: await createSession(tx, user.id, origin) };
}

/** Whether registration is open, and the invite code of this visitor otherwise. */
interface Door {
  isOpen: boolean;
  /** The digest of an invite code. */
  invite: Uint8Array | null;
}

/** Signs in if the account is linked, otherwise creates a user. */
export async function signUp(to: Writing, actor: Actor, arrival: Arrival, door: Door): Promise<Entry> {
  const attempt = () => write(to, actor, (tx) => signInOrUp(tx, arrival, door));
  try {
    return await attempt();
  } catch (error) {
    // Another request, perhaps of the same visitor in a second tab, has just taken the name, the email or the link. On
    // a second attempt the link signs in, the name gets a suffix, and only the email of another account is refused.
    if (error instanceof Failure && raceLosses.has(error.code)) return attempt();
    throw error;
  }
}

const raceLosses: ReadonlySet<string> = new Set(["userNameTaken", "emailTaken", "providerAccountTaken"]);

async function signInOrUp(tx: Tx, arrival: Arrival, { isOpen, invite }: Door): Promise<Entry> {
  const { provider, profile, origin } = arrival;
  const entry = await signInLinked(tx, arrival);
  if (entry) return entry;
  if (!isOpen && !invite) throw fail.registrationClosed();
  if (!isOpen) await takeInvite(tx, invite!);
  if (profile.email === undefined) throw fail.providerEmailMissing(provider.title);
  const userName = await chooseUserName(tx, profile.name);
  // An account with this email is not linked silently: the mailbox may have a new owner.
  const email = profile.email;
  const userId = await createAccount(tx, { userName, email, emailVerified: true, passwordHash: null, role: "user" });
  await addLink(tx, userId, provider, profile);
  return { token: await createSession(tx, userId, origin) };
}

async function chooseUserName(tx: Tx, name: string): Promise<string> {
  const wanted = toUserName(name);
  const isFree = async (userName: string) => !(await findAccountByLogin(tx.db, userName));
  if (canBeUserName(wanted) && (await isFree(wanted))) return wanted;
  for (;;) {
    const candidate = withSuffix(wanted, newId(tx.random).slice(0, 5).toLowerCase());
    if (await isFree(candidate)) return candidate;
  }
}

/** Checks the session again: it may have ended while the provider was called. */
export async function linkAccount(
  tx: Tx,
  { userId, sessionId }: { userId: string; sessionId: string },
  { provider, profile }: Omit<Arrival, "origin">,
): Promise<void> {
  const account = await lockAccount(tx, userId);
  const session = await tx.db.selectFrom("sessions").select("id").where("id", "=", sessionId).executeTakeFirst();
  if (!session || !account || !canSignIn(account)) throw fail.freshSessionNeeded();
  if (profile.email === undefined) throw fail.providerEmailMissing(provider.title);
  await addLink(tx, userId, provider, profile);
}

async function addLink(tx: Tx, userId: string, { name, title }: Arrival["provider"], profile: Profile): Promise<void> {
  const id = newId(tx.random);
  try {
    await tx.db
      .insertInto("linked_accounts")
      .values({
        id,
        user_id: userId,
        provider: name,
        provider_account_id: profile.id,
        provider_email: profile.email?.toLowerCase() ?? null,
        date_linked: tx.now,
      })
      .execute();
  } catch (error) {
    const broken = brokenUnique(error);
    if (broken === "linked_accounts_provider_provider_account_id") throw fail.providerAccountTaken(title);
    if (broken === "linked_accounts_user_id_provider") throw fail.providerLinked(title);
    throw error;
  }
  tx.audit("user.provider.link", { kind: "user", id: userId }, { provider: name, accountId: profile.id });
  tx.changed("user", userId);
}

/** `usable`: the providers that are set up here. A link to any other provider is not a way to sign in. */
export async function unlinkAccount(
  tx: Tx,
  userId: string,
  provider: { name: string; title: string },
  usable: readonly string[],
): Promise<void> {
  const account = await lockAccount(tx, userId);
  const linked = await listLinkedAccounts(tx.db, userId);
  const link = linked.find((each) => each.provider === provider.name);
  if (!link) throw fail.providerNotLinked(provider.title);
  const hasOther = linked.some((each) => each !== link && usable.includes(each.provider));
  if (!account?.password_hash && !hasOther && !(await hasPasskey(tx.db, userId))) throw fail.lastSignInMethod();
  await tx.db.deleteFrom("linked_accounts").where("id", "=", link.id).execute();
  const detail = { provider: link.provider, accountId: link.provider_account_id };
  tx.audit("user.provider.unlink", { kind: "user", id: userId }, detail);
  tx.changed("user", userId);
}

/**
 * Locks the user's row until the transaction ends, so that two concurrent removals cannot remove the last two ways to
 * sign in.
 */
const lockAccount = (tx: Tx, userId: string) =>
  tx.db
    .updateTable("users")
    .set((row) => ({ role: row.ref("role") }))
    .where("id", "=", userId)
    .returning(["password_hash", "date_suspended"])
    .executeTakeFirst();
