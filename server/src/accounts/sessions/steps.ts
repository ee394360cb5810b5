// Unfinished sign-ins: second factor, passkey, links that end a session. The holder of a step's code can finish it
// once.

import { newSecretToken, readSecretToken, tokenDigest } from "#lib/secret-token.js";
import type { Tx } from "#platform/changes/write.js";
import type { Db, Row } from "#platform/db/tables.js";
import { readCookie, setCookie } from "#platform/http/cookies.js";
import type { Call } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";

export type StepKind = Row<"sign_in_steps">["kind"];
export const stepLifeMs = 10 * 60 * 1000;
/** Mails are read later. */
const stepLives: Record<StepKind, number> = {
  second_factor: stepLifeMs,
  passkey_sign_in: stepLifeMs,
  passkey_add: stepLifeMs,
  end_session: 7 * 24 * 60 * 60 * 1000,
};

export async function createStep(
  tx: Tx,
  kind: StepKind,
  {
    userId = null,
    challenge = null,
    provider = null,
  }: Partial<Record<"userId" | "challenge" | "provider", string | null>>,
): Promise<string> {
  const code = newSecretToken("msc_", tx.random);
  await tx.db
    .insertInto("sign_in_steps")
    .values({
      digest: tokenDigest(code),
      kind,
      user_id: userId,
      challenge,
      provider,
      date_expires: tx.now + stepLives[kind],
    })
    .execute();
  return code;
}

/** Does not use the step up, so that the user can correct a wrong answer. */
export async function findStep(
  db: Db,
  kind: StepKind,
  code: string,
  now: number,
): Promise<Row<"sign_in_steps"> | undefined> {
  const digest = readSecretToken(code)?.digest;
  if (!digest) return undefined;
  return db
    .selectFrom("sign_in_steps")
    .selectAll()
    .where("digest", "=", digest)
    .where("kind", "=", kind)
    .where("date_expires", ">", now)
    .executeTakeFirst();
}

/** Uses the step up; undefined if the code is wrong, used or expired. */
export async function takeStep(tx: Tx, kind: StepKind, code: string): Promise<Row<"sign_in_steps"> | undefined> {
  const digest = readSecretToken(code)?.digest;
  if (!digest) return undefined;
  return tx.db
    .deleteFrom("sign_in_steps")
    .where("digest", "=", digest)
    .where("kind", "=", kind)
    .where("date_expires", ">", tx.now)
    .returningAll()
    .executeTakeFirst();
}

/** The page that asks for the second factor; the step's cookie gives access to it. */
export const secondFactorPath = (next: string): string => `/auth/second-factor?next=${encodeURIComponent(next)}`;

const stepCookie = "sign-in-step";

/** For browsers that return from a provider: the code must not be part of a URL. An empty code removes the cookie. */
export function giveStepCookie({ reply }: Pick<Call, "reply">, { config }: Resources, code: string): void {
  const secure = config.http.url.startsWith("https:");
  setCookie(reply, stepCookie, code, { maxAgeSeconds: code === "" ? 0 : stepLifeMs / 1000, secure, path: "/auth" });
}

export const stepCodeOf = ({ request }: Pick<Call, "request">): string | undefined =>
  readCookie(request.headers.cookie, stepCookie);
