// Background jobs of webhooks: sending due deliveries, and deleting old ones.
import { type Kysely, sql } from "kysely";
import { catchUp } from "#platform/changes/consumer.js";
import { type Actor, write } from "#platform/changes/write.js";
import { inList } from "#platform/db/dialect.js";
import type { Tables } from "#platform/db/tables.js";
import type { Resources } from "#platform/http/resources.js";
import { attempt } from "./attempts.js";
import { webhooksConsumer } from "./consumer.js";
import { note, take } from "./deliveries.js";
import { deliveryKey } from "./policy.js";

const by: Actor = { credential: "webhooks" };
/** After this many deliveries, other webhooks get their turn. */
const inOneGo = 20;

interface DeliveryOrder {
  webhookId: string;
  /** Set if a user requested this delivery. */
  deliveryId?: string;
}

/**
 * Delivers at least once: a crash between a delivery and its record causes the message to be sent again, under the same
 * id. A receiver that is slow or dead delays only its own webhook.
 */
export async function deliverWebhook(resources: Resources, order: DeliveryOrder): Promise<void> {
  await deliverSome(resources, order);
  await shortenLog(resources.db, order.webhookId);
}

async function deliverSome(resources: Resources, { webhookId, deliveryId }: DeliveryOrder): Promise<void> {
  for (let sent = 0; sent < inOneGo; sent++) {
    const taken = await write(resources, by, (tx) => take(tx, webhookId, deliveryId));
    if (!taken) return;
    const outcome = await attempt(resources, taken.webhook, taken.delivery);
    const goesOn = await write(resources, by, (tx) => note(tx, taken, outcome));
    if (!goesOn) return;
  }
  await write(resources, by, async (tx) =>
    tx.enqueue("deliver-webhook", { webhookId }, { dedupeKey: deliveryKey(webhookId) }),
  );
}

const day = 24 * 60 * 60 * 1000;
const keptMs = 30 * day;
const keptEach = 200;
/** Pending deliveries stay longer, but an unreachable receiver must not fill the disk. */
const keptPending = 1000;

async function shortenLog(db: Kysely<Tables>, webhookId: string): Promise<void> {
  const newest = (count: number) => sql`select id from webhook_deliveries
    where webhook_id = ${webhookId} order by date_created desc, id limit ${count}`;
  await sql`delete from webhook_deliveries where webhook_id = ${webhookId}
    and (status <> 'pending' and id not in (${newest(keptEach)}) or id not in (${newest(keptPending)}))`.execute(db);
}

export async function forgetOldDeliveries(resources: Resources): Promise<void> {
  const { db, clock, changeLog } = resources;
  await db
    .deleteFrom("webhook_deliveries")
    .where("date_created", "<=", clock.now() - keptMs)
    .execute();
  const orphans = await listOrphans(db);
  if (orphans.length === 0) return;
  // The deletion of a project is still delivered, so the consumer must have processed it before its webhooks are
  // deleted.
  await changeLog.catchUp();
  await catchUp(resources, webhooksConsumer);
  await db
    .deleteFrom("webhooks")
    .where(inList(db, sql.ref("id"), orphans))
    .where((not) =>
      not.not(
        not.exists(
          not
            .selectFrom("webhook_deliveries")
            .select("id")
            .whereRef("webhook_id", "=", "webhooks.id")
            .where("status", "=", "pending"),
        ),
      ),
    )
    .execute();
}

async function listOrphans(db: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from webhooks
    where owner_kind = 'project' and not exists (select 1 from projects where projects.id = webhooks.owner_id)
      or owner_kind = 'organization'
        and not exists (select 1 from organizations where organizations.id = webhooks.owner_id)`.execute(db);
  return rows.map((row) => row.id);
}
