// The states of deliveries: leased by one worker at a time, stored with their outcome, given up when their time is
// over.

import { toJson } from "#lib/json.js";
import { newId } from "#lib/random.js";
import type { Tx } from "#platform/changes/write.js";
import { packSentence } from "#words/said.js";
import type { Outcome } from "./attempts.js";
import { failPending } from "./enqueue.js";
import { deliveryKey, hasTooManyFailures, isGivenUp, pauseMs } from "./policy.js";
import { type DeliveryRow, findWebhook, readUrl, type WebhookRow } from "./read.js";

/** Longer than an attempt can take, and short, so that a worker that died does not block its webhook for long. */
const busyMs = 30_000;
const whileBusyMs = 1000;

export interface Taken {
  webhook: WebhookRow;
  delivery: DeliveryRow;
  /** A user requested this delivery: it does not wait, and its failure does not count. */
  isAsked: boolean;
}

/** The next due delivery, and the lease of the webhook; if none is due, the job runs again when one is. */
export async function take(tx: Tx, webhookId: string, deliveryId: string | undefined): Promise<Taken | undefined> {
  const isAsked = deliveryId !== undefined;
  const webhook = await occupy(tx, webhookId, isAsked);
  if (!webhook) return comeBack(tx, webhookId, deliveryId);
  const delivery = await findDue(tx, webhookId, deliveryId);
  if (delivery) return { webhook, delivery, isAsked };
  await release(tx, webhookId);
  const next = isAsked ? undefined : await findNext(tx, webhookId);
  if (next !== undefined) enqueue(tx, webhookId, next);
  return undefined;
}

const enqueue = (tx: Tx, webhookId: string, runAfter: number): void =>
  tx.enqueue("deliver-webhook", { webhookId }, { runAfter, dedupeKey: deliveryKey(webhookId) });

function occupy({ db, now }: Tx, webhookId: string, isAsked: boolean): Promise<WebhookRow | undefined> {
  const free = db
    .updateTable("webhooks")
    .set({ date_busy: now + busyMs })
    .where("id", "=", webhookId)
    .where((or) => or.or([or("date_busy", "is", null), or("date_busy", "<=", now)]));
  const ready = free
    .where("enabled", "=", 1)
    .where((or) => or.or([or("date_resume", "is", null), or("date_resume", "<=", now)]));
  return (isAsked ? free : ready).returningAll().executeTakeFirst();
}

async function comeBack(tx: Tx, webhookId: string, deliveryId: string | undefined): Promise<undefined> {
  const webhook = await tx.db
    .selectFrom("webhooks")
    .select(["enabled", "date_resume", "date_busy"])
    .where("id", "=", webhookId)
    .executeTakeFirst();
  if (!webhook) return undefined;
  if (deliveryId !== undefined) {
    tx.enqueue("deliver-webhook", { webhookId, deliveryId }, { runAfter: tx.now + whileBusyMs });
    return undefined;
  }
  if (webhook.enabled === 0) return undefined;
  enqueue(tx, webhookId, Math.max(webhook.date_resume ?? 0, tx.now + whileBusyMs));
  return undefined;
}

const pending = ({ db }: Tx, webhookId: string) =>
  db
    .selectFrom("webhook_deliveries")
    .selectAll()
    .where("webhook_id", "=", webhookId)
    .where("status", "=", "pending")
    .orderBy("date_next")
    .orderBy("id")
    .limit(1);

const findDue = (tx: Tx, webhookId: string, deliveryId: string | undefined): Promise<DeliveryRow | undefined> =>
  (deliveryId === undefined
    ? pending(tx, webhookId).where("date_next", "<=", tx.now)
    : pending(tx, webhookId).where("id", "=", deliveryId)
  ).executeTakeFirst();

const findNext = async (tx: Tx, webhookId: string): Promise<number | undefined> =>
  (await pending(tx, webhookId).executeTakeFirst())?.date_next ?? undefined;

const release = ({ db }: Tx, webhookId: string) =>
  db.updateTable("webhooks").set({ date_busy: null }).where("id", "=", webhookId).execute();

