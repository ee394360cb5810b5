// Inviting to a team, accepting, declining and leaving.

import { findProfile } from "#accounts/users/read.js";
import { deleteInviteNotifications, notifyInvitee } from "#content/members/invite-notifications.js";
import type { ProjectPermission } from "#content/members/permissions.js";
import { added } from "#content/members/policy.js";
import { findEntry, type Team } from "#content/members/read.js";
import { addMember, markChanged, removeEntry } from "#content/members/write.js";
import { fromJson } from "#lib/json.js";
import type { Tx } from "#platform/changes/write.js";
import { placeholderId } from "#platform/db/placeholder.js";
import type { Row } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import type { SignedIn } from "#platform/http/viewer.js";
import { say } from "#words/said.js";
import { getEditableTeam, getOwnEntry } from "./change.js";

/** Returns the id of the new entry. */
export async function invite(tx: Tx, viewer: SignedIn, teamId: string, userRef: string): Promise<string> {
  const { team } = await getEditableTeam(tx, viewer, teamId, "manage_invites");
  const user = await findProfile(tx.db, userRef);
  if (!user || user.id === placeholderId) throw fail.userNotFound();
  if (await findEntry(tx.db, team.id, user.id)) throw fail.alreadyMember();
  const orgEntry = await findOrgEntry(tx, team, user.id);
  if (orgEntry?.is_owner === 1) throw fail.alreadyOwner();
  const member = { teamId: team.id, userId: user.id, role: "Member" };
  tx.audit("team.invite", { kind: "team", id: team.id }, { userId: user.id });
  markChanged(tx, team);
  // A member of the organization has already agreed to work on its projects. They keep their permissions there: a user
  // who can only invite must not be able to take permissions away by inviting.
  if (orgEntry) return addMember(tx, { ...member, permissions: permissionsOf(orgEntry) });
  await notifyInvitee(tx, team, { ...member, invitedBy: viewer.user.id });
  return addMember(tx, { ...member, invitedBy: viewer.user.id });
}

export async function acceptInvite(tx: Tx, viewer: SignedIn, teamId: string): Promise<void> {
  const { team, entry } = await getOwnEntry(tx, viewer, teamId, fail.inviteNotFound);
  if (entry.accepted === 1) throw fail.inviteNotFound();
  await tx.db
    .updateTable("team_members")
    .set({ accepted: 1, date_accepted: tx.now })
    .where("id", "=", entry.id)
    .execute();
  await deleteInviteNotifications(tx, [team.id], entry.user_id);
  tx.audit("team.accept", { kind: "team", id: team.id });
  markChanged(tx, team);
}

/** Also declines an invitation. */
export async function leaveTeam(tx: Tx, viewer: SignedIn, teamId: string): Promise<void> {
  const { team, entry } = await getOwnEntry(tx, viewer, teamId, fail.memberNotFound);
  if (entry.is_owner === 1) throw fail.ownerStays();
  if ((await gainedWithout(tx, team, entry)).length > 0) throw fail.wrongState(say.states.limitedByEntry);
  await removeEntry(tx, team, entry);
  tx.audit("team.leave", { kind: "team", id: team.id });
}

/**
 * The permissions that a member of the organization would gain in its project without their entry in the project's own
 * team, because their defaults would apply again. Removing such an entry therefore grants permissions.
 */
export async function gainedWithout(tx: Tx, team: Team, entry: Row<"team_members">): Promise<ProjectPermission[]> {
  if (entry.accepted === 0) return [];
  const orgEntry = await findOrgEntry(tx, team, entry.user_id);
  return orgEntry ? added(permissionsOf(entry), permissionsOf(orgEntry)) : [];
}

/** The user's accepted entry in the team of the organization that the project belongs to. */
export async function findOrgEntry(tx: Tx, team: Team, userId: string): Promise<Row<"team_members"> | undefined> {
  if (team.projectId === null || !team.org) return undefined;
  const entry = await findEntry(tx.db, team.org.teamId, userId);
  return entry?.accepted === 1 ? entry : undefined;
}

export const permissionsOf = (entry: Row<"team_members">): ProjectPermission[] =>
  fromJson(entry.permissions) as ProjectPermission[];
