// Endpoints of webhooks of projects and organizations: messages about events, sent to a URL that the team chooses.
import Type, { type Static } from "typebox";
import { needs, needsOneOf } from "#platform/http/access.js";
import { endpoint } from "#platform/http/endpoint.js";
import {
  Choice,
  Described,
  Done,
  DoneWith,
  Id,
  Named,
  Nullable,
  Ref,
  Text,
  Timestamp,
} from "#platform/http/schemas.js";
import { eventMeanings, maxPerOwner } from "./event-types.js";

const tag = "Webhooks";

const Url = Text("webhookUrl", {
  description: "https, port 443 or one from 1024 up, on the public internet",
  examples: ["https://hooks.example.org/modshelf"],
});
const Form = Choice(
  { standard: "Signed JSON, as docs/webhooks.md describes it", discord: "A message for a Discord channel" },
  { description: "Format of the messages; standard unless given" },
);
const Events = Type.Array(Choice(eventMeanings), {
  minItems: 1,
  maxItems: 50,
  description: "Events to send messages about",
  examples: [["version.published"]],
});

export const Webhook = Named(
  "Webhook",
  {
    id: Described(Id, "Id of the webhook"),
    ownerKind: Choice(
      { project: "A project", organization: "An organization" },
      { description: "The type of its owner" },
    ),
    ownerId: Described(Id, "Id of the project or organization"),
    url: Type.String({
      description:
        "Where messages are sent: the host and the last four characters, because anyone who knows the whole URL may be able to post there",
      examples: ["https://hooks.example.org/…kX3v"],
    }),
    form: Form,
    events: Type.Array(Type.String(), { description: "Events that messages are sent about" }),
    enabled: Type.Boolean({ description: "Whether messages are sent" }),
    disabledReason: Nullable(
      Choice(
        { failing: "Deliveries failed for days", gone: "The receiver answered 410" },
        { description: "Why the service switched it off; null where it did not" },
      ),
    ),
    failures: Type.Integer({ description: "Number of consecutive failures" }),
    dateResumes: Nullable(Type.String({ format: "date-time", description: "Nothing is sent before this time" })),
    dateOldSecretEnds: Nullable(
      Type.String({ format: "date-time", description: "Until then messages are signed with the old secret too" }),
    ),
    dateCreated: Described(Timestamp, "When it was added"),
    dateUpdated: Described(Timestamp, "When it was last changed"),
  },
  { description: "A URL that messages are sent to" },
);
export type Webhook = Static<typeof Webhook>;

const delivery = {
  id: Described(Id, "Id of the delivery"),
  messageId: Type.String({
    description: "The webhook-id header: the same for every attempt of one message",
    examples: ["msg_kX3vQ9aB"],
  }),
  event: Type.String({ description: "Event that it is about", examples: ["version.published"] }),
  status: Choice(
    { pending: "It will be tried again", delivered: "The receiver has accepted it", failed: "It was given up" },
    { description: "The outcome" },
  ),
  attempts: Type.Integer({ description: "Number of attempts" }),
  responseStatus: Nullable(Type.Integer(), "Status of the last answer; null where there was none"),
  responseExcerpt: Nullable(Type.String({ description: "The first 1,000 characters" })),
  error: Nullable(Type.String({ description: "Why the last attempt failed" })),
  dateCreated: Described(Timestamp, "When the event happened"),
  dateAttempted: Nullable(Timestamp, "When it was last tried; null before the first attempt"),
  dateNext: Nullable(Timestamp, "When it is tried next; null where it is not"),
};
export const Delivery = Named("WebhookDelivery", delivery, { description: "A message to a webhook" });
export type Delivery = Static<typeof Delivery>;
const WholeDelivery = Named(
  "WholeWebhookDelivery",
  {
    ...delivery,
    body: Type.String({ description: "The exact body of the request" }),
  },
  { description: "A message to a webhook with its body" },
);

const webhookParams = Type.Object({ webhookId: Ref("Webhook id") });
const deliveryParams = Type.Object({ webhookId: Ref("Webhook id"), deliveryId: Ref("Delivery id") });
const Secret = Nullable(Type.String({ description: "For checking signatures; shown only once. Null for Discord" }));
const Saved = DoneWith({ webhook: Webhook });
const SavedWithSecret = DoneWith({ webhook: Webhook, secret: Secret });

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
  enabled: Type.Optional(Type.Boolean({ default: true, description: "Whether messages are sent" })),
});
const creation = `The secret is shown only in this answer. At most ${maxPerOwner} each.`;

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
  description: `Needs edit_details. It gets the events of all projects of the organization, including private ones. ${creation}`,
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
  description:
    "Absent fields stay unchanged, and so does a URL that is sent as it is shown. Enabling it also resets its failures.",
  body: Type.Object({
    url: Type.Optional(Url),
    events: Type.Optional(Events),
    enabled: Type.Optional(Type.Boolean({ description: "Whether messages are sent" })),
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
  summary: "Rotate the secret",
  description: "For 24 hours messages are signed with both, unless the old one is revoked immediately.",
  body: Type.Object({
    keepOld: Type.Optional(Type.Boolean({ default: true, description: "false: revoke the old secret immediately" })),
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
  description: "A message of the type ping, even if the webhook is disabled. Get the delivery to see its outcome.",
  answer: DoneWith({ delivery: Delivery }),
  errors: ["webhookNotFound"],
});

export const listWebhookDeliveries = endpoint({
  ...ofWebhook,
  id: "listWebhookDeliveries",
  method: "GET",
  path: "/api/webhook/:webhookId/deliveries",
  rate: "read",
  summary: "List a webhook's deliveries",
  description: "Newest first. The last 200 are stored, for 30 days.",
  query: Type.Object({
    offset: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 10_000, default: 0, description: "Number of deliveries to skip" }),
    ),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100, default: 25, description: "Maximum number of deliveries" }),
    ),
  }),
  answer: Type.Object({
    deliveries: Type.Array(Delivery, { description: "Deliveries, newest first" }),
    more: Type.Boolean({ description: "Whether there are older ones" }),
  }),
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
  description: "With the same webhook-id, so that a receiver can recognize it.",
  answer: DoneWith({ delivery: Delivery }),
  errors: ["webhookNotFound", "deliveryNotFound"],
});
