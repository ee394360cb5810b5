// Invitations and undoable project moves that a member made on behalf of a team. They end when the member leaves the
// team, and those of an owner when ownership is transferred.
import { sql } from "kysely";
import type { Tx } from "#platform/changes/write.js";
import { inList } from "#platform/db/dialect.js";
import { deleteInviteNotifications, deleteMailInvite } from "./invite-notifications.js";
import type { Team } from "./read.js";

/** Ends what this user started in the team. In an organization's team, this includes the teams of its projects. */
export async function endPendingActionsOf(tx: Tx, team: Team, userId: string): Promise<void> {
  const { db } = tx;
  const teamIds = [team.id, ...(await listProjectTeams(tx, team))];
  const mailed = await db
    .selectFrom("mail_invites")
    .selectAll()
    .where("invited_by", "=", userId)
    .where(inList(db, sql.ref("team_id"), teamIds))
    .execute();
  for (const invite of mailed) await deleteMailInvite(tx, invite);
  const pending = await db
    .deleteFrom("team_members")
    .where("invited_by", "=", userId)
    .where("accepted", "=", 0)
    .where(inList(db, sql.ref("team_id"), teamIds))
    .returning(["team_id", "user_id"])
    .execute();
  for (const entry of pending) await deleteInviteNotifications(tx, [entry.team_id], entry.user_id);
  if (team.projectId === null && team.org)
    await db.deleteFrom("project_moves").where("org_id", "=", team.org.id).where("moved_by", "=", userId).execute();
}

async function listProjectTeams({ db }: Tx, { projectId, org }: Team): Promise<string[]> {
  if (projectId !== null || !org) return [];
  const rows = await db.selectFrom("projects").select("team_id").where("org_id", "=", org.id).execute();
  return rows.map((row) => row.team_id);
}

/** A new owner keeps the projects of the organization: their moves into it can no longer be undone. */
export async function endUndoOfMoves({ db }: Tx, { projectId, org }: Team): Promise<void> {
  if (projectId === null && org) await db.deleteFrom("project_moves").where("org_id", "=", org.id).execute();
}
