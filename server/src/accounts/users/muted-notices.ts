// The kinds of notifications that a user has turned off. They are not in community/notifications, because every wing
// that notifies users needs them.
import { sql } from "kysely";
import { fromJson, type Json } from "#lib/json.js";
import { inList } from "#platform/db/dialect.js";
import type { Db } from "#platform/db/tables.js";

/** Messages from moderators cannot be muted: the user would learn of them too late. */
export const mutableTypes = ["team_invite", "organization_invite", "version_published", "project_published"] as const;
export type MutableType = (typeof mutableTypes)[number];

/** Types that no longer exist are left out. */
export const toMuted = (stored: Json<string[]> | null): MutableType[] => {
  const muted = new Set(stored === null ? [] : fromJson(stored));
  return mutableTypes.filter((type) => muted.has(type));
};

/** The users who have not muted this type. */
export async function listUnmuted(db: Db, userIds: readonly string[], type: MutableType): Promise<string[]> {
  const rows = await db
    .selectFrom("notification_settings")
    .select(["user_id", "muted"])
    .where(inList(db, sql.ref("user_id"), userIds))
    .execute();
  const muting = new Set(rows.filter(({ muted }) => toMuted(muted).includes(type)).map(({ user_id }) => user_id));
  return userIds.filter((id) => !muting.has(id));
}
