// Moving a project into an organization and out of it. For a few days the user who moved it in can undo the move, which
// restores the former team.

import { sql } from "kysely";
import type { ProjectPermission } from "#content/members/permissions.js";
import { findEntry } from "#content/members/read.js";
import { allowOwner } from "#content/members/rights.js";
import { addMember, emptyTeams, inheritTeams } from "#content/members/write.js";
import { findVisibleRow, getEditableProject } from "#content/projects/change.js";
import { lockTeam } from "#content/teams/change.js";
import { fromJson, toJson } from "#lib/json.js";
import type { Tx } from "#platform/changes/write.js";
import { lockProjects } from "#platform/db/dialect.js";
import type { Db, Row } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import type { SignedIn } from "#platform/http/viewer.js";
import { say } from "#words/said.js";
import { getEditableOrg, getOwnerId } from "./change.js";

/** Empties the project's own team: from now on the members of the organization work on the project. */
export async function addProject(tx: Tx, viewer: SignedIn, orgRef: string, projectRef: string): Promise<void> {
  const found = await findVisibleRow(tx.db, viewer, projectRef);
  if (found) await lockProjectAndTeam(tx, found);
  const org = await getEditableOrg(tx, viewer, orgRef, "add_project");
  // Checked again under the lock.
  const { project, rights } = await getEditableProject(tx.db, viewer, found?.id ?? projectRef);
  allowOwner(rights);
  if (project.org_id !== null) throw fail.wrongState(say.states.inOrganization);
  await rememberMove(tx, project, org.id, viewer.user.id);
  await emptyTeams(tx, [project.team_id]);
  await tx.db.updateTable("projects").set({ org_id: org.id }).where("id", "=", project.id).execute();
  tx.audit("organization.project.add", { kind: "organization", id: org.id }, { projectId: project.id });
  tx.changed("project", project.id);
  tx.changed("organization", org.id);
}

/**
 * The project goes to the owner of the organization, who already owned it through the organization: remove_project must
 * not make the caller an owner.
 */
export async function removeProject(tx: Tx, viewer: SignedIn, orgRef: string, projectRef: string): Promise<void> {
  const found = await findVisibleRow(tx.db, viewer, projectRef);
  if (found) await lockProjectAndTeam(tx, found);
  const org = await getEditableOrg(tx, viewer, orgRef, "remove_project");
  const { project } = await getEditableProject(tx.db, viewer, found?.id ?? projectRef);
  if (project.org_id !== org.id) throw fail.projectNotFound();
  await inheritTeams(tx, [project.team_id], await getOwnerId(tx, org));
  await forgetMove(tx, project.id);
  await tx.db.updateTable("projects").set({ org_id: null }).where("id", "=", project.id).execute();
  tx.audit("organization.project.remove", { kind: "organization", id: org.id }, { projectId: project.id });
  tx.changed("project", project.id);
  tx.changed("organization", org.id);
}

/** Locks the project and its team, in the same order as the deletion of a project. */
async function lockProjectAndTeam(tx: Tx, { id, team_id }: Row<"projects">): Promise<void> {
  await lockProjects(tx.db, [id]);
  await lockTeam(tx, team_id);
}

const undoMs = 7 * 24 * 60 * 60 * 1000;

interface FormerMember {
  userId: string;
  role: string;
  isOwner: boolean;
  permissions: ProjectPermission[];
}

/** Called before the team is emptied. Open invitations are not restored. */
async function rememberMove(tx: Tx, { id, team_id }: Row<"projects">, orgId: string, movedBy: string): Promise<void> {
  const entries = await tx.db
    .selectFrom("team_members")
    .selectAll()
    .where("team_id", "=", team_id)
    .where("accepted", "=", 1)
    .orderBy("date_accepted")
    .orderBy("id")
    .execute();
  const members = entries.map(
    (entry): FormerMember => ({
      userId: entry.user_id,
      role: entry.role,
      isOwner: entry.is_owner === 1,
      permissions: fromJson(entry.permissions) as ProjectPermission[],
    }),
  );
  const move = {
    org_id: orgId,
    moved_by: movedBy,
    members: toJson<unknown>(members),
    date_created: tx.now,
    date_expires: tx.now + undoMs,
  };
  await tx.db
    .insertInto("project_moves")
    .values({ project_id: id, ...move })
    .onConflict((conflict) => conflict.column("project_id").doUpdateSet(move))
    .execute();
}

