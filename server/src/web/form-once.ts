// Forms that make something make it once: who sends the same form again (a second press, a reload, a lost answer) gets
// the answer of the first time. The database knows, so it holds on every node.
import { createCipheriv, createDecipheriv, createHash, createHmac } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { Failure } from "../errors.js";
import type { Call } from "../http/endpoint.js";
import { claimKey, keepAnswer, releaseKey, requestDigest } from "../http/idempotency.js";
import type { Resources } from "../http/resources.js";
import type { GoodToken } from "./form-token.js";

export interface FormAnswer {
  status: number;
  location?: string;
  cookies?: string[];
  html?: string;
}

const waitMs = 100;
const mostWaits = 150;

/** `work` does it and says how it was answered; undefined where it was refused, so that the form may be sent again. */
export async function answerOnce(
  call: Call,
  resources: Resources,
  token: GoodToken,
  work: () => Promise<FormAnswer | undefined>,
): Promise<{ repeated: FormAnswer } | undefined> {
  const { db, log } = resources;
  const digest = requestDigest("POST", call.request.url, call);
  // The same form with other content is another thing to do: somebody went back and changed it.
  const key = createHash("sha256").update(token.nonce).update(digest).digest("base64url");
  const actor = `form ${createHash("sha256").update(token.secret).digest("base64url")}`;
  const claimed = await claim(resources, { actor, key, digest });
  const lock = createHmac("sha256", token.secret).update(`answer ${key}`).digest();
  if ("answer" in claimed) return { repeated: opened(claimed.answer.body, lock) };
  call.actor.claim = claimed.claim;
  const noteTrouble = (error: unknown) => log.warn({ err: error }, "The answer to a form was not kept");
  try {
    const answer = await work();
    if (answer) await keepAnswer(db, claimed.claim, answer.status, sealed(answer, lock)).catch(noteTrouble);
    else await releaseKey(db, claimed.claim).catch(noteTrouble);
    return undefined;
  } catch (error) {
    await releaseKey(db, claimed.claim).catch(noteTrouble);
    throw error;
  }
}

/** Waits for the first of two that came at once. */
async function claim({ db, clock }: Resources, request: Parameters<typeof claimKey>[2]) {
  for (let waits = 0; ; waits++) {
    try {
      return await claimKey(db, clock, request);
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== "idempotencyKeyInUse" || waits === mostWaits) throw error;
      await pause(waitMs);
    }
  }
}

// An answer may hold what is shown only once (a new token, a session's cookie). It is locked with a key that only the
// browser's cookie and the form make together, and that is stored nowhere. Each key locks one answer.
const zeroes = Buffer.alloc(12);
const tagBytes = 16;

function sealed(answer: FormAnswer, lock: Buffer): string {
  const cipher = createCipheriv("aes-256-gcm", lock, zeroes);
  const bytes = Buffer.concat([cipher.update(JSON.stringify(answer), "utf8"), cipher.final()]);
  return Buffer.concat([cipher.getAuthTag(), bytes]).toString("base64");
}

function opened(text: string, lock: Buffer): FormAnswer {
  const bytes = Buffer.from(text, "base64");
  const decipher = createDecipheriv("aes-256-gcm", lock, zeroes);
  decipher.setAuthTag(bytes.subarray(0, tagBytes));
  return JSON.parse(Buffer.concat([decipher.update(bytes.subarray(tagBytes)), decipher.final()]).toString("utf8"));
}
