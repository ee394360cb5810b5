// The routes of notifications.

import { findProfile } from "#accounts/users/read.js";
import { checkPreferences } from "#community/follows/policy.js";
import { getTaxonomy } from "#content/taxonomy/read.js";
import { write } from "#platform/changes/write.js";
import { fail, invalid } from "#platform/errors.js";
import { type Call, type Route, route } from "#platform/http/endpoint.js";
import { parseIds } from "#platform/http/id-list.js";
import type { Resources } from "#platform/http/resources.js";
import { done } from "#platform/http/schemas.js";
import { needPowers } from "#platform/http/staff-powers.js";
import type { SignedIn } from "#platform/http/viewer.js";
import { say } from "#words/said.js";
import * as contract from "./contract.js";
import { countUnread, findNotification, listNotifications } from "./read.js";
import { editSettings, getSettings } from "./settings.js";
import * as settings from "./settings-contract.js";
import { deleteNotifications, markRead, type NotificationSelection } from "./write.js";

interface NotificationCall extends Pick<Call, "actor"> {
  viewer: SignedIn;
}
interface Page {
  limit?: number;
  offset?: number;
  unread?: string;
  type?: string;
}

export const notificationRoutes: Route[] = [
  route(contract.getNotifications, ({ viewer, query }, resources) => list(resources, viewer, viewer.user.id, query)),
  route(contract.getUserNotifications, async ({ viewer, params, query }, resources) =>
    list(resources, viewer, await getReaderId(resources, viewer, params.ref), query),
  ),

  route(contract.countUnread, async ({ viewer }, { db }) => ({ unread: await countUnread(db, viewer.user.id) })),
  route(contract.countUserUnread, async ({ viewer, params }, resources) => ({
    unread: await countUnread(resources.db, await getReaderId(resources, viewer, params.ref)),
  })),

  route(contract.getNotification, ({ viewer, params }, resources) =>
    getOne(resources, viewer, viewer.user.id, params.id),
  ),
  route(contract.getUserNotification, async ({ viewer, params }, resources) =>
    getOne(resources, viewer, await getReaderId(resources, viewer, params.ref), params.id),
  ),

  route(contract.markNotificationsRead, (call, resources) =>
    mark(resources, call, call.viewer.user.id, parseWhich(call.query, resources)),
  ),
  route(contract.markUserNotificationsRead, async (call, resources) => {
    const userId = await getReaderId(resources, call.viewer, call.params.ref);
    return mark(resources, call, userId, parseWhich(call.query, resources));
  }),
  route(contract.markNotificationRead, (call, resources) =>
    mark(resources, call, call.viewer.user.id, { ids: [call.params.id] }),
  ),
  route(contract.markUserNotificationRead, async (call, resources) => {
    const userId = await getReaderId(resources, call.viewer, call.params.ref);
    return mark(resources, call, userId, { ids: [call.params.id] });
  }),

  route(contract.deleteNotifications, (call, resources) =>
    remove(resources, call, call.viewer.user.id, parseWhich(call.query, resources)),
  ),
  route(contract.deleteUserNotifications, async (call, resources) => {
    const userId = await getReaderId(resources, call.viewer, call.params.ref);
    return remove(resources, call, userId, parseWhich(call.query, resources));
  }),
  route(contract.deleteNotification, (call, resources) =>
    remove(resources, call, call.viewer.user.id, { ids: [call.params.id] }),
  ),
  route(contract.deleteUserNotification, async (call, resources) => {
    const userId = await getReaderId(resources, call.viewer, call.params.ref);
    return remove(resources, call, userId, { ids: [call.params.id] });
  }),

  route(settings.getNotificationSettings, ({ viewer }, resources) => getSettings(resources, viewer.user.id)),
  route(settings.setNotificationSettings, async ({ viewer, actor, body }, resources) => {
    const { digest, muted, followDefaults: given } = body;
    const followDefaults = given && checkPreferences(await getTaxonomy(resources), given, "followDefaults.");
    await write(resources, actor, (tx) => editSettings(tx, viewer.user.id, { digest, muted, followDefaults }));
    return { ...done("Settings saved"), settings: await getSettings(resources, viewer.user.id) };
  }),
];

/** Users by id or name: oneself, or any user for moderators. */
async function getReaderId({ db }: Resources, viewer: SignedIn, ref: string): Promise<string> {
  const user = await findProfile(db, ref);
  if (!user) throw fail.userNotFound();
  if (user.id !== viewer.user.id) needPowers(viewer, "moderator");
  return user.id;
}

const list = (resources: Resources, viewer: SignedIn, userId: string, { limit, offset, unread, type }: Page) =>
  listNotifications(resources, viewer, userId, { limit, offset, unreadOnly: unread === "true", type });

async function getOne(resources: Resources, viewer: SignedIn, userId: string, id: string) {
  const notification = await findNotification(resources, viewer, userId, id);
  if (!notification) throw fail.notificationNotFound();
  return notification;
}

function parseWhich(
  { ids, all, before }: { ids?: string; all?: string; before?: string },
  { clock }: Resources,
): NotificationSelection {
  if (all !== "true") return { ids: parseIds(ids ?? "") };
  const upTo = before === undefined ? clock.now() : Date.parse(before);
  if (Number.isNaN(upTo)) throw invalid({ path: "before", message: say.problems.timestamp });
  return { upTo };
}

async function mark(
  resources: Resources,
  { viewer, actor }: NotificationCall,
  userId: string,
  which: NotificationSelection,
) {
  const count = await write(resources, actor, async (tx) => {
    if (userId !== viewer.user.id) tx.audit("notification.read", { kind: "user", id: userId });
    const found = await markRead(tx, userId, which);
    if (found === 0 && "ids" in which) throw fail.notificationNotFound();
    return found;
  });
  return done(`${counted(count)} marked as read`);
}

async function remove(
  resources: Resources,
  { viewer, actor }: NotificationCall,
  userId: string,
  which: NotificationSelection,
) {
  const count = await write(resources, actor, async (tx) => {
    if (userId !== viewer.user.id) tx.audit("notification.delete", { kind: "user", id: userId });
    return deleteNotifications(tx, userId, which);
  });
  return done(`${counted(count)} deleted`);
}

const counted = (count: number): string => `${count} ${count === 1 ? "notification" : "notifications"}`;
