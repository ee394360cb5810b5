// Routes of webhooks and their deliveries.

import { getEditableOrg } from "#content/organizations/change.js";
import { changeProject } from "#content/projects/change.js";
import { type Actor, type Tx, write } from "#platform/changes/write.js";
import { type Route, route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import { done } from "#platform/http/schemas.js";
import type { SignedIn } from "#platform/http/viewer.js";
import * as contract from "./contract.js";
import {
  createWebhook,
  deleteWebhook,
  editWebhook,
  getManagedOrg,
  getManagedProject,
  getManagedWebhook,
  rotateSecret,
  toEdit,
  toInput,
} from "./edit.js";
import { pingWebhook, redeliver } from "./enqueue.js";
import {
  getDelivery,
  listDeliveries,
  listWebhooks,
  readSecret,
  toBody,
  toDelivery,
  toWebhook,
  type WebhookRow,
} from "./read.js";

export const webhookRoutes: Route[] = [
  route(contract.listProjectWebhooks, async ({ params, viewer }, { db, vault }) => {
    const owner = await getManagedProject(db, viewer, params.ref);
    return (await listWebhooks(db, owner)).map((row) => toWebhook(vault, row));
  }),

  route(contract.createProjectWebhook, async (call, resources) => {
    const input = toInput(call.body, resources);
    const row = await changeProject(resources, call, "edit_details", (tx, { id }) =>
      createWebhook(tx, { kind: "project", id }, call.viewer.user.id, input),
    );
    return withSecret(resources, "Webhook added", row);
  }),

  route(contract.listOrganizationWebhooks, async ({ params, viewer }, { db, vault }) => {
    const owner = await getManagedOrg(db, viewer, params.ref);
    return (await listWebhooks(db, owner)).map((row) => toWebhook(vault, row));
  }),

  route(contract.createOrganizationWebhook, async ({ params, body, viewer, actor }, resources) => {
    const input = toInput(body, resources);
    const row = await write(resources, actor, async (tx) => {
      const { id } = await getEditableOrg(tx, viewer, params.ref, "edit_details");
      return createWebhook(tx, { kind: "organization", id }, viewer.user.id, input);
    });
    return withSecret(resources, "Webhook added", row);
  }),

  route(contract.getWebhook, async ({ params, viewer }, { db, vault }) =>
    toWebhook(vault, await getManagedWebhook(db, viewer, params.webhookId)),
  ),

  route(contract.editWebhook, async (call, resources) => {
    const row = await change(call, resources, (tx, webhook) =>
      editWebhook(tx, webhook, toEdit(call.body, webhook, resources)),
    );
    return { ...done("Webhook saved"), webhook: toWebhook(resources.vault, row) };
  }),

  route(contract.deleteWebhook, async (call, resources) => {
    await change(call, resources, deleteWebhook);
    return done("Webhook deleted");
  }),

  route(contract.rotateWebhookSecret, async (call, resources) => {
    const { keepOld = true } = call.body;
    const row = await change(call, resources, (tx, webhook) => rotateSecret(tx, webhook, keepOld));
    return withSecret(resources, keepOld ? "New secret made; the old one ends in 24 hours" : "New secret made", row);
  }),

  route(contract.pingWebhook, async (call, resources) => {
    const row = await change(call, resources, pingWebhook);
    return { ...done("Test message queued"), delivery: toDelivery(row) };
  }),

  route(contract.listWebhookDeliveries, async ({ params, query, viewer }, { db }) => {
    const { id } = await getManagedWebhook(db, viewer, params.webhookId);
    const { offset = 0, limit = 25 } = query;
    const rows = await listDeliveries(db, id, { offset, limit: limit + 1 });
    return { deliveries: rows.slice(0, limit).map((row) => toDelivery(row)), more: rows.length > limit };
  }),

  route(contract.getWebhookDelivery, async ({ params, viewer }, { db, config }) => {
    const webhook = await getManagedWebhook(db, viewer, params.webhookId);
    const row = await getDelivery(db, webhook.id, params.deliveryId);
    return { ...toDelivery(row), body: toBody(webhook, row, config.http) };
  }),

  route(contract.redeliverWebhook, async (call, resources) => {
    const row = await change(call, resources, (tx, { id }) => redeliver(tx, id, call.params.deliveryId));
    return { ...done("Delivery queued again"), delivery: toDelivery(row) };
  }),
];

interface WebhookCall {
  params: { webhookId: string };
  viewer: SignedIn;
  actor: Actor;
}

const change = <T>(
  { params, viewer, actor }: WebhookCall,
  resources: Resources,
  work: (tx: Tx, webhook: WebhookRow) => Promise<T>,
): Promise<T> =>
  write(resources, actor, async (tx) => work(tx, await getManagedWebhook(tx.db, viewer, params.webhookId)));

const withSecret = ({ vault }: Resources, message: string, row: WebhookRow) => ({
  ...done(message),
  webhook: toWebhook(vault, row),
  secret: readSecret(vault, row) ?? null,
});
