// Encrypts secrets that must be readable again, such as keys of authenticator apps, before they are stored
// (AES-256-GCM). A sealed text names its key, so that keys can be replaced, and opens only for the row that it was
// sealed for. It also signs texts that come back from browsers, such as URLs.
import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import type { Random } from "#lib/random.js";
import { fail } from "#platform/errors.js";

const algorithm = "aes-256-gcm";
const ivBytes = 12;
const tagBytes = 16;
const form = /^sealed1\.([0-9a-f]{16})\.([\w-]+)$/;

export interface Vault {
  /** The id of the key that seals. */
  readonly keyId: string;
  /** The prefix of every text that this key has sealed. */
  readonly prefix: string;
  has(keyId: string): boolean;
  /** `about` names the row; the text does not open for another row. */
  seal(text: string, about: string): string;
  /** Texts that were stored before there was a key are returned unchanged. Throws a refusal if the key is missing. */
  open(sealed: string, about: string): string;
  canOpen(sealed: string): boolean;
  /** 22 characters. `about` names the use; the signature is valid for no other. */
  sign(text: string, about: string): string;
  isSigned(text: string, signature: string, about: string): boolean;
}

/** A fingerprint that reveals nothing about the key. */
const idOf = (key: Buffer): string =>
  createHash("sha256").update("modshelf key ").update(key).digest("hex").slice(0, 16);

/** Keys for signatures are derived, so that each key has one use. */
const signingKeyOf = (key: Buffer): Buffer => Buffer.from(hkdfSync("sha256", key, "", "modshelf signatures", 32));

const signatureOf = (text: string, about: string, key: Buffer): string =>
  createHmac("sha256", key).update(`${about}\n${text}`).digest().subarray(0, 16).toString("base64url");

/** The first key seals and signs; all keys open and verify. */
export function createVault(keys: readonly Buffer[], random: Random): Vault {
  const byId = new Map(keys.map((key) => [idOf(key), key]));
  const [first] = keys;
  if (!first) throw new Error("The vault needs at least one key");
  const keyId = idOf(first);
  const prefix = `sealed1.${keyId}.`;
  const signingKeys = keys.map(signingKeyOf);
  return {
    keyId,
    prefix,
    has: (id) => byId.has(id),
    seal(text, about) {
      const iv = random.bytes(ivBytes);
      const cipher = createCipheriv(algorithm, first, iv).setAAD(Buffer.from(about));
      const parts = [iv, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()];
      return prefix + Buffer.concat(parts).toString("base64url");
    },
    open(sealed, about) {
      const [, id = "", body = ""] = form.exec(sealed) ?? [];
      if (id === "") return sealed;
      const key = byId.get(id);
      if (!key) throw fail.secretUnreadable();
      const bytes = Buffer.from(body, "base64url");
      try {
        const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes })
          .setAAD(Buffer.from(about))
          .setAuthTag(bytes.subarray(-tagBytes));
        return decipher.update(bytes.subarray(ivBytes, -tagBytes), undefined, "utf8") + decipher.final("utf8");
      } catch {
        throw fail.secretUnreadable();
      }
    },
    canOpen(sealed) {
      const id = form.exec(sealed)?.[1];
      return id === undefined || byId.has(id);
    },
    sign: (text, about) => signatureOf(text, about, signingKeys[0]!),
    isSigned: (text, signature, about) =>
      signingKeys.some((key) => {
        const [right, given] = [Buffer.from(signatureOf(text, about, key)), Buffer.from(signature)];
        return right.length === given.length && timingSafeEqual(right, given);
      }),
  };
}
