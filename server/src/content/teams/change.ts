// How every change of a team begins: lock the team, find it if the caller may see it, and check the permission.

import type { OrgPermission, ProjectPermission } from "#content/members/permissions.js";
import { findEntry, findTeam, type Team } from "#content/members/read.js";
import {
  allow,
  findOrgRights,
  findProjectRights,
  type OrgRights,
  type ProjectRights,
} from "#content/members/rights.js";
import type { Tx } from "#platform/changes/write.js";
import type { Row } from "#platform/db/tables.js";
import { type Failure, fail } from "#platform/errors.js";
import { needScope, type SignedIn } from "#platform/http/viewer.js";
import { findVisibleTeam } from "./read.js";

/** Permissions that exist in teams of both kinds. */
type TeamPermission = ProjectPermission & OrgPermission;

/**
 * Locks a team until the transaction ends. The team of a project must be locked before that of its organization. The
 * lock on an organization's team also allows changing the teams of all its projects.
 */
export async function lockTeam({ db }: Tx, teamId: string): Promise<void> {
  // An update without effect, because SQLite has no FOR UPDATE.
  await db
    .updateTable("teams")
    .set((column) => ({ date_created: column.ref("date_created") }))
    .where("id", "=", teamId)
    .execute();
}

async function holdTeam(tx: Tx, teamId: string, find: () => Promise<Team | undefined>): Promise<Team | undefined> {
  await lockTeam(tx, teamId);
  const team = await find();
  if (!team?.org || team.org.teamId === teamId) return team;
  await lockTeam(tx, team.org.teamId);
  // The organization may have lost the project, or may have been deleted, while this waited for the lock.
  return find();
}

/** The team with the caller's rights in it. The kind of the team decides which scope a token needs (decisions §4). */
export async function getEditableTeam(
  tx: Tx,
  viewer: SignedIn,
  teamId: string,
  permission?: TeamPermission,
): Promise<{ team: Team; rights: ProjectRights | OrgRights }> {
  const team = await holdTeam(tx, teamId, () => findVisibleTeam(tx.db, viewer, teamId));
  if (!team) throw fail.teamNotFound();
  needScope(viewer, team.projectId === null ? "organization_write" : "project_write");
  const rights = await findRights(tx, viewer, team);
  if (permission) allow<string>(rights, permission);
  return { team, rights };
}

function findRights({ db }: Tx, viewer: SignedIn, team: Team): Promise<ProjectRights | OrgRights> {
  if (team.projectId !== null) return findProjectRights(db, viewer.user, team.projectId);
  // A team without a project or organization belongs to something that is being deleted.
  if (!team.org) throw fail.teamNotFound();
  return findOrgRights(db, viewer.user, team.org.id);
}

/** The caller's own entry in a team. An invitee may answer even if they cannot see the project. */
export async function getOwnEntry(
  tx: Tx,
  viewer: SignedIn,
  teamId: string,
  absent: () => Failure,
): Promise<{ team: Team; entry: Row<"team_members"> }> {
  const team = await holdTeam(tx, teamId, () => findTeam(tx.db, teamId));
  const entry = team && (await findEntry(tx.db, teamId, viewer.user.id));
  if (entry) return { team, entry };
  throw (await findVisibleTeam(tx.db, viewer, teamId)) ? absent() : fail.teamNotFound();
}

/** For invitees without an entry: they were invited by mail. */
export async function getAnyTeam(tx: Tx, teamId: string): Promise<Team> {
  const team = await holdTeam(tx, teamId, () => findTeam(tx.db, teamId));
  if (!team) throw fail.teamNotFound();
  return team;
}

/** The entry of another user. */
export async function getEntry({ db }: Tx, teamId: string, memberId: string): Promise<Row<"team_members">> {
  const entry = await db
    .selectFrom("team_members")
    .selectAll()
    .where("id", "=", memberId)
    .where("team_id", "=", teamId)
    .executeTakeFirst();
  if (!entry) throw fail.memberNotFound();
  return entry;
}
