// The API of notifications: the own ones and, for moderators, those of other users (earlier-service 4.13).
import Type, { type TObject } from "typebox";
import { needs } from "#platform/http/access.js";
import { endpoint } from "#platform/http/endpoint.js";
import { Done, IdList, Ref, Switch } from "#platform/http/schemas.js";
import { Notification } from "./shapes.js";

const tag = "Notifications";
const reading = { method: "GET", access: needs("notification_read"), rate: "read", tag } as const;
const marking = { method: "PATCH", access: needs("notification_write"), rate: "write", tag } as const;
const deleting = { method: "DELETE", access: needs("notification_delete"), rate: "write", tag } as const;

const page = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 100, description: "Most entries" })),
  offset: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 1_000_000, default: 0, description: "How many of the newest to pass over" }),
  ),
  unread: Switch("true: only unread notifications"),
  type: Type.Optional(
    Type.String({ maxLength: 64, description: "Only those of this type; see the field body of Notification" }),
  ),
});

/** The notifications of a call. */
const several = Type.Object({
  ids: Type.Optional(IdList("notification ids", "kX3vQ9aB")),
  all: Switch("true: all of them, in place of ids"),
  before: Type.Optional(
    Type.String({
      maxLength: 40,
      description: "With all: only those from up to this moment, so that what came since is not touched",
    }),
  ),
});

const Count = Type.Object({ unread: Type.Integer({ description: "How many were not read" }) });
const ofUser = { ref: Ref("User id or username", "ada") };
const notificationId = { id: Ref("Id of the notification") };
const own = "/api/notifications";
const others = "/api/user/:ref/notifications";
const forModerators = "Your own notifications; moderators can read those of any user.";
const Params = <T extends TObject["properties"]>(properties: T) => Type.Object(properties);

export const getNotifications = endpoint({
  ...reading,
  id: "getNotifications",
  path: own,
  summary: "List your notifications",
  description: "Newest first; the newest 100 where no limit is given.",
  query: page,
  answer: Type.Array(Notification),
});

export const getUserNotifications = endpoint({
  ...reading,
  id: "getUserNotifications",
  path: others,
  summary: "List a user's notifications",
  description: forModerators,
  params: Params(ofUser),
  query: page,
  answer: Type.Array(Notification),
  errors: ["userNotFound", "moderatorOnly"],
});

export const countUnread = endpoint({
  ...reading,
  id: "countUnread",
  path: `${own}/unread-count`,
  summary: "Count your unread notifications",
  answer: Count,
});

export const countUserUnread = endpoint({
  ...reading,
  id: "countUserUnread",
  path: `${others}/unread-count`,
  summary: "Count a user's unread notifications",
  description: forModerators,
  params: Params(ofUser),
  answer: Count,
  errors: ["userNotFound", "moderatorOnly"],
});

export const getNotification = endpoint({
  ...reading,
  id: "getNotification",
  path: `${own}/:id`,
  summary: "Get one of your notifications",
  params: Params(notificationId),
  answer: Notification,
  errors: ["notificationNotFound"],
});

export const getUserNotification = endpoint({
  ...reading,
  id: "getUserNotification",
  path: `${others}/:id`,
  summary: "Get one of a user's notifications",
  description: forModerators,
  params: Params({ ...ofUser, ...notificationId }),
  answer: Notification,
  errors: ["userNotFound", "moderatorOnly", "notificationNotFound"],
});

export const markNotificationsRead = endpoint({
  ...marking,
  id: "markNotificationsRead",
  path: own,
  summary: "Mark several of your notifications as read, or all",
  query: several,
  answer: Done,
  errors: ["notificationNotFound"],
});

export const markUserNotificationsRead = endpoint({
  ...marking,
  id: "markUserNotificationsRead",
  path: others,
  summary: "Mark several of a user's notifications as read, or all",
  description: forModerators,
  params: Params(ofUser),
  query: several,
  answer: Done,
  errors: ["userNotFound", "moderatorOnly", "notificationNotFound"],
});

export const markNotificationRead = endpoint({
  ...marking,
  id: "markNotificationRead",
  path: `${own}/:id`,
  summary: "Mark one of your notifications as read",
  params: Params(notificationId),
  answer: Done,
  errors: ["notificationNotFound"],
});

export const markUserNotificationRead = endpoint({
  ...marking,
  id: "markUserNotificationRead",
  path: `${others}/:id`,
  summary: "Mark one of a user's notifications as read",
  description: forModerators,
  params: Params({ ...ofUser, ...notificationId }),
  answer: Done,
  errors: ["userNotFound", "moderatorOnly", "notificationNotFound"],
});

export const deleteNotifications = endpoint({
  ...deleting,
  id: "deleteNotifications",
  path: own,
  summary: "Delete several of your notifications, or all",
  description: "Notifications that are already deleted are ignored.",
  query: several,
  answer: Done,
});

export const deleteUserNotifications = endpoint({
  ...deleting,
  id: "deleteUserNotifications",
  path: others,
  summary: "Delete several of a user's notifications, or all",
  description: forModerators,
  params: Params(ofUser),
  query: several,
  answer: Done,
  errors: ["userNotFound", "moderatorOnly"],
});

export const deleteNotification = endpoint({
  ...deleting,
  id: "deleteNotification",
  path: `${own}/:id`,
  summary: "Delete one of your notifications",
  params: Params(notificationId),
  answer: Done,
});

export const deleteUserNotification = endpoint({
  ...deleting,
  id: "deleteUserNotification",
  path: `${others}/:id`,
  summary: "Delete one of a user's notifications",
  description: forModerators,
  params: Params({ ...ofUser, ...notificationId }),
  answer: Done,
  errors: ["userNotFound", "moderatorOnly"],
});
