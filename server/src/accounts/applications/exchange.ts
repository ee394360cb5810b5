// Codes and refresh tokens in exchange for access tokens, which are ordinary tokens of the user with few scopes and a short
// life: everything that checks, limits and revokes tokens applies to them.
import { createHash, timingSafeEqual } from "node:crypto";
import { insertToken } from "#accounts/tokens/write.js";
import { fromJson } from "#lib/json.js";
import type { Scope } from "#lib/scopes.js";
import { newSecretToken, readSecretToken, tokenDigest } from "#lib/secret-token.js";
import { type Actor, type Tx, type Writing, write } from "#platform/changes/write.js";
import { keepUsers } from "#platform/db/dialect.js";
import type { Row } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import { accessLifeMs, maxConnections, refreshLifeMs, splitScopes } from "./policy.js";
import type { Application } from "./read.js";
import { noteDisconnection } from "./write.js";

export interface IssuedTokens {
  accessToken: string;
  refreshToken: string;
  scopes: Scope[];
}

type Grant = Row<"application_grants">;

/** The second use of a code or refresh token: one of the two users is a thief, so the connection has ended. */
const replayed = Symbol("replayed");

/** The end of a connection is committed before the refusal is thrown. */
async function orRefuse(
  resources: Writing,
  actor: Actor,
  work: (tx: Tx) => Promise<IssuedTokens | typeof replayed>,
): Promise<IssuedTokens> {
  const result = await write(resources, actor, work);
  if (result === replayed) throw fail.grantInvalid();
  return result;
}

export interface CodeInput {
  code: string;
  redirectUri: string;
  codeVerifier: string;
}

