// Adds deliveries to the queue of a webhook, and gives up pending ones.
import { toJson } from "#lib/json.js";
import { newId } from "#lib/random.js";
import type { Tx } from "#platform/changes/write.js";
import { fail } from "#platform/errors.js";
import { packSentence, say } from "#words/said.js";
import { type Facts, loadProjectFacts } from "./facts.js";
import { type DeliveryRow, getDelivery, type WebhookRow } from "./read.js";

/** Marks deliveries that will not be tried again. */
export async function failPending(tx: Tx, webhookId: string): Promise<void> {
  await tx.db
    .updateTable("webhook_deliveries")
    .set({ status: "failed", error: packSentence(say.deliveries.switchedOff), date_next: null })
    .where("webhook_id", "=", webhookId)
    .where("status", "=", "pending")
    .execute();
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

/** If it is waiting for its next attempt, that happens now. */
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
