// Encrypts texts with a key that is not stored beside them. The fixed nonce is safe only because each key seals exactly
// one text.
import { createCipheriv, createDecipheriv } from "node:crypto";

const nonce = Buffer.alloc(12);
const tagBytes = 16;

export function seal(text: string, key: Buffer): string {
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  const bytes = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([cipher.getAuthTag(), bytes]).toString("base64");
}

export function unseal(sealed: string, key: Buffer): string {
  const bytes = Buffer.from(sealed, "base64");
  const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: tagBytes });
  decipher.setAuthTag(bytes.subarray(0, tagBytes));
  return Buffer.concat([decipher.update(bytes.subarray(tagBytes)), decipher.final()]).toString("utf8");
}
