// The notifications, unread or read, with their actions in place.
import type { FastifyRequest } from "fastify";
import Type from "typebox";
import { type MutableType, mutableTypes } from "#accounts/users/muted-notices.js";
import { type Author, unfollowAuthor } from "#community/follows/authors.js";
import { findFollow } from "#community/follows/read.js";
import { setPreferences } from "#community/follows/write.js";
import { findNotification, listNotifications } from "#community/notifications/read.js";
import { editSettings, getSettings } from "#community/notifications/settings.js";
import type { Notification } from "#community/notifications/shapes.js";
import { deleteNotifications, deleteRead, markRead } from "#community/notifications/write.js";
import { type VersionEntry, versionEntries } from "#content/versions/entries.js";
import { type Tx, write } from "#platform/changes/write.js";
import { needs, readable } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import type { SignedIn } from "#platform/http/viewer.js";
import { formFields } from "#web/context/form.js";
import { safeNext, seeOther } from "#web/context/paths.js";
import { localeOf } from "#web/context/preferences.js";
import { memberFormRoute, pageRoute } from "#web/frame/page.js";
import { dashboardPage, dashboardWords } from "./dashboard-frame.js";
import { kindOf, notificationKinds } from "./notification-kinds.js";
import { type NewsItem, NotificationList } from "./notification-list.js";

const path = "/dashboard/notifications";
const pageSize = 50;
const versionsShown = 5;

/** The versions that the notification recommends. */
function offeredBy({ type, body }: Notification): readonly unknown[] {
  if (type === "version_withdrawn") return [body.replacementId];
  return type === "version_published" && Array.isArray(body.versionIds) ? body.versionIds : [];
}

/** Adds these versions, to be downloaded at once. */
async function toNews(resources: Resources, notifications: readonly Notification[]): Promise<NewsItem[]> {
  const projectIds = notifications.flatMap((each) =>
    offeredBy(each).length > 0 && each.about?.kind === "project" ? [each.about.id] : [],
  );
  const versions = await versionEntries(resources).load([...new Set(projectIds)]);
  return notifications.map((notification) => {
    const { about } = notification;
    const ids = offeredBy(notification);
    const own: readonly VersionEntry[] = about ? (versions.get(about.id) ?? []) : [];
    return { notification, versions: own.filter(({ id }) => ids.includes(id)).slice(0, versionsShown) };
  });
}

const query = Type.Object({
  kind: Type.Optional(Type.String({ maxLength: 16 })),
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
});

interface Asked {
  request: FastifyRequest;
  viewer: SignedIn;
  query: Type.Static<typeof query>;
}

async function shown({ request, viewer, query: asked }: Asked, resources: Resources, isHistory: boolean) {
  const { page = 1 } = asked;
  const kind = kindOf(asked.kind);
  const found = await listNotifications(resources, viewer, viewer.user.id, {
    limit: pageSize + 1,
    offset: (page - 1) * pageSize,
    unreadOnly: !isHistory,
    readOnly: isHistory,
    types: kind && notificationKinds[kind],
    locale: localeOf(request),
  });
  const news = await toNews(resources, found.slice(0, pageSize));
  const t = dashboardWords(request);
  return dashboardPage({
    title: isHistory ? t.history : t.notifications,
    children: (
      <NotificationList
        news={news}
        kind={kind}
        page={page}
        hasMore={found.length > pageSize}
        isHistory={isHistory}
        path={isHistory ? `${path}/history` : path}
      />
    ),
  });
}

export const notificationPageRoutes: Route[] = [
  pageRoute(
    {
      id: "getNotificationsPage",
      path,
      access: needs("notification_read"),
      summary: "The unread notifications",
      query,
    },
    (call, resources) => shown(call, resources, false),
  ),

  pageRoute(
    {
      id: "getNotificationHistoryPage",
      path: `${path}/history`,
      access: needs("notification_read"),
      summary: "The read notifications",
      query,
    },
    (call, resources) => shown(call, resources, true),
  ),

  memberFormRoute(
    {
      id: "submitNotifications",
      path,
      access: readable("notification_read", "notification_write", "user_write"),
      summary: "Mark notifications as read, delete them, or mute their type",
      body: formFields("act", "id", "upTo", "next"),
    },
    async ({ reply, viewer, actor, body }, resources) => {
      const { act, id = "", upTo = "", next } = body;
      const userId = viewer.user.id;
      // Only up to the newest one on the page: the user has not seen later ones.
      const moment = /^\d{1,15}$/.test(upTo) ? Number(upTo) : resources.clock.now();
      const unwanted =
        act === "mute" || act === "unfollow" ? await findNotification(resources, viewer, userId, id) : undefined;
      const settings = await getSettings(resources, userId);
      await write(resources, actor, async (tx) => {
        if (act === "read") await markRead(tx, userId, { ids: [id] });
        if (act === "delete") await deleteNotifications(tx, userId, { ids: [id] });
        if (act === "readAll") await markRead(tx, userId, { upTo: moment });
        if (act === "deleteRead") await deleteRead(tx, userId);
        if (unwanted) await mute(tx, viewer, unwanted, settings.muted);
      });
      return seeOther(reply, safeNext(next, path));
    },
  ),
];

function authorOf({ userId, orgId }: Notification["body"]): Author | undefined {
  if (typeof userId === "string") return { kind: "user", id: userId };
  return typeof orgId === "string" ? { kind: "organization", id: orgId } : undefined;
}

/**
 * News of a project are muted for this project if it is followed, and news of an author by unfollowing them; other
 * notifications are muted by type.
 */
async function mute(
  tx: Tx,
  viewer: SignedIn,
  { id, type, about, body }: Notification,
  muted: readonly MutableType[],
): Promise<void> {
  const userId = viewer.user.id;
  await markRead(tx, userId, { ids: [id] });
  if (type === "version_published" && about?.kind === "project") {
    if (await findFollow(tx.db, userId, about.id)) await setPreferences(tx, viewer, about.id, { mode: "none" });
    return;
  }
  const author = authorOf(body);
  if (type === "project_published" && author) {
    await unfollowAuthor(tx, userId, author);
    return;
  }
  const kind = mutableTypes.find((each) => each === type);
  if (kind) await editSettings(tx, userId, { muted: [...muted, kind] });
}
