// Signatures according to Standard Webhooks 1.0: a receiver that knows the secret can verify that a message comes from
// here, is complete, and is not old.
import { createHmac } from "node:crypto";
import type { Random } from "#lib/random.js";

const prefix = "whsec_";
const secretBytes = 32;

export const newWebhookSecret = (random: Random): string => prefix + random.bytes(secretBytes).toString("base64");

export interface SignedParts {
  messageId: string;
  /** Seconds since 1970. */
  timestamp: number;
  body: string;
}

export function sign(secret: string, { messageId, timestamp, body }: SignedParts): string {
  const key = Buffer.from(secret.slice(prefix.length), "base64");
  return `v1,${createHmac("sha256", key).update(`${messageId}.${timestamp}.${body}`).digest("base64")}`;
}

/** Signs with each of the secrets, so that a receiver that knows one of them accepts it during a rotation. */
export const signedHeaders = (secrets: readonly string[], parts: SignedParts): Record<string, string> => ({
  "webhook-id": parts.messageId,
  "webhook-timestamp": String(parts.timestamp),
  "webhook-signature": secrets.map((secret) => sign(secret, parts)).join(" "),
});