export const redeemCode = (
  resources: Writing,
  actor: Actor,
  application: Application,
  { code, redirectUri, codeVerifier }: CodeInput,
): Promise<IssuedTokens> =>
  orRefuse(resources, actor, async (tx) => {
    const secret = readSecretToken(code);
    const grant = secret?.kind === "code" ? await findGrant(tx, "code_digest", secret.digest) : undefined;
    if (grant?.application_id !== application.id) throw fail.grantInvalid();
    if (grant.date_redeemed !== null) return endReplayed(tx, grant);
    if (grant.date_expires <= tx.now || grant.redirect_uri !== redirectUri) throw fail.grantInvalid();
    if (!isVerifierOf(grant.code_challenge, codeVerifier)) throw fail.grantInvalid();
    const family = newSecretToken("msr_", tx.random);
    const refresh = newSecretToken("msr_", tx.random);
    const { numUpdatedRows } = await tx.db
      .updateTable("application_grants")
      .set({ date_redeemed: tx.now, family_digest: tokenDigest(family), ...renewal(tx, refresh) })
      .where("id", "=", grant.id)
      .where("date_redeemed", "is", null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return endReplayed(tx, grant);
    await endOldest(tx, grant);
    return issue(tx, application, grant, fromJson(grant.scopes), `${family}.${refresh}`);
  });

/** `scope`: fewer scopes than the user has agreed to; undefined for all of them. */
export const redeemRefreshToken = (
  resources: Writing,
  actor: Actor,
  application: Application,
  { refreshToken, scope }: { refreshToken: string; scope: string | undefined },
): Promise<IssuedTokens> =>
  orRefuse(resources, actor, async (tx) => {
    const sent = readRefreshToken(refreshToken);
    const grant = sent && (await findGrant(tx, "family_digest", sent.family));
    if (!sent || grant?.application_id !== application.id || grant.date_expires <= tx.now) throw fail.grantInvalid();
    const agreed = fromJson(grant.scopes);
    const names = scope === undefined ? agreed : splitScopes(scope);
    const excess = names?.find((name) => !(agreed as string[]).includes(name));
    if (!names || excess !== undefined) throw fail.scopesNotGranted(excess ?? "");
    const refresh = newSecretToken("msr_", tx.random);
    const { numUpdatedRows } = await tx.db
      .updateTable("application_grants")
      .set(renewal(tx, refresh))
      .where("id", "=", grant.id)
      .where("refresh_digest", "=", sent.current)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return endReplayed(tx, grant);
    const scopes = agreed.filter((name) => names.includes(name));
    return issue(tx, application, grant, scopes, `${sent.handle}.${refresh}`);
  });

/** Ends the connection that the token belongs to. Unknown tokens, and those of other applications, are ignored. */
export async function revokeByToken(tx: Tx, application: Application, token: string): Promise<void> {
  const refresh = readRefreshToken(token);
  const secret = readSecretToken(token);
  const access =
    secret?.kind === "pat"
      ? await tx.db.selectFrom("tokens").select("grant_id").where("token_digest", "=", secret.digest).executeTakeFirst()
      : undefined;
  const [column, value] = refresh
    ? (["family_digest", refresh.family] as const)
    : (["id", access?.grant_id ?? ""] as const);
  const ended = await tx.db
    .deleteFrom("application_grants")
    .where(column, "=", value)
    .where("application_id", "=", application.id)
    .returning("user_id")
    .executeTakeFirst();
  if (ended) await noteDisconnection(tx, "application.disconnect", ended.user_id, application.id);
}

/** Grants of suspended users are not found. */
const findGrant = (
  { db }: Tx,
  column: "code_digest" | "family_digest",
  digest: Uint8Array,
): Promise<Grant | undefined> =>
  db
    .selectFrom("application_grants")
    .innerJoin("users", "users.id", "application_grants.user_id")
    .selectAll("application_grants")
    .where(`application_grants.${column}`, "=", digest)
    .where("users.date_suspended", "is", null)
    .modifyEnd(keepUsers(db))
    .executeTakeFirst();

/** The first part finds the connection, also for a token that was used before; the second changes with every use. */
function readRefreshToken(text: string) {
  const [handle = "", current = "", ...more] = text.split(".", 3);
  const [family, secret] = [readSecretToken(handle), readSecretToken(current)];
  if (family?.kind !== "refresh" || secret?.kind !== "refresh" || more.length > 0) return undefined;
  return { handle, family: family.digest, current: secret.digest };
}

const verifierForm = /^[A-Za-z0-9._~-]{43,128}$/;

function isVerifierOf(challenge: string, verifier: string): boolean {
  if (!verifierForm.test(verifier)) return false;
  const hash = createHash("sha256").update(verifier).digest("base64url");
  return timingSafeEqual(Buffer.from(hash), Buffer.from(challenge));
}

const renewal = ({ now }: Tx, refresh: string) => ({
  refresh_digest: tokenDigest(refresh),
  date_last_used: now,
  date_expires: now + refreshLifeMs,
});

async function endReplayed(tx: Tx, { id, user_id, application_id }: Grant): Promise<typeof replayed> {
  await tx.db.deleteFrom("application_grants").where("id", "=", id).execute();
  await noteDisconnection(tx, "application.replay", user_id, application_id);
  return replayed;
}

/** Makes room for a new connection of the user with the same application. */
async function endOldest({ db }: Tx, { user_id, application_id }: Grant): Promise<void> {
  const excess = db
    .selectFrom("application_grants")
    .select("id")
    .where("user_id", "=", user_id)
    .where("application_id", "=", application_id)
    .where("date_redeemed", "is not", null)
    .orderBy("date_last_used", "desc")
    .orderBy("id")
    .limit(maxConnections)
    .offset(maxConnections);
  await db.deleteFrom("application_grants").where("id", "in", excess).execute();
}

/** The previous access token ends: a connection has one at a time. */
async function issue(
  tx: Tx,
  application: Application,
  grant: Grant,
  agreed: readonly Scope[],
  refreshToken: string,
): Promise<IssuedTokens> {
  await tx.db.deleteFrom("tokens").where("grant_id", "=", grant.id).execute();
  // The owner of the application may have given up some of its scopes since the user agreed.
  const scopes = agreed.filter((scope) => application.scopes.includes(scope));
  const { value } = await insertToken(tx, grant.user_id, {
    ...{ name: application.name, scopes, grantId: grant.id },
    dateExpires: tx.now + accessLifeMs,
  });
  return { accessToken: value, refreshToken, scopes };
}
