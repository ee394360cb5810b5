// Members of a team: roles, permissions, removal.

import type { OrgPermission, ProjectPermission } from "#content/members/permissions.js";
import { added, allowAdding } from "#content/members/policy.js";
import { findEntry } from "#content/members/read.js";
import { allowOwner } from "#content/members/rights.js";
import { addMember, markChanged, removeEntry } from "#content/members/write.js";
import { fromJson, toJson } from "#lib/json.js";
import type { Tx } from "#platform/changes/write.js";
import { fail, invalid } from "#platform/errors.js";
import type { SignedIn } from "#platform/http/viewer.js";
import { say } from "#words/said.js";
import { getEditableTeam, getEntry } from "./change.js";
import { findOrgEntry, gainedWithout, permissionsOf } from "./invitations.js";

export interface Override {
  userId: string;
  role: string;
  permissions: readonly ProjectPermission[];
}

/** Gives a member of the organization different permissions in one of its projects. Returns the id of the new entry. */
export async function overrideMember(tx: Tx, viewer: SignedIn, teamId: string, input: Override): Promise<string> {
  const { team, rights } = await getEditableTeam(tx, viewer, teamId, "edit_member");
  if (team.projectId === null || !team.org) throw fail.wrongState(say.states.inviteInstead);
  const orgEntry = await findOrgEntry(tx, team, input.userId);
  if (!orgEntry) throw fail.memberNotFound();
  if (orgEntry.is_owner === 1) throw fail.alreadyOwner();
  // An open invitation gives no permissions; it is replaced by this entry.
  const before = await findEntry(tx.db, team.id, input.userId);
  if (before?.accepted === 1) throw fail.alreadyMember();
  allowAdding(rights, { project: added(permissionsOf(orgEntry), input.permissions), org: [] });
  if (before) await removeEntry(tx, team, before);
  tx.audit("team.member.add", { kind: "team", id: team.id }, { userId: input.userId, permissions: input.permissions });
  markChanged(tx, team);
  return addMember(tx, { ...input, teamId: team.id });
}

export interface MemberEdit {
  role?: string;
  permissions?: readonly ProjectPermission[];
  organisationPermissions?: readonly OrgPermission[];
}

export async function editMember(
  tx: Tx,
  viewer: SignedIn,
  teamId: string,
  memberId: string,
  edit: MemberEdit,
): Promise<void> {
  const { team, rights } = await getEditableTeam(tx, viewer, teamId, "edit_member");
  const entry = await getEntry(tx, team.id, memberId);
  const before = { project: permissionsOf(entry), org: fromJson(entry.org_permissions) as OrgPermission[] };
  const after = { project: edit.permissions ?? before.project, org: edit.organisationPermissions ?? before.org };
  if (team.projectId !== null && after.org.length > 0)
    throw invalid({ path: "organisationPermissions", message: say.problems.emptyInProject });
  // The permission lists of an owner are empty, because ownership includes every permission.
  if (entry.is_owner === 1 && after.project.length + after.org.length > 0)
    throw fail.wrongState(say.states.ownerHasAll);
  allowAdding(rights, { project: added(before.project, after.project), org: added(before.org, after.org) });
  await tx.db
    .updateTable("team_members")
    .set({
      role: edit.role ?? entry.role,
      permissions: toJson<string[]>([...new Set(after.project)]),
      org_permissions: toJson<string[]>([...new Set(after.org)]),
    })
    .where("id", "=", entry.id)
    .execute();
  tx.audit("team.member.edit", { kind: "team", id: team.id }, { userId: entry.user_id, before, after });
  markChanged(tx, team);
}

export async function removeMember(tx: Tx, viewer: SignedIn, teamId: string, memberId: string): Promise<void> {
  const { team, rights } = await getEditableTeam(tx, viewer, teamId, "remove_member");
  const entry = await getEntry(tx, team.id, memberId);
  if (entry.is_owner === 1) throw fail.ownerStays();
  if ((await gainedWithout(tx, team, entry)).length > 0) allowOwner(rights);
  await removeEntry(tx, team, entry);
  tx.audit("team.member.remove", { kind: "team", id: team.id }, { userId: entry.user_id });
}
