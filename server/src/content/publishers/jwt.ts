// JSON web tokens that other services sign (RFC 7515, 7519), for verification only. There is one algorithm, RS256 with keys
// of 2048 bits or more, so that no token can choose how it is verified.
import { type CryptoKey, compactVerify, decodeJwt, decodeProtectedHeader, errors, importJWK, type JWK } from "jose";

export type Claims = Readonly<Record<string, unknown>>;

/** The content of a token. Do not trust it before `isSignedWith` has returned true. */
export interface ReadJwt {
  keyId: string;
  claims: Claims;
  isSignedWith(key: CryptoKey): Promise<boolean>;
}

const algorithm = "RS256";
const minModulusBits = 2048;

/** Undefined if the text is not a token of the accepted kind. */
export function readJwt(text: string): ReadJwt | undefined {
  try {
    const { alg, kid, crit } = decodeProtectedHeader(text);
    // "crit" lists extensions that a reader must understand. None are supported here.
    if (alg !== algorithm || typeof kid !== "string" || kid.length > 255 || crit !== undefined) return undefined;
    return { keyId: kid, claims: decodeJwt(text), isSignedWith: (key) => isSigned(text, key) };
  } catch {
    return undefined;
  }
}

async function isSigned(text: string, key: CryptoKey): Promise<boolean> {
  try {
    await compactVerify(text, key, { algorithms: [algorithm] });
    return true;
  } catch (error) {
    if (error instanceof errors.JOSEError) return false;
    throw error;
  }
}

/** The usable keys of a key set (RFC 7517), by id. */
export async function readKeySet(document: unknown): Promise<Map<string, CryptoKey>> {
  const { keys } = (document ?? {}) as { keys?: unknown };
  const found = new Map<string, CryptoKey>();
  for (const entry of Array.isArray(keys) ? keys.slice(0, 100) : []) {
    const key = await readKey(entry);
    if (key) found.set(entry.kid, key);
  }
  return found;
}

async function readKey(entry: unknown): Promise<CryptoKey | undefined> {
  const { kty, kid, n, e, use = "sig", alg = algorithm } = (entry ?? {}) as Partial<JWK>;
  if (kty !== "RSA" || typeof kid !== "string" || use !== "sig" || alg !== algorithm) return undefined;
  try {
    const key = (await importJWK({ kty, n: n!, e: e! }, algorithm)) as CryptoKey;
    const { modulusLength } = key.algorithm as RsaHashedKeyAlgorithm;
    return modulusLength >= minModulusBits ? key : undefined;
  } catch {
    return undefined;
  }
}