/** Returns whether the next one may be tried immediately. */
export async function note(tx: Tx, { webhook, delivery, isAsked }: Taken, outcome: Outcome): Promise<boolean> {
  const { status, excerpt, error } = outcome;
  const tried = {
    response_status: status,
    response_excerpt: excerpt,
    error: error && packSentence(error),
    date_attempted: tx.now,
  };
  if (outcome.kind === "delivered") {
    await setDelivery(tx, delivery, {
      ...tried,
      status: "delivered",
      attempts: delivery.attempts + 1,
      date_next: null,
    });
    await setWebhook(tx, webhook, { failures: 0, date_resume: null });
    // Other deliveries to this receiver no longer need to wait.
    if (isAsked && webhook.date_resume !== null) tx.enqueue("deliver-webhook", { webhookId: webhook.id });
    return !isAsked;
  }
  const isCounted = outcome.kind !== "later";
  const attempts = delivery.attempts + (isCounted ? 1 : 0);
  const failures = webhook.failures + (isCounted && !isAsked ? 1 : 0);
  const pause = outcome.pauseMs ?? pauseMs(Math.max(failures, 1), tx.random.bytes(1)[0]! / 256);
  // A test is tried once, and a disabled webhook has no pending deliveries.
  const isOnce = delivery.event === "ping" || webhook.enabled === 0;
  const isOver = isOnce || isGivenUp(attempts, tx.now - delivery.date_created);
  await setDelivery(tx, delivery, {
    ...tried,
    attempts,
    status: isOver ? "failed" : "pending",
    date_next: isOver ? null : tx.now + pause,
  });
  const isResting = !isAsked || outcome.kind === "later";
  await setWebhook(tx, webhook, { failures, ...(isResting && { date_resume: tx.now + pause }) });
  if (outcome.kind === "gone") await disable(tx, webhook, "gone");
  else if (hasTooManyFailures(failures)) await disable(tx, webhook, "failing");
  else await goOnLater(tx, webhook.id, tx.now + pause);
  return false;
}

/** The webhook may have been disabled during the attempt. */
async function goOnLater(tx: Tx, webhookId: string, date: number): Promise<void> {
  const { enabled } = (await findWebhook(tx.db, webhookId)) ?? {};
  if (enabled === 1) enqueue(tx, webhookId, date);
  else await failPending(tx, webhookId);
}

const setDelivery = ({ db }: Tx, { id }: DeliveryRow, values: Partial<Omit<DeliveryRow, "id">>) =>
  db.updateTable("webhook_deliveries").set(values).where("id", "=", id).execute();

const setWebhook = ({ db }: Tx, { id }: WebhookRow, values: Partial<Omit<WebhookRow, "id">>) =>
  db
    .updateTable("webhooks")
    .set({ ...values, date_busy: null })
    .where("id", "=", id)
    .execute();

async function disable(tx: Tx, webhook: WebhookRow, reason: "failing" | "gone"): Promise<void> {
  if (webhook.enabled === 0) return;
  await setWebhook(tx, webhook, { enabled: 0, disabled_reason: reason });
  await failPending(tx, webhook.id);
  tx.audit("webhook.disable", { kind: "webhook", id: webhook.id }, { reason });
  const owners = await listOwnerIds(tx, webhook);
  const { owner_kind, owner_id } = webhook;
  const about = owner_kind === "project" ? { projectId: owner_id } : { orgId: owner_id };
  const body = toJson<unknown>({
    webhookId: webhook.id,
    host: new URL(readUrl(tx.vault, webhook)).host,
    reason,
    ...about,
  });
  const notices = owners.map((user_id) => ({
    ...{ id: newId(tx.random), user_id, type: "webhook_disabled", group_key: null, body },
    ...{ date_created: tx.now, date_read: null },
  }));
  if (notices.length > 0) await tx.db.insertInto("notifications").values(notices).execute();
}

/** The owner of the team; for a project in an organization, the owner of the organization. */
async function listOwnerIds({ db }: Tx, { owner_kind, owner_id }: WebhookRow): Promise<string[]> {
  const orgIds =
    owner_kind === "organization"
      ? db.selectFrom("organizations").select("team_id").where("id", "=", owner_id)
      : db
          .selectFrom("projects")
          .innerJoin("organizations", "organizations.id", "projects.org_id")
          .select("organizations.team_id")
          .where("projects.id", "=", owner_id)
          .union(db.selectFrom("projects").select("team_id").where("id", "=", owner_id));
  const rows = await db
    .selectFrom("team_members")
    .select("user_id")
    .distinct()
    .where("is_owner", "=", 1)
    .where("team_id", "in", orgIds)
    .execute();
  return rows.map((row) => row.user_id);
}