async function forgetMove({ db }: Tx, projectId: string): Promise<void> {
  await db.deleteFrom("project_moves").where("project_id", "=", projectId).execute();
}

/** Rights end with membership: only a member of the organization can undo the move. */
const isMemberOfOrg = (userId: string) => sql<boolean>`exists (select 1 from team_members
  where team_members.team_id = org.team_id and team_members.user_id = ${userId} and team_members.accepted = 1)`;

const undoable = (db: Db, userId: string, now: number) =>
  db
    .selectFrom("project_moves as move")
    .innerJoin("projects", "projects.id", "move.project_id")
    .innerJoin("organizations as org", "org.id", "move.org_id")
    .select(["move.project_id", "move.date_created", "move.date_expires", "move.members"])
    .select(["projects.name as project_name", "projects.slug as project_slug", "projects.team_id"])
    .select(["org.id as org_id", "org.name as org_name", "org.team_id as org_team_id"])
    .whereRef("projects.org_id", "=", "move.org_id")
    .where("move.moved_by", "=", userId)
    .where(isMemberOfOrg(userId))
    .where("move.date_expires", ">", now)
    .orderBy("move.date_created", "desc")
    .orderBy("move.project_id");

export type UndoableMove = Awaited<ReturnType<typeof listUndoableMoves>>[number];

/** The moves that this user made and can undo. */
export const listUndoableMoves = (db: Db, userId: string, now: number) => undoable(db, userId, now).execute();

export const findUndoableMove = (
  db: Db,
  userId: string,
  projectId: string,
  now: number,
): Promise<UndoableMove | undefined> =>
  undoable(db, userId, now).where("move.project_id", "=", projectId).executeTakeFirst();

/** Restores the former owner and members, except for deleted accounts. */
export async function undoMove(tx: Tx, viewer: SignedIn, projectId: string): Promise<void> {
  const find = () => findUndoableMove(tx.db, viewer.user.id, projectId, tx.now);
  const found = await find();
  if (found) {
    await lockProjects(tx.db, [projectId]);
    await lockTeam(tx, found.team_id);
    await lockTeam(tx, found.org_team_id);
  }
  const move = await find();
  if (!move) throw fail.moveNotFound();
  const former = fromJson(move.members) as FormerMember[];
  const owner = former.find(({ isOwner }) => isOwner);
  const present = await listPresent(tx.db, former);
  if (!owner || !present.has(owner.userId)) throw fail.wrongState(say.states.formerOwnerGone);
  // Another member may have made the move; the former owner must still be a member of the organization.
  if ((await findEntry(tx.db, move.org_team_id, owner.userId))?.accepted !== 1) throw fail.moveNotFound();
  await emptyTeams(tx, [move.team_id]);
  for (const member of former.filter(({ userId }) => present.has(userId)))
    await addMember(tx, { teamId: move.team_id, ...member });
  await tx.db.updateTable("projects").set({ org_id: null }).where("id", "=", projectId).execute();
  await forgetMove(tx, projectId);
  tx.audit("organization.project.return", { kind: "organization", id: move.org_id }, { projectId });
  tx.changed("team", move.team_id);
  tx.changed("project", projectId);
  tx.changed("organization", move.org_id);
}

async function listPresent(db: Db, former: readonly FormerMember[]): Promise<ReadonlySet<string>> {
  const ids = former.map(({ userId }) => userId);
  const rows = ids.length === 0 ? [] : await db.selectFrom("users").select("id").where("id", "in", ids).execute();
  return new Set(rows.map(({ id }) => id));
}
