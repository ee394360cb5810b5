// Notifications about invitations. A notification is deleted when the invitation is answered or withdrawn.
import { sql } from "kysely";
import { listUnmuted } from "#accounts/users/muted-notices.js";
import { toJson } from "#lib/json.js";
import { newId } from "#lib/random.js";
import type { Tx } from "#platform/changes/write.js";
import { inList } from "#platform/db/dialect.js";
import type { Db, Row } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import { findEntry, type Team } from "./read.js";

const prefix = "invite:";
/** There is at most one open invitation per user and team. */
const keyOf = (teamId: string): string => prefix + teamId;

export async function notifyInvitee(
  tx: Tx,
  { id, projectId, org }: Team,
  invite: { userId: string; invitedBy: string; role: string },
): Promise<void> {
  const { userId, invitedBy, role } = invite;
  const type = projectId === null ? "organization_invite" : "team_invite";
  if ((await listUnmuted(tx.db, [userId], type)).length === 0) return;
  const body =
    projectId === null ? { teamId: id, orgId: org?.id, invitedBy, role } : { teamId: id, projectId, invitedBy, role };
  await tx.db
    .insertInto("notifications")
    .values({
      id: newId(tx.random),
      user_id: userId,
      type,
      group_key: keyOf(id),
      body: toJson<unknown>(body),
      date_created: tx.now,
      date_read: null,
    })
    .execute();
}

/** Deletes the notifications of one user, or of everyone who is invited to these teams. */
export async function deleteInviteNotifications(
  { db }: Tx,
  teamIds: readonly string[],
  userId?: string,
): Promise<void> {
  const deletion = db.deleteFrom("notifications").where(inList(db, sql.ref("group_key"), teamIds.map(keyOf)));
  await (userId === undefined
    ? deletion.where("user_id", "in", (select) =>
        select
          .selectFrom("team_members")
          .select("user_id")
          .where("accepted", "=", 0)
          .where(inList(db, sql.ref("team_id"), teamIds)),
      )
    : deletion.where("user_id", "=", userId)
  ).execute();
}

/** Deletes the notifications about invitations of one user to the projects of an organization. */
export async function deleteInviteNotificationsOfOrg({ db }: Tx, orgId: string, userId: string): Promise<void> {
  await db
    .deleteFrom("notifications")
    .where("user_id", "=", userId)
    .where("group_key", "in", (select) =>
      select
        .selectFrom("projects")
        .select(sql<string>`${prefix} || projects.team_id`.as("key"))
        .where("org_id", "=", orgId),
    )
    .execute();
}

/** Deletes an invitation by mail. If two requests answer it at the same time, the second one gets 404. */
export async function deleteMailInvite(tx: Tx, { id, team_id, email }: Row<"mail_invites">): Promise<void> {
  const { numDeletedRows } = await tx.db.deleteFrom("mail_invites").where("id", "=", id).executeTakeFirst();
  if (numDeletedRows === 0n) throw fail.inviteNotFound();
  const userId = await findHolder(tx.db, email);
  const entry = userId && (await findEntry(tx.db, team_id, userId));
  // If there is an open invitation by name as well, its notification stays.
  if (userId !== undefined && !entry) await deleteInviteNotifications(tx, [team_id], userId);
}

/** The user with this verified address. */
export async function findHolder(db: Db, email: string): Promise<string | undefined> {
  const row = await db
    .selectFrom("users")
    .select("id")
    .where("email", "=", email)
    .where("email_verified", "=", 1)
    .executeTakeFirst();
  return row?.id;
}
