// The use cases of webhooks. Secrets and whole addresses, which hold secrets of others, stay out of the audit log.

import { toJson } from "#lib/json.js";
import { newId } from "#lib/random.js";
import type { Tx } from "#platform/changes/write.js";
import { fail } from "#platform/errors.js";
import { aboutWebhook, aboutWebhookUrl } from "#platform/secrets/about.js";
import { maxPerOwner } from "./event-types.js";
import { type Facts, loadProjectFacts } from "./facts.js";
import { oldSecretMs } from "./policy.js";
import { type DeliveryRow, getDelivery, listWebhooks, type Owner, readUrl, type WebhookRow } from "./read.js";
import { newWebhookSecret } from "./signing.js";

export interface WebhookInput {
  url: string;
  form: WebhookRow["form"];
  events: readonly string[];
  enabled: boolean;
}

const newSealedSecret = ({ vault, random }: Tx, id: string): string =>
  vault.seal(newWebhookSecret(random), aboutWebhook(id));

const hostOf = (url: string): string => new URL(url).host;

/** The owner's row is held by the caller, so that two cannot both be the last that fits. */
export async function createWebhook(tx: Tx, owner: Owner, userId: string, input: WebhookInput): Promise<WebhookRow> {
  if ((await listWebhooks(tx.db, owner)).length >= maxPerOwner)
    throw fail.wrongState(`There can be at most ${maxPerOwner} webhooks; delete one first`);
  const { url, form, enabled } = input;
  const id = newId(tx.random);
  const row = await tx.db
    .insertInto("webhooks")
    .values({
      id,
      owner_kind: owner.kind,
      owner_id: owner.id,
      url: tx.vault.seal(url, aboutWebhookUrl(id)),
      form,
      secret: newSealedSecret(tx, id),
      old_secret: null,
      date_old_secret_ends: null,
      events: toJson([...new Set(input.events)]),
      enabled: enabled ? 1 : 0,
      disabled_reason: null,
      failures: 0,
      date_resume: null,
      date_busy: null,
      created_by: userId,
      date_created: tx.now,
      date_updated: tx.now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const detail = { owner: `${owner.kind} ${owner.id}`, host: hostOf(url), form, events: input.events };
  tx.audit("webhook.create", { kind: "webhook", id: row.id }, detail);
  return row;
}

export type WebhookEdit = Partial<Omit<WebhookInput, "form">>;

export async function editWebhook(tx: Tx, before: WebhookRow, edit: WebhookEdit): Promise<WebhookRow> {
  const urlBefore = readUrl(tx.vault, before);
  const url = edit.url ?? urlBefore;
  const isNewTarget = url !== urlBefore;
  const isSwitchedOn = edit.enabled === true && before.enabled === 0;
  const row = await change(tx, before.id, {
    url: isNewTarget ? tx.vault.seal(url, aboutWebhookUrl(before.id)) : before.url,
    events: edit.events ? toJson([...new Set(edit.events)]) : before.events,
    enabled: (edit.enabled ?? before.enabled === 1) ? 1 : 0,
    // Another receiver, or one that was looked after, begins with a clean slate.
    ...((isNewTarget || isSwitchedOn) && { failures: 0, date_resume: null }),
    ...(edit.enabled !== undefined && { disabled_reason: null }),
    date_updated: tx.now,
  });
  tx.audit("webhook.edit", { kind: "webhook", id: row.id }, { host: hostOf(url), ...withoutUrl(edit) });
  if (edit.enabled === false) await failPending(tx, row.id, "The webhook was switched off");
  else if (isNewTarget) tx.enqueue("deliver-webhook", { webhookId: row.id });
  return row;
}

const withoutUrl = ({ url: _url, ...rest }: WebhookEdit) => rest;

async function change(tx: Tx, id: string, values: Partial<Omit<WebhookRow, "id">>): Promise<WebhookRow> {
  const row = await tx.db.updateTable("webhooks").set(values).where("id", "=", id).returningAll().executeTakeFirst();
  // Deleted by another request since this one found it.
  if (!row) throw fail.webhookNotFound();
  return row;
}

/** What nobody will try any more. */
export async function failPending(tx: Tx, webhookId: string, error: string): Promise<void> {
  await tx.db
    .updateTable("webhook_deliveries")
    .set({ status: "failed", error, date_next: null })
    .where("webhook_id", "=", webhookId)
    .where("status", "=", "pending")
    .execute();
}

export async function deleteWebhook(tx: Tx, row: WebhookRow): Promise<void> {
  const { id } = row;
  const { numDeletedRows } = await tx.db.deleteFrom("webhooks").where("id", "=", id).executeTakeFirst();
  if (numDeletedRows === 0n) throw fail.webhookNotFound();
  tx.audit("webhook.delete", { kind: "webhook", id }, { host: hostOf(readUrl(tx.vault, row)) });
}

export async function rotateSecret(tx: Tx, before: WebhookRow, keepOld: boolean): Promise<WebhookRow> {
  const row = await change(tx, before.id, {
    secret: newSealedSecret(tx, before.id),
    old_secret: keepOld ? before.secret : null,
    date_old_secret_ends: keepOld ? tx.now + oldSecretMs : null,
    date_updated: tx.now,
  });
  tx.audit("webhook.rotate", { kind: "webhook", id: row.id }, { keepOld });
  return row;
}

export async function pingWebhook(tx: Tx, webhook: WebhookRow): Promise<DeliveryRow> {
  const facts: Facts = { type: "ping", date: tx.now, ...(await loadOwnerFacts(tx, webhook)) };
  const row = await tx.db
    .insertInto("webhook_deliveries")
    .values(toNewDelivery(tx, webhook.id, `msg_${newId(tx.random)}`, facts))
    .returningAll()
    .executeTakeFirstOrThrow();
  tx.enqueue("deliver-webhook", { webhookId: webhook.id, deliveryId: row.id });
  return row;
}

async function loadOwnerFacts(
  { db }: Tx,
  { owner_kind, owner_id }: WebhookRow,
): Promise<Pick<Facts, "project" | "organization">> {
  if (owner_kind === "project") {
    const project = (await loadProjectFacts(db, [owner_id])).get(owner_id);
    return project ? { project } : {};
  }
  const organization = await db
    .selectFrom("organizations")
    .select(["id", "slug", "name"])
    .where("id", "=", owner_id)
    .executeTakeFirst();
  return organization ? { organization } : {};
}

export const toNewDelivery = (tx: Tx, webhookId: string, messageId: string, facts: Facts): DeliveryRow => ({
  id: newId(tx.random),
  webhook_id: webhookId,
  message_id: messageId,
  event: facts.type,
  facts: toJson<unknown>(facts),
  status: "pending",
  attempts: 0,
  response_status: null,
  response_excerpt: null,
  error: null,
  date_created: tx.now,
  date_attempted: null,
  date_next: tx.now,
});

/** Where it waits for its next try, that comes now. */
export async function redeliver(tx: Tx, webhookId: string, deliveryId: string): Promise<DeliveryRow> {
  const { id } = await getDelivery(tx.db, webhookId, deliveryId);
  const row = await tx.db
    .updateTable("webhook_deliveries")
    .set({ status: "pending", date_next: tx.now })
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirst();
  if (!row) throw fail.deliveryNotFound();
  tx.enqueue("deliver-webhook", { webhookId, deliveryId });
  tx.audit("webhook.redeliver", { kind: "webhook", id: webhookId }, { deliveryId });
  return row;
}
