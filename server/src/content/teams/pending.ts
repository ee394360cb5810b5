// Invitations that a user has not answered yet.
import { type RawBuilder, sql } from "kysely";
import type { Db } from "#platform/db/tables.js";

export interface PendingInvite {
  teamId: string;
  name: string;
  role: string;
  invitedBy: string | null;
}

/** Newest first. An invitee sees the name of the project even if they may not see the project itself. */
export const listPendingInvites = (db: Db, userId: string, now: number): Promise<PendingInvite[]> =>
  listInvites(
    db,
    sql`select team_id, role, invited_by, date_invited as date from team_members
      where user_id = ${userId} and accepted = 0
      union all
      select invite.team_id, invite.role, invite.invited_by, invite.date_created from mail_invites as invite
      join users on users.email = invite.email and users.email_verified = 1
      where users.id = ${userId} and invite.date_expires > ${now}
        and invite.team_id not in (select team_id from team_members where user_id = ${userId})`,
  );

/** An invitation that was sent by mail. */
export const findMailedInvite = async (db: Db, inviteId: string): Promise<PendingInvite | undefined> =>
  (
    await listInvites(
      db,
      sql`select team_id, role, invited_by, date_created as date from mail_invites where id = ${inviteId}`,
    )
  )[0];

async function listInvites(db: Db, invites: RawBuilder<unknown>): Promise<PendingInvite[]> {
  const { rows } = await sql<PendingInvite>`
    select invite.team_id as "teamId", coalesce(projects.name, organizations.name, '') as name, invite.role,
      inviter.user_name as "invitedBy"
    from (${invites}) as invite
    left join projects on projects.team_id = invite.team_id
    left join organizations on organizations.team_id = invite.team_id
    left join users as inviter on inviter.id = invite.invited_by
    order by invite.date desc, invite.team_id`.execute(db);
  return rows;
}
