// Secrets that callers present: access tokens, sessions, one-time codes. The prefix lets scanners find leaked ones; the
// checksum rejects typos without a database query. Only the digest is ever stored.
import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { toBase62 } from "./base62.js";
import type { Random } from "./random.js";

/** The prefix of personal access tokens. */
export const tokenPrefix = "msp_";

const kinds = {
  [tokenPrefix]: "pat",
  mss_: "session",
  msc_: "code",
  /** The secret of an application, and the refresh tokens that it gets (accounts/applications). */
  msa_: "application",
  msr_: "refresh",
} as const;

export type SecretPrefix = keyof typeof kinds;
export type SecretKind = (typeof kinds)[SecretPrefix];

const secretBytes = 32;
const secretWidth = 43;
const checksumWidth = 6;
const form = /^(ms[pscar]_)[0-9A-Za-z]{49}$/;

export function newSecretToken(prefix: SecretPrefix, random: Random): string {
  const text = prefix + toBase62(random.bytes(secretBytes), secretWidth);
  return text + checksumOf(text);
}

/** The kind of a secret and its digest for the lookup; undefined if this server cannot have issued it. */
export function readSecretToken(text: string): { kind: SecretKind; digest: Buffer } | undefined {
  const prefix = form.exec(text)?.[1];
  if (prefix === undefined) return undefined;
  if (checksumOf(text.slice(0, -checksumWidth)) !== text.slice(-checksumWidth)) return undefined;
  return { kind: kinds[prefix as SecretPrefix], digest: tokenDigest(text) };
}

/** A fast hash is enough: the secret has 256 random bits, which no one can guess. */
export function tokenDigest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

// The checksum covers the prefix, so that a session cannot be relabelled as an access token.
function checksumOf(text: string): string {
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(text));
  return toBase62(checksum, checksumWidth);
}
