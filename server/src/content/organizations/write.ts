// The use cases that make and change organizations, and take projects in and out.

import { allowOwner } from "#content/members/standing.js";
import { createTeam, emptyTeams, inheritTeams } from "#content/members/write.js";
import { findVisibleRow, getEditableProject } from "#content/projects/editing.js";
import { leaveSlug, takeSlug } from "#content/projects/naming.js";
import { lockTeam } from "#content/teams/editing.js";
import { newId } from "#lib/random.js";
import type { Tx } from "#platform/changes/write.js";
import { lockProjects } from "#platform/db/dialect.js";
import type { Row } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import type { SignedIn } from "#platform/http/viewer.js";
import { removePicture } from "#platform/pictures/write.js";
import { getEditableOrg } from "./editing.js";
import { forgetMove, rememberMove } from "./moving.js";

export interface NewOrg {
  name: string;
  slug: string;
  description: string;
}

export async function createOrg(tx: Tx, ownerId: string, input: NewOrg): Promise<string> {
  const id = newId(tx.random);
  const teamId = await createTeam(tx, "organization", ownerId);
  await takeSlug(tx, "organization", { id, slug: input.slug }, () =>
    tx.db
      .insertInto("organizations")
      .values({ id, team_id: teamId, ...input, icon_id: null, date_created: tx.now })
      .execute(),
  );
  tx.audit("organization.create", { kind: "organization", id }, { slug: input.slug });
  tx.changed("organization", id);
  return id;
}

export interface OrgEdit extends Partial<NewOrg> {
  /** Makes the new image's row and returns its id; null to remove the picture; absent to keep it. */
  icon?: ((orgId: string) => Promise<string>) | null;
  /** Asked of the row once it is held; throws where it must not be changed. */
  check?: ((before: Row<"organizations">) => void) | undefined;
}

/** Returns the organization's id and slug as they are now. */
export async function editOrg(
  tx: Tx,
  viewer: SignedIn,
  ref: string,
  { icon, check, ...edit }: OrgEdit,
): Promise<{ id: string; slug: string }> {
  const before = await getEditableOrg(tx, viewer, ref, "edit_details");
  check?.(before);
  const after = {
    name: edit.name ?? before.name,
    slug: edit.slug ?? before.slug,
    description: edit.description ?? before.description,
    icon_id: icon === undefined ? before.icon_id : icon && (await icon(before.id)),
  };
  const save = () => tx.db.updateTable("organizations").set(after).where("id", "=", before.id).execute();
  if (after.slug === before.slug) await save();
  else {
    await takeSlug(tx, "organization", { id: before.id, slug: after.slug }, save);
    await leaveSlug(tx, "organization", before);
  }
  if (icon !== undefined) await removePicture(tx, before.icon_id);
  tx.audit("organization.edit", { kind: "organization", id: before.id }, { from: before.slug, to: after.slug });
  tx.changed("organization", before.id);
  return { id: before.id, slug: after.slug };
}

/** The project's own team is emptied: from now on the members of the organization work on it. */
export async function addProject(tx: Tx, viewer: SignedIn, orgRef: string, projectRef: string): Promise<void> {
  const found = await findVisibleRow(tx.db, viewer, projectRef);
  if (found) await holdProject(tx, found);
  const org = await getEditableOrg(tx, viewer, orgRef, "add_project");
  // Asked again now that nobody else can change its team.
  const { project, standing } = await getEditableProject(tx.db, viewer, found?.id ?? projectRef);
  allowOwner(standing);
  if (project.org_id !== null) throw fail.wrongState("This project is in an organization already; take it out first");
  await rememberMove(tx, project, org.id, viewer.user.id);
  await emptyTeams(tx, [project.team_id]);
  await tx.db.updateTable("projects").set({ org_id: org.id }).where("id", "=", project.id).execute();
  tx.audit("organization.project.add", { kind: "organization", id: org.id }, { projectId: project.id });
  tx.changed("project", project.id);
  tx.changed("organization", org.id);
}

/**
 * The project goes to the owner of the organization, whoever takes it out: he owned it through the organization, and
 * remove_project is no permission to become an owner.
 */
export async function removeProject(tx: Tx, viewer: SignedIn, orgRef: string, projectRef: string): Promise<void> {
  const found = await findVisibleRow(tx.db, viewer, projectRef);
  if (found) await holdProject(tx, found);
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

/** With its team, in the order in which the end of a project takes them. */
async function holdProject(tx: Tx, { id, team_id }: Row<"projects">): Promise<void> {
  await lockProjects(tx.db, [id]);
  await lockTeam(tx, team_id);
}

export async function getOwnerId({ db }: Tx, org: Row<"organizations">): Promise<string> {
  const owner = await db
    .selectFrom("team_members")
    .select("user_id")
    .where("team_id", "=", org.team_id)
    .where("is_owner", "=", 1)
    .executeTakeFirstOrThrow();
  return owner.user_id;
}
