// Creates, fills and empties teams. Each function runs in the caller's transaction and checks no permissions
// (content/teams/change.ts does).
import { sql } from "kysely";
import { toJson } from "#lib/json.js";
import { newId } from "#lib/random.js";
import type { Tx } from "#platform/changes/write.js";
import { inList } from "#platform/db/dialect.js";
import type { Row } from "#platform/db/tables.js";
import { deleteInviteNotifications, deleteInviteNotificationsOfOrg } from "./invite-notifications.js";
import { deleteOffers } from "./offers.js";
import { endPendingActionsOf } from "./pending-actions.js";
import type { OrgPermission, ProjectPermission } from "./permissions.js";
import type { Team } from "./read.js";

/** Creates a team with its owner. A project of an organization has none: the owner of the organization owns it. */
export async function createTeam(tx: Tx, kind: "project" | "organization", ownerId: string | null): Promise<string> {
  const id = newId(tx.random);
  await tx.db.insertInto("teams").values({ id, kind, date_created: tx.now }).execute();
  if (ownerId !== null) await addMember(tx, { teamId: id, userId: ownerId, role: "Owner", isOwner: true });
  return id;
}

export interface NewMember {
  teamId: string;
  userId: string;
  role: string;
  isOwner?: boolean;
  /** If absent, the member is accepted at once. */
  invitedBy?: string;
  permissions?: readonly ProjectPermission[];
  orgPermissions?: readonly OrgPermission[];
}

export async function addMember(tx: Tx, member: NewMember): Promise<string> {
  const row = toRow(tx, member);
  await tx.db.insertInto("team_members").values(row).execute();
  return row.id;
}

const toRow = (tx: Tx, { permissions = [], orgPermissions = [], ...member }: NewMember): Row<"team_members"> => ({
  id: newId(tx.random),
  team_id: member.teamId,
  user_id: member.userId,
  role: member.role,
  is_owner: member.isOwner ? 1 : 0,
  accepted: member.invitedBy === undefined ? 1 : 0,
  permissions: toJson<string[]>([...new Set(permissions)]),
  org_permissions: toJson<string[]>([...new Set(orgPermissions)]),
  date_invited: tx.now,
  date_accepted: member.invitedBy === undefined ? tx.now : null,
  invited_by: member.invitedBy ?? null,
});

/** A member who leaves an organization also leaves the teams of its projects. */
export async function removeEntry(tx: Tx, team: Team, entry: Row<"team_members">): Promise<void> {
  await deleteInviteNotifications(tx, [team.id], entry.user_id);
  await deleteOffers(tx, [team.id], entry.user_id);
  if (entry.accepted === 1) await endPendingActionsOf(tx, team, entry.user_id);
  await tx.db.deleteFrom("team_members").where("id", "=", entry.id).execute();
  if (team.projectId === null && team.org && entry.accepted === 1)
    await removeFromProjectsOf(tx, team.org.id, entry.user_id);
  markChanged(tx, team);
}

/** Removes a user from the projects' own teams in an organization. */
export async function removeFromProjectsOf(tx: Tx, orgId: string, userId: string): Promise<void> {
  await deleteInviteNotificationsOfOrg(tx, orgId, userId);
  await tx.db
    .deleteFrom("team_members")
    .where("user_id", "=", userId)
    .where("team_id", "in", (select) => select.selectFrom("projects").select("team_id").where("org_id", "=", orgId))
    .execute();
}

export async function emptyTeams(tx: Tx, teamIds: readonly string[]): Promise<void> {
  await deleteInviteNotifications(tx, teamIds);
  await deleteOffers(tx, teamIds);
  await tx.db
    .deleteFrom("mail_invites")
    .where(inList(tx.db, sql.ref("team_id"), teamIds))
    .execute();
  await tx.db
    .deleteFrom("team_members")
    .where(inList(tx.db, sql.ref("team_id"), teamIds))
    .execute();
}

/** Rows per statement: far below the parameter limit of both engines. */
const batchSize = 500;

/** For projects that leave an organization: its owner becomes the only member of their teams. */
export async function inheritTeams(tx: Tx, teamIds: readonly string[], ownerId: string): Promise<void> {
  await emptyTeams(tx, teamIds);
  for (let at = 0; at < teamIds.length; at += batchSize) {
    const owners = teamIds
      .slice(at, at + batchSize)
      .map((teamId) => toRow(tx, { teamId, userId: ownerId, role: "Inherited Owner", isOwner: true }));
    await tx.db.insertInto("team_members").values(owners).execute();
  }
}

/** Marks everything that shows the team's members as changed: the project, or the organization with its projects. */
export function markChanged(tx: Tx, { id, projectId, org }: Team): void {
  tx.changed("team", id);
  if (projectId !== null) tx.changed("project", projectId);
  else if (org) tx.changed("organization", org.id);
}
