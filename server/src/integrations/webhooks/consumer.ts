// Creates deliveries from events: one for each webhook that wants the event, with its content, and the job that sends
// it, all in the transaction that processes the event.
import { sql } from "kysely";
import { fromJson } from "#lib/json.js";
import type { Consumer } from "#platform/changes/consumer.js";
import { listEvents } from "#platform/changes/read-events.js";
import type { Tx } from "#platform/changes/write.js";
import { givenRows, inList, together } from "#platform/db/dialect.js";
import { toNewDelivery } from "./enqueue.js";
import { type EventRow, type Facts, loadFacts } from "./facts.js";
import { deliveryKey } from "./policy.js";
import type { WebhookRow } from "./read.js";

const rowsAtOnce = 500;

export const webhooksConsumer: Consumer = {
  name: "webhooks",
  kinds: new Set(["event"]),
  async consume(tx, changes) {
    const events = await listEvents(tx, changes);
    const wanted = await findWanted(tx, events);
    if (wanted.length === 0) return;
    const facts = await loadFacts(tx.db, [...new Set(wanted.map(({ event }) => event))]);
    await addDeliveries(tx, wanted, facts);
  },
};

interface Wanted {
  event: EventRow;
  webhook: WebhookRow;
}

/** The webhooks for each event: those of the project, and those of its organization. */
async function findWanted({ db }: Tx, events: readonly EventRow[]): Promise<Wanted[]> {
  const projectIds = events.map((event) => event.project_id);
  const orgsBefore = findOrgsOfDeleted(events);
  const orgsNow = db
    .selectFrom("projects")
    .select(["id", "org_id"])
    .where(inList(db, sql.ref("id"), projectIds));
  const owners = sql`select id from ${givenRows(
    db,
    { id: "text" },
    [...projectIds, ...orgsBefore.values()].map((id) => ({ id })),
  )} union select org_id from projects where ${inList(db, sql.ref("id"), projectIds)} and org_id is not null`;
  const ofOwners = db
    .selectFrom("webhooks")
    .selectAll()
    .where(sql<boolean>`owner_id in (${owners})`)
    .where("enabled", "=", 1)
    .orderBy("id");
  const [found, webhooks] = await together(db, [orgsNow, ofOwners]);
  const now = found.rows.flatMap(({ id, org_id }): [string, string][] => (org_id === null ? [] : [[id, org_id]]));
  const orgs = new Map([...orgsBefore, ...now]);
  const byOwner = Map.groupBy(webhooks.rows, (webhook) => `${webhook.owner_kind} ${webhook.owner_id}`);
  return events.flatMap((event) => {
    const own = byOwner.get(`project ${event.project_id}`) ?? [];
    const ofOrg = byOwner.get(`organization ${orgs.get(event.project_id)}`) ?? [];
    return [...own, ...ofOrg]
      .filter((webhook) => fromJson(webhook.events).includes(event.type))
      .map((webhook) => ({ event, webhook }));
  });
}

/** By project: the event of a deletion itself names the organization. */
const findOrgsOfDeleted = (events: readonly EventRow[]): Map<string, string> =>
  new Map(
    events.flatMap(({ type, project_id, detail }): [string, string][] => {
      const orgId = type === "project.deleted" ? (fromJson(detail) as { orgId: string | null }).orgId : null;
      return orgId === null ? [] : [[project_id, orgId]];
    }),
  );

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
