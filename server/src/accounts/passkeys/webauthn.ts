// The questions to a browser's authenticator and the check of its answers (WebAuthn). Knows no database.
import { isIP } from "node:net";
import { fromJson } from "#lib/json.js";
import type { Random } from "#lib/random.js";
import type { Row } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";

export interface NewCredential {
  id: string;
  publicKey: Uint8Array;
  counter: number;
  transports: string[];
}

/** Loaded when the first passkey is used: its certificate parsers would slow down every start. */
const library = () => import("@simplewebauthn/server");

const challengeBytes = 32;
/** EdDSA, ES256 and RS256: every authenticator knows one of them. */
const algorithms = [-8, -7, -257];
const hostOf = (siteUrl: string): string => new URL(siteUrl).hostname;
const newChallenge = (random: Random) => new Uint8Array(random.bytes(challengeBytes));

/** Passkeys are bound to a host name, so a site that is reached by an IP address cannot have them. */
export const canHavePasskeys = (siteUrl: string): boolean => isIP(hostOf(siteUrl).replace(/^\[|\]$/g, "")) === 0;

const asDescriptors = (passkeys: readonly Row<"passkeys">[]) =>
  passkeys.map((each) => ({ id: each.credential_id, transports: fromJson(each.transports) }));

export const askForNewPasskey = async (
  { siteUrl, siteName }: { siteUrl: string; siteName: string },
  random: Random,
  user: { id: string; userName: string },
  existing: readonly Row<"passkeys">[],
) =>
  (await library()).generateRegistrationOptions({
    rpName: siteName,
    rpID: hostOf(siteUrl),
    userName: user.userName,
    userID: new TextEncoder().encode(user.id),
    challenge: newChallenge(random),
    attestationType: "none",
    supportedAlgorithmIDs: algorithms,
    excludeCredentials: asDescriptors(existing),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });

export const askForPasskey = async (siteUrl: string, random: Random) =>
  (await library()).generateAuthenticationOptions({
    rpID: hostOf(siteUrl),
    challenge: newChallenge(random),
    userVerification: "required",
  });

const expected = (siteUrl: string, challenge: string) => ({
  expectedChallenge: challenge,
  expectedOrigin: new URL(siteUrl).origin,
  expectedRPID: hostOf(siteUrl),
  requireUserVerification: true,
});

/** The credential id that an answer names; undefined if the text is not an answer. */
export function credentialIdOf(answer: string): string | undefined {
  try {
    const { id } = JSON.parse(answer) as { id?: unknown };
    return typeof id === "string" ? id : undefined;
  } catch {
    // The text is not JSON, so the site's own script did not send it.
    return undefined;
  }
}

export async function checkNewPasskey(siteUrl: string, challenge: string, answer: string): Promise<NewCredential> {
  const result = await trying(async () =>
    (await library()).verifyRegistrationResponse({
      response: JSON.parse(answer),
      ...expected(siteUrl, challenge),
      supportedAlgorithmIDs: algorithms,
    }),
  );
  if (!result?.verified || !result.registrationInfo) throw fail.passkeyRefused();
  const { id, publicKey, counter, transports = [] } = result.registrationInfo.credential;
  return { id, publicKey, counter, transports };
}

/** Returns the authenticator's new counter. */
export async function checkPasskey(
  siteUrl: string,
  challenge: string,
  answer: string,
  passkey: Row<"passkeys">,
): Promise<number> {
  const result = await trying(async () =>
    (await library()).verifyAuthenticationResponse({
      response: JSON.parse(answer),
      ...expected(siteUrl, challenge),
      credential: {
        id: passkey.credential_id,
        publicKey: new Uint8Array(passkey.public_key),
        counter: passkey.counter,
        transports: fromJson(passkey.transports),
      },
    }),
  );
  if (!result?.verified) throw fail.passkeyRefused();
  return result.authenticationInfo.newCounter;
}

/** The library throws for every kind of wrong answer; the visitor gets the same refusal for all of them. */
async function trying<T>(check: () => Promise<T>): Promise<T | undefined> {
  try {
    return await check();
  } catch {
    return undefined;
  }
}
