// Notifications about threads, reports and moderation. There is one per user and subject: a new one replaces an unread
// one.

import { toJson } from "#lib/json.js";
import { newId } from "#lib/random.js";
import type { Tx } from "#platform/changes/write.js";
import { placeholderId } from "#platform/db/placeholder.js";
import type { Db, Row } from "#platform/db/tables.js";

export interface NewNotification {
  type: string;
  /** The subject. */
  groupKey: string;
  body: object;
}

export async function notify(
  tx: Tx,
  userIds: readonly string[],
  { type, groupKey, body }: NewNotification,
): Promise<void> {
  const rows = [...new Set(userIds)]
    .filter((id) => id !== placeholderId)
    .map((user_id) => ({
      id: newId(tx.random),
      user_id,
      type,
      group_key: groupKey,
      body: toJson<unknown>(body),
      date_created: tx.now,
      date_read: null,
    }));
  if (rows.length === 0) return;
  await tx.db
    .insertInto("notifications")
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(["user_id", "group_key"]).doUpdateSet((set) => ({
        type: set.ref("excluded.type"),
        body: set.ref("excluded.body"),
        date_created: set.ref("excluded.date_created"),
        date_read: null,
      })),
    )
    .execute();
}

/** The owners of the project's team and of its organization's team, and `orMember` if they are a member. */
export async function listOwnerIds(
  db: Db,
  project: Pick<Row<"projects">, "team_id" | "org_id">,
  orMember: string | null = null,
): Promise<string[]> {
  // One list: with two of them, PostgreSQL would read the members of all teams.
  const teams = db
    .selectFrom("teams")
    .select("id")
    .where("id", "=", project.team_id)
    .union(db.selectFrom("organizations").select("team_id as id").where("id", "=", project.org_id));
  const owners = await db
    .selectFrom("team_members")
    .select("user_id")
    .distinct()
    .where("accepted", "=", 1)
    .where((or) => or.or([or("is_owner", "=", 1), or("user_id", "=", orMember)]))
    .where("user_id", "!=", placeholderId)
    .where("team_id", "in", teams)
    .execute();
  return owners.map(({ user_id }) => user_id);
}
