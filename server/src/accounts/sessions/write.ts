// Beginning and ending sessions.

import { noteFamiliarAddress } from "#accounts/users/failures.js";
import { limitKey } from "#lib/client-address.js";
import { newId } from "#lib/random.js";
import { newSecretToken, tokenDigest } from "#lib/secret-token.js";
import type { Tx } from "#platform/changes/write.js";
import { fail } from "#platform/errors.js";
import { powersEnd } from "#platform/http/staff-powers.js";
import type { SessionViewer } from "#platform/http/viewer.js";
import { sessionExpiry } from "./policy.js";
import { takeStep } from "./steps.js";

export interface SessionOrigin {
  provider: string;
  address: string;
  userAgent: string | undefined;
  /** Whether the sign-in included a second factor, or a passkey. */
  secondFactor?: boolean;
}

const maxUserAgent = 512;

/** Returns the token for the cookie; only its digest is stored. */
export async function createSession(tx: Tx, userId: string, origin: SessionOrigin): Promise<string> {
  const token = newSecretToken("mss_", tx.random);
  const id = newId(tx.random);
  const userAgent = origin.userAgent?.slice(0, maxUserAgent) ?? null;
  if (await isUnknownPlace(tx, userId, origin.address, userAgent)) tx.enqueue("mail-new-session", { sessionId: id });
  await tx.db
    .insertInto("sessions")
    .values({
      id,
      user_id: userId,
      token_digest: tokenDigest(token),
      provider: origin.provider,
      date_created: tx.now,
      date_authenticated: tx.now,
      date_last_active: tx.now,
      date_expires: sessionExpiry(tx.now, tx.now),
      address: origin.address,
      user_agent: userAgent,
      passed_second_factor: origin.secondFactor ? 1 : 0,
      date_powers_end: powersEnd(tx.now),
    })
    .execute();
  await noteFamiliarAddress(tx, userId, limitKey(origin.address));
  tx.audit("session.create", { kind: "session", id }, { userId, provider: origin.provider });
  tx.changed("session", id);
  return token;
}

/**
 * Users are not notified of the sign-in that is part of their sign-up, or of one from a place where they are already
 * signed in.
 */
async function isUnknownPlace({ db, now }: Tx, userId: string, address: string, userAgent: string | null) {
  const { date_joined, known } = await db
    .selectFrom("users")
    .select("date_joined")
    .select((select) =>
      select
        .selectFrom("sessions")
        .select(db.fn.countAll<number>().as("count"))
        .where("user_id", "=", userId)
        .where("address", "=", address)
        .where("user_agent", userAgent === null ? "is" : "=", userAgent)
        .as("known"),
    )
    .where("id", "=", userId)
    .executeTakeFirstOrThrow();
  return date_joined !== now && !known;
}

/** The user has proved their identity again: the powers of their role are in force. */
export async function confirmSession(tx: Tx, { user, sessionId }: SessionViewer, secondFactor: boolean): Promise<void> {
  await tx.db
    .updateTable("sessions")
    .set({
      date_authenticated: tx.now,
      passed_second_factor: secondFactor ? 1 : 0,
      date_powers_end: powersEnd(tx.now),
    })
    .where("id", "=", sessionId)
    .execute();
  tx.audit("session.confirm", { kind: "session", id: sessionId }, { userId: user.id, secondFactor });
}

export async function deleteSession(tx: Tx, userId: string, sessionId: string): Promise<void> {
  if (!(await endSession(tx, userId, sessionId))) throw fail.sessionNotFound();
}

/** Returns whether there was one. */
export async function endSession(tx: Tx, userId: string, sessionId: string): Promise<boolean> {
  const { numDeletedRows } = await tx.db
    .deleteFrom("sessions")
    .where("id", "=", sessionId)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  if (numDeletedRows === 0n) return false;
  tx.audit("session.end", { kind: "session", id: sessionId }, { userId });
  tx.changed("session", sessionId);
  return true;
}

/** Takes the code of a mail about a new sign-in; returns whether the session still existed. */
export async function endSessionByCode(tx: Tx, code: string): Promise<boolean> {
  const step = await takeStep(tx, "end_session", code);
  return step?.user_id && step.challenge ? endSession(tx, step.user_id, step.challenge) : false;
}

export async function deleteOtherSessions(tx: Tx, userId: string, keepId: string): Promise<number> {
  const ended = await tx.db
    .deleteFrom("sessions")
    .where("user_id", "=", userId)
    .where("id", "!=", keepId)
    .returning("id")
    .execute();
  for (const { id } of ended) tx.changed("session", id);
  tx.audit("session.end.others", { kind: "user", id: userId }, { count: ended.length });
  return ended.length;
}
