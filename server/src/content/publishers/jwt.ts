// JSON web tokens that other services sign (RFC 7515, 7519), for checking only. One algorithm, so that no token can choose
// how it is checked: RS256, with keys of 2048 bits or more.
import { createPublicKey, type JsonWebKeyInput, type KeyObject, verify } from "node:crypto";

export type Claims = Readonly<Record<string, unknown>>;

/** What a token says, believed by nobody until isSignedWith has said yes. */
export interface ReadJwt {
  keyId: string;
  claims: Claims;
  isSignedWith(key: KeyObject): boolean;
}

const form = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/;
const smallestModulus = 2048;

/** Undefined where it is none, or not of the one kind that we check. */
export function readJwt(text: string): ReadJwt | undefined {
  const [, head = "", body = "", signature = ""] = form.exec(text) ?? [];
  const header = readObject(head);
  const claims = readObject(body);
  if (!header || !claims) return undefined;
  const { alg, kid, crit } = header;
  // "crit" names rules that whoever does not know them must not pass over.
  if (alg !== "RS256" || typeof kid !== "string" || kid.length > 255 || crit !== undefined) return undefined;
  return {
    keyId: kid,
    claims,
    isSignedWith: (key) =>
      verify("RSA-SHA256", Buffer.from(`${head}.${body}`), key, Buffer.from(signature, "base64url")),
  };
}

function readObject(part: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

/** The keys of a set (RFC 7517) by their ids; those that cannot be used are left out. */
export function readKeySet(document: unknown): Map<string, KeyObject> {
  const { keys } = (document ?? {}) as { keys?: unknown };
  const found = new Map<string, KeyObject>();
  for (const entry of Array.isArray(keys) ? keys.slice(0, 100) : []) {
    const key = readKey(entry);
    if (key) found.set(entry.kid, key);
  }
  return found;
}

function readKey(entry: unknown): KeyObject | undefined {
  const { kty, kid, use = "sig", alg = "RS256" } = (entry ?? {}) as Record<string, unknown>;
  if (kty !== "RSA" || typeof kid !== "string" || use !== "sig" || alg !== "RS256") return undefined;
  try {
    const key = createPublicKey({ key: entry as JsonWebKeyInput["key"], format: "jwk" });
    return (key.asymmetricKeyDetails?.modulusLength ?? 0) >= smallestModulus ? key : undefined;
  } catch {
    return undefined;
  }
}
