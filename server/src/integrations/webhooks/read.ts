// The SELECTs of webhooks and deliveries, and the functions that build them for answers.

import { fromJson } from "#lib/json.js";
import type { Db, Row } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import { maybeTimestamp, timestamp } from "#platform/http/schemas.js";
import { aboutWebhook, aboutWebhookUrl } from "#platform/secrets/about.js";
import type { Vault } from "#platform/secrets/vault.js";
import type { Locale } from "#words/languages.js";
import { sayIn, unpackSentence } from "#words/said.js";
import type { Delivery, Webhook } from "./contract.js";
import { toDiscordBody } from "./discord.js";
import type { Facts } from "./facts.js";
import { type Site, toStandardBody } from "./messages.js";
import { shortenUrl } from "./policy.js";

export type WebhookRow = Row<"webhooks">;
export type DeliveryRow = Row<"webhook_deliveries">;

/** The owner of a webhook. */
export interface Owner {
  kind: WebhookRow["owner_kind"];
  id: string;
}

export const listWebhooks = (db: Db, owner: Owner): Promise<WebhookRow[]> =>
  db
    .selectFrom("webhooks")
    .selectAll()
    .where("owner_kind", "=", owner.kind)
    .where("owner_id", "=", owner.id)
    .orderBy("date_created")
    .orderBy("id")
    .execute();

export const findWebhook = (db: Db, id: string): Promise<WebhookRow | undefined> =>
  db.selectFrom("webhooks").selectAll().where("id", "=", id).executeTakeFirst();

export const listDeliveries = (
  db: Db,
  webhookId: string,
  { offset, limit }: { offset: number; limit: number },
): Promise<DeliveryRow[]> =>
  db
    .selectFrom("webhook_deliveries")
    .selectAll()
    .where("webhook_id", "=", webhookId)
    .orderBy("date_created", "desc")
    .orderBy("id")
    .offset(offset)
    .limit(limit)
    .execute();

export async function getDelivery(db: Db, webhookId: string, id: string): Promise<DeliveryRow> {
  const row = await db
    .selectFrom("webhook_deliveries")
    .selectAll()
    .where("id", "=", id)
    .where("webhook_id", "=", webhookId)
    .executeTakeFirst();
  if (!row) throw fail.deliveryNotFound();
  return row;
}

/** Undefined if the format has no secret. */
export const readSecret = (vault: Vault, { id, form, secret }: WebhookRow): string | undefined =>
  form === "standard" ? vault.open(secret, aboutWebhook(id)) : undefined;

/** The whole URL. */
export const readUrl = (vault: Vault, { id, url }: Pick<WebhookRow, "id" | "url">): string =>
  vault.open(url, aboutWebhookUrl(id));

/** The URL as answers show it. */
export const showUrl = (vault: Vault, row: WebhookRow): string => shortenUrl(readUrl(vault, row));

/** The exact text that is sent. */
export function toBody({ form }: Pick<WebhookRow, "form">, delivery: DeliveryRow, site: Site): string {
  const facts = fromJson(delivery.facts) as Facts;
  return form === "discord" ? toDiscordBody(facts, site) : toStandardBody(facts, site);
}

export const toWebhook = (vault: Vault, row: WebhookRow): Webhook => ({
  id: row.id,
  ownerKind: row.owner_kind,
  ownerId: row.owner_id,
  url: showUrl(vault, row),
  form: row.form,
  events: fromJson(row.events),
  enabled: row.enabled === 1,
  disabledReason: row.disabled_reason,
  failures: row.failures,
  dateResumes: maybeTimestamp(row.date_resume),
  dateOldSecretEnds: maybeTimestamp(row.date_old_secret_ends),
  dateCreated: timestamp(row.date_created),
  dateUpdated: timestamp(row.date_updated),
});

export const toDelivery = (row: DeliveryRow, locale: Locale = "en"): Delivery => ({
  id: row.id,
  messageId: row.message_id,
  event: row.event,
  status: row.status,
  attempts: row.attempts,
  responseStatus: row.response_status,
  responseExcerpt: row.response_excerpt,
  error: row.error && sayIn(locale, unpackSentence(row.error)),
  dateCreated: timestamp(row.date_created),
  dateAttempted: maybeTimestamp(row.date_attempted),
  dateNext: maybeTimestamp(row.date_next),
});
