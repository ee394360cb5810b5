// What a user wants to be told, and how.
import Type from "typebox";
import { FollowDefaultsInput } from "#community/follows/shapes.js";
import { needs } from "#platform/http/access.js";
import { endpoint } from "#platform/http/endpoint.js";
import { Described, DoneWith } from "#platform/http/schemas.js";
import { Digest, Muted, NotificationSettings } from "./shapes.js";

const shared = { path: "/api/notifications/settings", tag: "Notifications" } as const;

export const getNotificationSettings = endpoint({
  ...shared,
  id: "getNotificationSettings",
  method: "GET",
  access: needs("notification_read"),
  rate: "read",
  summary: "Get your notification settings",
  answer: NotificationSettings,
});

export const setNotificationSettings = endpoint({
  ...shared,
  id: "setNotificationSettings",
  method: "PATCH",
  access: needs("notification_write"),
  rate: "write",
  summary: "Change your notification settings",
  description:
    "A field that is absent stays. followDefaults apply to every follow that has no preferences of its own; inside it too, an absent field stays.",
  body: Type.Object({
    digest: Type.Optional(Digest),
    muted: Type.Optional(Muted),
    followDefaults: Type.Optional(
      Described(FollowDefaultsInput, "What you are told of, where a follow has no preferences of its own"),
    ),
  }),
  answer: DoneWith({ settings: NotificationSettings }),
});
