// One attempt to deliver a message, and how its answer is interpreted.

import { version } from "#lib/version.js";
import { Failure } from "#platform/errors.js";
import type { Resources } from "#platform/http/resources.js";
import { type OutboundAnswer, OutboundError, post } from "#platform/outbound/client.js";
import { aboutWebhook } from "#platform/secrets/about.js";
import type { Vault } from "#platform/secrets/vault.js";
import { type Sentence, say } from "#words/said.js";
import { askedPauseMs } from "./policy.js";
import { type DeliveryRow, readUrl, toBody, type WebhookRow } from "./read.js";
import { signedHeaders } from "./signing.js";

export interface Outcome {
  /** "later": the receiver works but has asked for a pause. */
  kind: "delivered" | "failed" | "gone" | "later";
  pauseMs?: number;
  status: number | null;
  excerpt: string | null;
  error: Sentence | null;
}

const excerptLength = 1000;

export async function attempt(
  { config, clock, vault }: Resources,
  webhook: WebhookRow,
  delivery: DeliveryRow,
): Promise<Outcome> {
  const now = clock.now();
  const body = toBody(webhook, delivery, config.http);
  try {
    const headers = {
      "content-type": "application/json",
      "user-agent": `Modshelf/${version} (+${config.http.url})`,
      // Discord does not check signatures: anyone who knows the URL may post there.
      ...(webhook.form === "standard" && signed(vault, webhook, delivery, body, now)),
    };
    const answer = await post(
      { url: readUrl(vault, webhook), headers, body },
      { allowPrivate: config.privateWebhooks },
    );
    return judge(answer, now);
  } catch (error) {
    if (!(error instanceof OutboundError || error instanceof Failure)) throw error;
    return { kind: "failed", status: null, excerpt: null, error: error.said };
  }
}

function signed(
  vault: Vault,
  { id, secret, old_secret, date_old_secret_ends }: WebhookRow,
  delivery: DeliveryRow,
  body: string,
  now: number,
): Record<string, string> {
  const isOldGood = old_secret !== null && (date_old_secret_ends ?? 0) > now;
  const good = (isOldGood ? [secret, old_secret] : [secret]).map((sealed) => vault.open(sealed, aboutWebhook(id)));
  const parts = { messageId: delivery.message_id, timestamp: Math.floor(now / 1000), body };
  return signedHeaders(good, parts);
}

function judge({ status, headers, body }: OutboundAnswer, now: number): Outcome {
  const seen = { status, excerpt: toExcerpt(body) };
  if (status >= 200 && status < 300) return { kind: "delivered", ...seen, error: null };
  if (status === 410) return { kind: "gone", ...seen, error: say.deliveries.gone };
  const pauseMs = status === 429 || status === 503 ? askedPauseMs(headers["retry-after"], now) : undefined;
  if (pauseMs !== undefined) return { kind: "later", pauseMs, ...seen, error: say.deliveries.pause(status) };
  const isRedirect = status >= 300 && status < 400;
  return {
    kind: "failed",
    ...seen,
    error: isRedirect ? say.deliveries.redirect(status) : say.deliveries.answered(status),
  };
}

/** PostgreSQL cannot store NUL in texts. */
const toExcerpt = (body: Buffer): string =>
  body.toString("utf8").replaceAll("\0", "\uFFFD").slice(0, excerptLength).toWellFormed();
