// Webhooks of projects and organizations: messages about what happens, sent to an address of their team's choice.
import Type, { type Static } from "typebox";
import { needs, needsOneOf } from "../http/access.js";
import { endpoint } from "../http/endpoint.js";
import { Done, Id, Named, Nullable, Ref, Text, Timestamp } from "../http/schemas.js";
import { eventMeanings, eventTypes, maxPerOwner } from "./event-types.js";

const tag = "Webhooks";

const forms = ["standard", "discord"] as const;
const Url = Text("webhookUrl", {
  description: "https, port 443 or one from 1024 up, on the public internet",
  examples: ["https://hooks.example.org/modshelf"],
});
const Form = Type.Enum([...forms], {
  description: "standard: signed JSON as docs/webhooks.md describes it; discord: a message for a Discord channel",
});
const Events = Type.Array(Type.Enum([...eventTypes]), {
  minItems: 1,
  maxItems: 50,
  description: `What to tell of. ${eventTypes.map((type) => `${type}: ${eventMeanings[type]}`).join(". ")}`,
  examples: [["version.published"]],
});

export const Webhook = Named("Webhook", {
  id: Id,
  ownerKind: Type.Enum(["project", "organization"]),
  ownerId: Id,
  url: Type.String(),
  form: Form,
  events: Type.Array(Type.String()),
  enabled: Type.Boolean(),
  disabledReason: Nullable(
    Type.Enum(["failing", "gone"], {
      description: "Why the service switched it off: no good answer for days, or the receiver said 410",
    }),
  ),
  failures: Type.Integer({ description: "Tries in a row that failed" }),
  dateResumes: Nullable(Type.String({ format: "date-time", description: "Nothing is tried before" })),
  dateOldSecretEnds: Nullable(
    Type.String({ format: "date-time", description: "Until then messages are signed with the old secret too" }),
  ),
  dateCreated: Timestamp,
  dateUpdated: Timestamp,
});
export type Webhook = Static<typeof Webhook>;

const delivery = {
  id: Id,
  messageId: Type.String({
    description: "The webhook-id header: the same for every try of one message",
    examples: ["msg_kX3vQ9aB"],
  }),
  event: Type.String({ examples: ["version.published"] }),
  status: Type.Enum(["pending", "delivered", "failed"]),
  attempts: Type.Integer(),
  responseStatus: Nullable(Type.Integer()),
  responseExcerpt: Nullable(Type.String({ description: "The first 1,000 characters" })),
  error: Nullable(Type.String({ description: "Why the last try failed" })),
  dateCreated: Timestamp,
  dateAttempted: Nullable(Timestamp),
  dateNext: Nullable(Timestamp),
};
export const Delivery = Named("WebhookDelivery", delivery);
export type Delivery = Static<typeof Delivery>;
const WholeDelivery = Named("WholeWebhookDelivery", {
  ...delivery,
  body: Type.String({ description: "What is sent, to the letter" }),
});

const webhookParams = Type.Object({ webhookId: Ref("Webhook id") });
const deliveryParams = Type.Object({ webhookId: Ref("Webhook id"), deliveryId: Ref("Delivery id") });
const Secret = Nullable(
  Type.String({ description: "To check signatures with; shown this once. Null for Discord, which checks none" }),
);
const saved = { success: Type.Literal(true), message: Type.String(), webhook: Webhook };
const Saved = Type.Object(saved);
const SavedWithSecret = Type.Object({ ...saved, secret: Secret });

const owners = {
  project: { path: "/api/project/:ref/webhooks", params: Type.Object({ ref: Ref("Project id or slug") }) },
  organization: {
    path: "/api/organization/:ref/webhooks",
    params: Type.Object({ ref: Ref("Organization id or slug") }),
  },
};
const input = Type.Object({
  url: Url,
  form: Type.Optional(Form),
  events: Events,
  enabled: Type.Optional(Type.Boolean({ default: true })),
});
const creation = `The answer holds the secret, this once. At most ${maxPerOwner} each.`;

export const listProjectWebhooks = endpoint({
  id: "listProjectWebhooks",
  method: "GET",
  ...owners.project,
  access: needs("project_write"),
  rate: "read",
  tag,
  summary: "List a project's webhooks",
  description: "Needs edit_details. Oldest first.",
  answer: Type.Array(Webhook),
  errors: ["projectNotFound", "permissionMissing"],
});

export const createProjectWebhook = endpoint({
  id: "createProjectWebhook",
  method: "POST",
  ...owners.project,
  access: needs("project_write"),
  rate: "write",
  tag,
  summary: "Add a webhook to a project",
  description: `Needs edit_details. ${creation}`,
  body: input,
  answer: SavedWithSecret,
  errors: ["projectNotFound", "permissionMissing", "wrongState"],
  secretAnswer: true,
});

