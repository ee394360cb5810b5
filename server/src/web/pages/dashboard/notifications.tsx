// The notifications: read, deleted, and acted upon where they stand.
import Type from "typebox";
import { catalogOf } from "../../../catalog/catalog.js";
import type { VersionEntry } from "../../../catalog/version-entries.js";
import { write } from "../../../changes/write.js";
import { needs, readable } from "../../../http/access.js";
import type { Route } from "../../../http/endpoint.js";
import type { Resources } from "../../../http/resources.js";
import type { SignedIn } from "../../../http/viewer.js";
import { listNotifications } from "../../../notifications/read.js";
import type { Notification } from "../../../notifications/shapes.js";
import { deleteNotifications, deleteRead, markRead } from "../../../notifications/write.js";
import { acceptInvite, leaveTeam } from "../../../teams/invitations.js";
import { formFields } from "../../form.js";
import { memberFormRoute, pageRoute } from "../../page.js";
import { seeOther } from "../../paths.js";
import { dashboardPage, dashboardWords } from "./dashboard-frame.js";
import { type NewsItem, NotificationList } from "./notification-list.js";

const path = "/dashboard/notifications";
const pageSize = 50;
const versionsShown = 5;

/** With the versions that they tell of, to download at once. */
async function toNews(resources: Resources, notifications: readonly Notification[]): Promise<NewsItem[]> {
  const projectIds = notifications.flatMap(({ type, about }) =>
    type === "version_published" && about?.kind === "project" ? [about.id] : [],
  );
  const versions = await catalogOf(resources).getVersions([...new Set(projectIds)]);
  return notifications.map((notification) => {
    const { body, about } = notification;
    const ids = Array.isArray(body.versionIds) ? (body.versionIds as unknown[]) : [];
    const own: readonly VersionEntry[] = about ? (versions.get(about.id) ?? []) : [];
    return { notification, versions: own.filter(({ id }) => ids.includes(id)).slice(0, versionsShown) };
  });
}

async function load(resources: Resources, viewer: SignedIn, page: number, unreadOnly: boolean) {
  const found = await listNotifications(resources, viewer, viewer.user.id, {
    limit: pageSize + 1,
    offset: (page - 1) * pageSize,
    unreadOnly,
  });
  return { news: await toNews(resources, found.slice(0, pageSize)), hasMore: found.length > pageSize };
}

export const notificationPageRoutes: Route[] = [
  pageRoute(
    {
      id: "getNotificationsPage",
      path,
      access: needs("notification_read"),
      summary: "The notifications",
      query: Type.Object({
        show: Type.Optional(Type.String({ maxLength: 16 })),
        page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
      }),
    },
    async ({ request, viewer, query }, resources) => {
      const { page = 1, show } = query;
      const isUnread = show === "unread";
      const { news, hasMore } = await load(resources, viewer, page, isUnread);
      return dashboardPage({
        title: dashboardWords(request).notifications,
        children: <NotificationList news={news} isUnread={isUnread} page={page} hasMore={hasMore} />,
      });
    },
  ),

  memberFormRoute(
    {
      id: "submitNotifications",
      path,
      access: readable("notification_write"),
      summary: "Mark notifications as read, or delete them",
      body: formFields("act", "id", "upTo"),
    },
    async ({ reply, viewer, actor, body }, resources) => {
      const { act, id = "", upTo = "" } = body;
      const userId = viewer.user.id;
      // Up to what was on the page: what came since has not been seen.
      const moment = /^\d{1,15}$/.test(upTo) ? Number(upTo) : resources.clock.now();
      await write(resources, actor, async (tx) => {
        if (act === "read") await markRead(tx, userId, { ids: [id] });
        if (act === "delete") await deleteNotifications(tx, userId, { ids: [id] });
        if (act === "readAll") await markRead(tx, userId, { upTo: moment });
        if (act === "deleteRead") await deleteRead(tx, userId);
      });
      return seeOther(reply, path);
    },
  ),

  memberFormRoute(
    {
      id: "submitInvitationAnswer",
      path: "/dashboard/invitation",
      access: readable("user_write"),
      summary: "Accept or decline an invitation",
      body: formFields("teamId", "answer"),
      errors: ["inviteNotFound", "memberNotFound"],
    },
    async ({ reply, viewer, actor, body }, resources) => {
      const { teamId = "", answer } = body;
      const work = answer === "accept" ? acceptInvite : leaveTeam;
      await write(resources, actor, (tx) => work(tx, viewer, teamId));
      return seeOther(reply, "/dashboard");
    },
  ),
];
