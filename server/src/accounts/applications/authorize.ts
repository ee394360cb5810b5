// The authorization request that a browser brings from an application (RFC 6749, 7636, 9207), and the code that it takes
// back.
import type { Kysely } from "kysely";
import { fromJson, toJson } from "#lib/json.js";
import { newId } from "#lib/random.js";
import { isScope, type Scope, sortScopes } from "#lib/scopes.js";
import { newSecretToken, tokenDigest } from "#lib/secret-token.js";
import type { Tx } from "#platform/changes/write.js";
import type { Tables } from "#platform/db/tables.js";
import { codeLifeMs, splitScopes } from "./policy.js";
import { type Application, findApplication } from "./read.js";
import { isRegistered, withParameters } from "./redirect-uris.js";

export const requestParameters = [
  "response_type",
  "client_id",
  "redirect_uri",
  "scope",
  "state",
  "code_challenge",
  "code_challenge_method",
] as const;

type Given = Partial<Record<(typeof requestParameters)[number], string | readonly string[]>>;

/** A request that may be granted. */
export interface AuthorizationRequest {
  application: Application;
  redirectUri: string;
  scopes: Scope[];
  state: string | undefined;
  codeChallenge: string;
}

/** Problems that are shown on a page: until the destination is known to be the application's, nothing is sent there. */
export type PageProblem = "unknownApplication" | "wrongDestination" | "suspended";

export type ReadRequest =
  | { kind: "valid"; request: AuthorizationRequest }
  | { kind: "shown"; problem: PageProblem }
  | { kind: "sentBack"; location: string };

const challengeForm = /^[A-Za-z0-9_-]{43}$/;
const longestState = 1000;

/** `issuer`: the URL of this site. */
export async function readRequest(db: Kysely<Tables>, given: Given, issuer: string): Promise<ReadRequest> {
  const { client_id: id, redirect_uri: redirectUri, state } = given;
  const application = typeof id === "string" && id.length <= 64 ? await findApplication(db, id) : undefined;
  if (!application) return { kind: "shown", problem: "unknownApplication" };
  if (typeof redirectUri !== "string" || !isRegistered(application.redirectUris, redirectUri))
    return { kind: "shown", problem: "wrongDestination" };
  if (application.isBarred) return { kind: "shown", problem: "suspended" };

  const plainState = typeof state === "string" && state.length <= longestState ? state : undefined;
  const sendBack = (error: string, description: string): ReadRequest => ({
    kind: "sentBack",
    location: withParameters(redirectUri, { error, error_description: description, state: plainState, iss: issuer }),
  });
  const repeated = requestParameters.find((name) => given[name] !== undefined && typeof given[name] !== "string");
  if (repeated) return sendBack("invalid_request", `${repeated} occurs more than once`);
  if (state !== plainState) return sendBack("invalid_request", `state is longer than ${longestState} characters`);
  if (given.response_type === undefined) return sendBack("invalid_request", "response_type is missing");
  if (given.response_type !== "code") return sendBack("unsupported_response_type", "response_type must be code");
  if (given.code_challenge_method !== "S256")
    return sendBack("invalid_request", "PKCE is required: code_challenge_method must be S256");
  const codeChallenge = given.code_challenge as string | undefined;
  if (codeChallenge === undefined || !challengeForm.test(codeChallenge))
    return sendBack("invalid_request", "code_challenge must be a SHA-256 hash in base64url, without padding");
  const names = splitScopes((given.scope as string | undefined) ?? "");
  if (!names) return sendBack("invalid_scope", "scope must be one or more names, separated by spaces");
  const excess = names.find((name) => !(application.scopes as string[]).includes(name));
  if (excess) return sendBack("invalid_scope", `The application is not registered for the scope ${excess}`);
  const scopes = sortScopes(names.filter(isScope));
  return { kind: "valid", request: { application, redirectUri, scopes, state: plainState, codeChallenge } };
}

/**
 * Whether the user has agreed to all of this before. A public application always has to ask: any program can pretend to be
 * it.
 */
export async function isGrantedBefore(
  db: Kysely<Tables>,
  userId: string,
  { application, scopes }: AuthorizationRequest,
  now: number,
): Promise<boolean> {
  if (application.secretDigest === null) return false;
  const grants = await db
    .selectFrom("application_grants")
    .select("scopes")
    .where("user_id", "=", userId)
    .where("application_id", "=", application.id)
    .where("date_redeemed", "is not", null)
    .where("date_expires", ">", now)
    .execute();
  return grants.some((grant) => {
    const agreed = fromJson(grant.scopes);
    return scopes.every((scope) => agreed.includes(scope));
  });
}

/** Returns where the browser takes the code. */
export async function grantRequest(
  tx: Tx,
  userId: string,
  { application, redirectUri, scopes, state, codeChallenge }: AuthorizationRequest,
  issuer: string,
): Promise<string> {
  const { id, name } = application;
  const code = newSecretToken("msc_", tx.random);
  await tx.db
    .insertInto("application_grants")
    .values({
      ...{ id: newId(tx.random), application_id: id, user_id: userId, scopes: toJson(scopes) },
      ...{ code_digest: tokenDigest(code), code_challenge: codeChallenge, redirect_uri: redirectUri },
      ...{ date_created: tx.now, date_redeemed: null, date_expires: tx.now + codeLifeMs },
      ...{ family_digest: null, refresh_digest: null, date_last_used: null },
    })
    .execute();
  tx.audit("application.connect", { kind: "application", id }, { name, scopes });
  return withParameters(redirectUri, { code, state, iss: issuer });
}

/** Where the browser goes if the user refuses. */
export const refuseRequest = ({ redirectUri, state }: AuthorizationRequest, issuer: string): string =>
  withParameters(redirectUri, {
    error: "access_denied",
    error_description: "The user refused",
    state,
    iss: issuer,
  });