export const listOrganizationWebhooks = endpoint({
  id: "listOrganizationWebhooks",
  method: "GET",
  ...owners.organization,
  access: needs("organization_write"),
  rate: "read",
  tag,
  summary: "List an organization's webhooks",
  description: "Needs edit_details. Oldest first.",
  answer: Type.Array(Webhook),
  errors: ["organizationNotFound", "permissionMissing"],
});

export const createOrganizationWebhook = endpoint({
  id: "createOrganizationWebhook",
  method: "POST",
  ...owners.organization,
  access: needs("organization_write"),
  rate: "write",
  tag,
  summary: "Add a webhook to an organization",
  description: `Needs edit_details. It is told of all projects of the organization, private ones too. ${creation}`,
  body: input,
  answer: SavedWithSecret,
  errors: ["organizationNotFound", "permissionMissing", "wrongState"],
  secretAnswer: true,
});

const eitherScope = needsOneOf("project_write", "organization_write");
const ofWebhook = { access: eitherScope, tag, params: webhookParams } as const;

export const getWebhook = endpoint({
  ...ofWebhook,
  id: "getWebhook",
  method: "GET",
  path: "/api/webhook/:webhookId",
  rate: "read",
  summary: "Get a webhook",
  answer: Webhook,
  errors: ["webhookNotFound"],
});

export const editWebhook = endpoint({
  ...ofWebhook,
  id: "editWebhook",
  method: "PATCH",
  path: "/api/webhook/:webhookId",
  rate: "write",
  summary: "Edit a webhook",
  description: "A field that is absent stays. Switching it on again also forgets its failures.",
  body: Type.Object({
    url: Type.Optional(Url),
    events: Type.Optional(Events),
    enabled: Type.Optional(Type.Boolean()),
  }),
  answer: Saved,
  errors: ["webhookNotFound"],
});

export const deleteWebhook = endpoint({
  ...ofWebhook,
  id: "deleteWebhook",
  method: "DELETE",
  path: "/api/webhook/:webhookId",
  rate: "write",
  summary: "Delete a webhook with its deliveries",
  answer: Done,
  errors: ["webhookNotFound"],
});

export const rotateWebhookSecret = endpoint({
  ...ofWebhook,
  id: "rotateWebhookSecret",
  method: "POST",
  path: "/api/webhook/:webhookId/secret",
  rate: "write",
  summary: "Make a new secret",
  description: "For 24 hours messages are signed with both, unless the old one is to end at once.",
  body: Type.Object({
    keepOld: Type.Optional(Type.Boolean({ default: true, description: "false: the old secret has leaked" })),
  }),
  answer: SavedWithSecret,
  errors: ["webhookNotFound"],
  secretAnswer: true,
});

export const pingWebhook = endpoint({
  ...ofWebhook,
  id: "pingWebhook",
  method: "POST",
  path: "/api/webhook/:webhookId/ping",
  rate: "write",
  summary: "Send a test message",
  description:
    "Of the type ping, also while the webhook is switched off. Ask for the delivery to see what became of it.",
  answer: Type.Object({ success: Type.Literal(true), message: Type.String(), delivery: Delivery }),
  errors: ["webhookNotFound"],
});

export const listWebhookDeliveries = endpoint({
  ...ofWebhook,
  id: "listWebhookDeliveries",
  method: "GET",
  path: "/api/webhook/:webhookId/deliveries",
  rate: "read",
  summary: "List a webhook's deliveries",
  description: "Newest first. The last 200 are kept, for 30 days.",
  query: Type.Object({
    offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000, default: 0 })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 25 })),
  }),
  answer: Type.Object({ deliveries: Type.Array(Delivery), more: Type.Boolean() }),
  errors: ["webhookNotFound"],
});

export const getWebhookDelivery = endpoint({
  ...ofWebhook,
  id: "getWebhookDelivery",
  method: "GET",
  path: "/api/webhook/:webhookId/deliveries/:deliveryId",
  params: deliveryParams,
  rate: "read",
  summary: "Get a delivery with its body",
  answer: WholeDelivery,
  errors: ["webhookNotFound", "deliveryNotFound"],
});

export const redeliverWebhook = endpoint({
  ...ofWebhook,
  id: "redeliverWebhook",
  method: "POST",
  path: "/api/webhook/:webhookId/deliveries/:deliveryId/redeliver",
  params: deliveryParams,
  rate: "write",
  summary: "Send a delivery again, now",
  description: "With the same webhook-id, so that a receiver that had it can tell.",
  answer: Type.Object({ success: Type.Literal(true), message: Type.String(), delivery: Delivery }),
  errors: ["webhookNotFound", "deliveryNotFound"],
});
