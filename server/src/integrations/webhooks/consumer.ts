// Makes deliveries out of events: one for each webhook that wants to be told, with what there is to say, and the job that
// sends it, all in the transaction in which the event is worked off.
import { sql } from "kysely";
import { fromJson } from "#lib/json.js";
import type { Consumer } from "#platform/changes/consumer.js";
import type { Tx } from "#platform/changes/write.js";
import { inList } from "#platform/db/dialect.js";
import { type EventRow, type Facts, loadFacts } from "./facts.js";
import { deliveryKey } from "./policy.js";
import type { WebhookRow } from "./read.js";
import { toNewDelivery } from "./write.js";

const rowsAtOnce = 500;

export const webhooksConsumer: Consumer = {
  name: "webhooks",
  kinds: new Set(["event"]),
  async consume(tx, changes) {
    const events = await listEvents(
      tx,
      changes.map(({ id }) => id),
    );
    const wanted = await findWanted(tx, events);
    if (wanted.length === 0) return;
    const facts = await loadFacts(tx.db, [...new Set(wanted.map(({ event }) => event))]);
    await addDeliveries(tx, wanted, facts);
  },
};

/** In the order in which they happened. */
async function listEvents({ db }: Tx, ids: readonly string[]): Promise<EventRow[]> {
  const rows = await db
    .selectFrom("events")
    .selectAll()
    .where(inList(db, sql.ref("id"), ids))
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

interface Wanted {
  event: EventRow;
  webhook: WebhookRow;
}

/** Which webhooks want to hear of which events: those of the project, and those of the organization that it is in. */
async function findWanted(tx: Tx, events: readonly EventRow[]): Promise<Wanted[]> {
  const orgs = await findOrgs(tx, events);
  const owners = [...events.map((event) => event.project_id), ...orgs.values()];
  const rows = await tx.db
    .selectFrom("webhooks")
    .selectAll()
    .where(inList(tx.db, sql.ref("owner_id"), owners))
    .where("enabled", "=", 1)
    .orderBy("id")
    .execute();
  const byOwner = Map.groupBy(rows, (webhook) => `${webhook.owner_kind} ${webhook.owner_id}`);
  return events.flatMap((event) => {
    const own = byOwner.get(`project ${event.project_id}`) ?? [];
    const ofOrg = byOwner.get(`organization ${orgs.get(event.project_id)}`) ?? [];
    return [...own, ...ofOrg]
      .filter((webhook) => fromJson(webhook.events).includes(event.type))
      .map((webhook) => ({ event, webhook }));
  });
}

/** By project; for one that is gone the event itself says where it was. */
async function findOrgs({ db }: Tx, events: readonly EventRow[]): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom("projects")
    .select(["id", "org_id"])
    .where(
      inList(
        db,
        sql.ref("id"),
        events.map((event) => event.project_id),
      ),
    )
    .execute();
  const now = new Map(rows.map((row) => [row.id, row.org_id]));
  const before = new Map(
    events
      .filter(({ type }) => type === "project.deleted")
      .map((event) => [event.project_id, (fromJson(event.detail) as { orgId: string | null }).orgId]),
  );
  return new Map(
    [...before, ...now].flatMap(([id, orgId]): [string, string][] => (orgId === null ? [] : [[id, orgId]])),
  );
}

async function addDeliveries(tx: Tx, wanted: readonly Wanted[], facts: ReadonlyMap<string, Facts>): Promise<void> {
  const rows = wanted.map(({ event, webhook }) =>
    toNewDelivery(tx, webhook.id, `msg_${event.id}`, facts.get(event.id)!),
  );
  for (let start = 0; start < rows.length; start += rowsAtOnce)
    await tx.db
      .insertInto("webhook_deliveries")
      .values(rows.slice(start, start + rowsAtOnce))
      .onConflict((conflict) => conflict.columns(["webhook_id", "message_id"]).doNothing())
      .execute();
  for (const id of new Set(wanted.map(({ webhook }) => webhook.id)))
    tx.enqueue("deliver-webhook", { webhookId: id }, { dedupeKey: deliveryKey(id) });
}
