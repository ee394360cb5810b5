// Deleting an organization, and what happens to each of its projects.

import { allowOwner, findOrgRights } from "#content/members/rights.js";
import { emptyTeams, inheritTeams } from "#content/members/write.js";
import { removeProject } from "#content/projects/remove.js";
import { retireName } from "#content/projects/retired-names.js";
import type { Tx } from "#platform/changes/write.js";
import { lockProjects } from "#platform/db/dialect.js";
import type { Row } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import type { SignedIn } from "#platform/http/viewer.js";
import { getEditableOrg, getOwnerId } from "./change.js";
import { getOrg } from "./read.js";

/** A project goes to the owner of the organization, is deleted, or goes to the organization with this id. */
export type Destination = "owner" | "delete" | (string & {});

interface Removal {
  /** For how long its slug cannot be used. */
  retiredNameDays: number;
  /** By project id; projects that are not listed go to the owner. */
  goes?: ReadonlyMap<string, Destination>;
}

export async function removeOrg(
  tx: Tx,
  viewer: SignedIn,
  ref: string,
  { retiredNameDays, goes = new Map() }: Removal,
): Promise<void> {
  const { id } = await getOrg(tx.db, ref);
  await lockProjectsOf(tx, id);
  const org = await holdOrgs(tx, viewer, id, goes);
  await retireName(tx, { kind: "organization", scope: "", name: org.slug }, org.id, retiredNameDays);
  const projects = await tx.db.selectFrom("projects").selectAll().where("org_id", "=", org.id).execute();
  const byPlace = Map.groupBy(projects, (project) => goes.get(project.id) ?? "owner");
  const ownerId = await getOwnerId(tx, org);
  for (const [place, some] of byPlace) {
    if (place === "delete") for (const project of some) await removeProject(tx, project, { retiredNameDays });
    else if (place === "owner") await giveBack(tx, some, ownerId);
    else await moveOn(tx, some, place);
  }
  await emptyTeams(tx, [org.team_id]);
  await tx.db.deleteFrom("organizations").where("id", "=", org.id).execute();
  await tx.db.deleteFrom("teams").where("id", "=", org.team_id).execute();
  await tx.db.deleteFrom("images").where("owner_kind", "=", "organization").where("owner_id", "=", org.id).execute();
  tx.audit("organization.delete", { kind: "organization", id: org.id }, { projects: projects.length });
  tx.changed("organization", org.id);
  tx.changed("team", org.team_id);
}

/** Must run before the organization's team is locked: a request that holds a project may be waiting for that lock. */
async function lockProjectsOf({ db }: Tx, orgId: string): Promise<void> {
  const projects = await db.selectFrom("projects").select("id").where("org_id", "=", orgId).execute();
  await lockProjects(
    db,
    projects.map(({ id }) => id),
  );
}

/** Locks this organization and those that take over projects, always in the same order. Returns this one. */
async function holdOrgs(
  tx: Tx,
  viewer: SignedIn,
  id: string,
  goes: ReadonlyMap<string, Destination>,
): Promise<Row<"organizations">> {
  const places = new Set(goes.values());
  const targets = [...places].filter((place) => place !== "owner" && place !== "delete");
  if (targets.includes(id)) throw fail.organizationNotFound();
  const held = new Map<string, Row<"organizations">>();
  for (const each of [id, ...targets].toSorted())
    held.set(each, await getEditableOrg(tx, viewer, each, each === id ? "delete_organization" : "add_project"));
  // Only the owner decides what happens to the projects.
  if (targets.length > 0 || places.has("delete")) allowOwner(await findOrgRights(tx.db, viewer.user, id));
  return held.get(id)!;
}

async function giveBack(tx: Tx, projects: readonly Row<"projects">[], ownerId: string): Promise<void> {
  const teams = projects.map((project) => project.team_id);
  await inheritTeams(tx, teams, ownerId);
  await settle(tx, projects, null);
}

/** As when a project is added: from now on the members of the other organization work on it. */
async function moveOn(tx: Tx, projects: readonly Row<"projects">[], orgId: string): Promise<void> {
  const teams = projects.map((project) => project.team_id);
  await emptyTeams(tx, teams);
  await settle(tx, projects, orgId);
  for (const { id } of projects)
    tx.audit("organization.project.add", { kind: "organization", id: orgId }, { projectId: id });
  tx.changed("organization", orgId);
}

async function settle(tx: Tx, projects: readonly Row<"projects">[], orgId: string | null): Promise<void> {
  for (const { id } of projects) {
    await tx.db.updateTable("projects").set({ org_id: orgId }).where("id", "=", id).execute();
    tx.changed("project", id);
  }
}
