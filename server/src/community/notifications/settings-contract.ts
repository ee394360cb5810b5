// The API of a user's notification settings.
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
    "Absent fields stay unchanged. followDefaults apply to every follow that has no preferences; absent fields in it stay unchanged too.",
  body: Type.Object({
    digest: Type.Optional(Digest),
    muted: Type.Optional(Muted),
    followDefaults: Type.Optional(
      Described(FollowDefaultsInput, "Which versions you are notified of if a follow has no preferences"),
    ),
  }),
  answer: DoneWith({ settings: NotificationSettings }),
});
