// Forms that create something create it once: a user who sends the same form again (a second click, a reload, a lost
// answer) gets the first answer. This is stored in the database, so it holds across all nodes.
import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { seal, unseal } from "#lib/sealed.js";
import { Failure } from "#platform/errors.js";
import type { Call } from "#platform/http/endpoint.js";
import {
  type KeyedRequest,
  releaseKey,
  requestDigest,
  reserveKey,
  storeAnswer,
  toKeyedRequest,
} from "#platform/http/idempotency.js";
import type { Resources } from "#platform/http/resources.js";
import type { GoodToken } from "#web/context/form-token.js";

export interface FormAnswer {
  status: number;
  location?: string;
  cookies?: string[];
  html?: string;
}

const waitMs = 100;
const mostWaits = 150;

/**
 * `work` processes the form and returns its answer, or undefined if it was refused: the form may then be sent again.
 */
export async function answerOnce(
  call: Call,
  resources: Resources,
  token: GoodToken,
  work: () => Promise<FormAnswer | undefined>,
): Promise<{ repeated: FormAnswer } | undefined> {
  const { db, log } = resources;
  const digest = requestDigest("POST", call.request.url, call);
  // The same form with other content is processed: the user went back and changed it. The secret is only in the
  // browser's cookie, so only that browser can read an answer that is shown once (a new token, a session cookie).
  const key = [token.secret, token.nonce, digest.toString("base64url")].join(" ");
  const actor = `form ${createHash("sha256").update(token.secret).digest("base64url")}`;
  const keyed = toKeyedRequest(actor, key, digest);
  const reserved = await reserve(resources, keyed);
  if ("answer" in reserved) return { repeated: JSON.parse(unseal(reserved.answer.body, keyed.lock)) };
  call.actor.reservation = reserved.reservation;
  const noteTrouble = (error: unknown) => log.warn({ err: error }, "The answer to a form was not stored");
  try {
    const answer = await work();
    if (answer)
      await storeAnswer(db, reserved.reservation, answer.status, seal(JSON.stringify(answer), keyed.lock)).catch(
        noteTrouble,
      );
    else await releaseKey(db, reserved.reservation).catch(noteTrouble);
    return undefined;
  } catch (error) {
    await releaseKey(db, reserved.reservation).catch(noteTrouble);
    throw error;
  }
}

/** If the same form is being processed, waits until that is done. */
async function reserve({ db, clock }: Resources, request: KeyedRequest) {
  for (let waits = 0; ; waits++) {
    try {
      return await reserveKey(db, clock, request);
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== "idempotencyKeyInUse" || waits === mostWaits) throw error;
      await pause(waitMs);
    }
  }
}
