// Forms that make something make it once: who sends the same form again (a second press, a reload, a lost answer) gets
// the answer of the first time. The database knows, so it holds on every node.
import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { seal, unseal } from "#lib/sealed.js";
import { Failure } from "#platform/errors.js";
import type { Call } from "#platform/http/endpoint.js";
import {
  type KeyedRequest,
  keepAnswer,
  releaseKey,
  requestDigest,
  reserveKey,
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

/** `work` does it and says how it was answered; undefined where it was refused, so that the form may be sent again. */
export async function answerOnce(
  call: Call,
  resources: Resources,
  token: GoodToken,
  work: () => Promise<FormAnswer | undefined>,
): Promise<{ repeated: FormAnswer } | undefined> {
  const { db, log } = resources;
  const digest = requestDigest("POST", call.request.url, call);
  // The same form with other content is another thing to do: somebody went back and changed it. The secret is only in the
  // browser's cookie, so that only that browser can read what the answer showed once (a new token, a session's cookie).
  const key = [token.secret, token.nonce, digest.toString("base64url")].join(" ");
  const actor = `form ${createHash("sha256").update(token.secret).digest("base64url")}`;
  const keyed = toKeyedRequest(actor, key, digest);
  const reserved = await reserve(resources, keyed);
  if ("answer" in reserved) return { repeated: JSON.parse(unseal(reserved.answer.body, keyed.lock)) };
  call.actor.reservation = reserved.reservation;
  const noteTrouble = (error: unknown) => log.warn({ err: error }, "The answer to a form was not kept");
  try {
    const answer = await work();
    if (answer)
      await keepAnswer(db, reserved.reservation, answer.status, seal(JSON.stringify(answer), keyed.lock)).catch(
        noteTrouble,
      );
    else await releaseKey(db, reserved.reservation).catch(noteTrouble);
    return undefined;
  } catch (error) {
    await releaseKey(db, reserved.reservation).catch(noteTrouble);
    throw error;
  }
}

/** Waits for the first of two that came at once. */
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
