// The OAuth client: builds the URL at which a sign-in begins, and exchanges the resulting code for a profile (RFC 6749
// and 7636). Every answer of a provider yields a profile, ProviderError or JsonError.
import { createHash } from "node:crypto";
import { Email } from "#accounts/users/contract.js";
import { validatorFor } from "#platform/http/validation.js";
import { askForJson } from "#platform/outbound/json.js";
import { type ConfiguredProvider, type Profile, ProviderError } from "./known-providers.js";

export function authorizeUrl(
  { authorizeUrl, client, scope }: ConfiguredProvider,
  flow: { redirectUri: string; state: string; codeVerifier: string },
): string {
  const url = new URL(authorizeUrl);
  url.search = new URLSearchParams({
    response_type: "code",
    client_id: client.clientId,
    redirect_uri: flow.redirectUri,
    scope,
    state: flow.state,
    code_challenge: createHash("sha256").update(flow.codeVerifier).digest("base64url"),
    code_challenge_method: "S256",
  }).toString();
  return url.href;
}

export interface CodeGrant {
  code: string;
  codeVerifier: string;
  /** Must be identical to the value sent at the beginning. */
  redirectUri: string;
}

/** Returns the account that approved the sign-in. The access token is used only for this and then discarded. */
export async function fetchProfile(
  provider: ConfiguredProvider,
  grant: CodeGrant,
  timeoutMs: number,
): Promise<Profile> {
  const token = await exchangeCode(provider, grant, timeoutMs);
  const authorization = { authorization: `Bearer ${token}` };
  const answers = await Promise.all(
    provider.profileUrls.map((url) => askForJson(url, { headers: authorization }, timeoutMs)),
  );
  return checked(provider.toProfile(answers));
}

async function exchangeCode(
  { tokenUrl, client }: ConfiguredProvider,
  { code, codeVerifier, redirectUri }: CodeGrant,
  timeoutMs: number,
): Promise<string> {
  const body = new URLSearchParams({
    grant_type: "authorization_code",
    code,
    redirect_uri: redirectUri,
    code_verifier: codeVerifier,
    // The credentials are in the body rather than in a Basic header: all four providers accept that, and GitHub accepts
    // nothing else.
    client_id: client.clientId,
    client_secret: client.clientSecret,
  });
  const answer = await askForJson(tokenUrl, { method: "POST", body }, timeoutMs);
  const { access_token, token_type } = (answer ?? {}) as Record<string, unknown>;
  // GitHub reports errors with status 200.
  if (typeof access_token !== "string" || !/^[\x21-\x7e]{1,4096}$/.test(access_token))
    throw new ProviderError("The provider returned no access token for the code");
  if (typeof token_type !== "string" || token_type.toLowerCase() !== "bearer")
    throw new ProviderError("The provider returned a token of an unsupported type");
  return access_token;
}

/** The stored parts of a profile must be text that both databases accept. */
function checked(profile: Profile): Profile {
  if (!/^[\x21-\x7e]{1,255}$/.test(profile.id)) throw new ProviderError("The id of the account cannot be used");
  const isEmail = profile.email !== undefined && validatorFor("body", Email)(profile.email);
  return { ...profile, email: isEmail ? profile.email : undefined };
}
