// Content for tests, created by the service's own write functions. Values that authors cannot choose freely, such as
// the status of a project, are set directly.

import { projectPermissions } from "#content/members/permissions.js";
import { createOrg } from "#content/organizations/edit.js";
import { createProject } from "#content/projects/create.js";
import { markDependentsChanged } from "#content/projects/dependents.js";
import { getTaxonomy } from "#content/taxonomy/read.js";
import { write } from "#platform/changes/write.js";
import type { ProjectStatus, Tables, Visibility } from "#platform/db/tables.js";
import type { TestUser } from "#test/callers/actors.js";
import { type TestApp, uniqueName } from "#test/server/harness.js";

export type World = Pick<TestApp, "resources">;

export interface ProjectOptions {
  /** Approved by default: publicly visible. */
  status?: ProjectStatus;
  visibility?: Visibility;
  types?: string[];
  slug?: string;
  name?: string;
  summary?: string;
  description?: string;
  /** Id of a license of the taxonomy; an empty one leaves the project without a license. */
  license?: string;
  orgId?: string | null;
}

export interface TestProject {
  id: string;
  slug: string;
  teamId: string;
}

export async function makeProject(
  { resources }: World,
  owner: TestUser,
  {
    status = "approved",
    visibility = "listed",
    types = ["mod"],
    slug = uniqueName("project"),
    name = "Sample project",
    summary = "A project for a test",
    description = "",
    license = "MIT",
    orgId = null,
  }: ProjectOptions = {},
): Promise<TestProject> {
  const taxonomy = await getTaxonomy(resources);
  const user = { id: owner.id, userName: owner.userName, role: "user" as const };
  const { id, teamId } = await write(resources, { userId: owner.id, credential: "test" }, (tx) =>
    createProject(tx, user, taxonomy, { name, slug, types, visibility, summary, orgId }),
  );
  const found = taxonomy.findLicense(license);
  await setProject({ resources }, id, {
    status,
    requested_status: status === "processing" ? "approved" : null,
    date_approved: status === "approved" ? resources.clock.now() : null,
    description,
    license_id: found?.licenseId ?? "",
    license_name: found?.name ?? "",
    license_url: found?.url ?? "",
  });
  return { id, slug, teamId };
}

/** Changes the row of a project, bypassing all rules. */
export async function setProject(
  { resources }: World,
  projectId: string,
  change: Partial<Tables["projects"]>,
): Promise<void> {
  await write(resources, { credential: "test" }, async (tx) => {
    await tx.db.updateTable("projects").set(change).where("id", "=", projectId).execute();
    tx.changed("project", projectId);
    await markDependentsChanged(tx, projectId);
  });
}

/** Thousands of copies of a project, bypassing all rules, with empty teams. Returns their ids. */
export async function makeManyProjects({ resources: { db } }: World, likeId: string, count: number): Promise<string[]> {
  const like = await db.selectFrom("projects").selectAll().where("id", "=", likeId).executeTakeFirstOrThrow();
  const ids = Array.from({ length: count }, () => uniqueName("copy"));
  for (let start = 0; start < count; start += 500) {
    const part = ids.slice(start, start + 500);
    const teams = part.map((id) => ({ id: `team-${id}`, kind: "project" as const, date_created: 0 }));
    await db.insertInto("teams").values(teams).execute();
    const copies = part.map((id) => ({ ...like, id, slug: id, team_id: `team-${id}` }));
    await db.insertInto("projects").values(copies).execute();
  }
  return ids;
}

export interface TestOrg {
  id: string;
  slug: string;
  teamId: string;
}

export async function makeOrg(
  { resources }: World,
  owner: TestUser,
  { slug = uniqueName("org"), name = "Sample organization", description = "An organization for a test" } = {},
): Promise<TestOrg> {
  return write(resources, { userId: owner.id, credential: "test" }, async (tx) => {
    const id = await createOrg(tx, owner.id, { name, slug, description });
    const { team_id } = await tx.db
      .selectFrom("organizations")
      .select("team_id")
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    return { id, slug, teamId: team_id };
  });
}

export interface MemberOptions {
  /** All of them unless the test names some. */
  permissions?: readonly string[];
  orgPermissions?: readonly string[];
  /** False: invited, without an answer yet. */
  accepted?: boolean;
}

/** Adds a user to a team, bypassing all rules. */
export async function addMember(
  { resources }: World,
  teamId: string,
  user: TestUser,
  { permissions = projectPermissions, orgPermissions = [], accepted = true }: MemberOptions = {},
): Promise<void> {
  await write(resources, { credential: "test" }, async (tx) => {
    await tx.db
      .insertInto("team_members")
      .values({
        id: uniqueName("member"),
        team_id: teamId,
        user_id: user.id,
        role: "Member",
        is_owner: 0,
        accepted: accepted ? 1 : 0,
        permissions: JSON.stringify(permissions),
        org_permissions: JSON.stringify(orgPermissions),
        date_invited: tx.now,
        date_accepted: accepted ? tx.now : null,
        invited_by: null,
      })
      .execute();
    tx.changed("team", teamId);
    const projects = await tx.db.selectFrom("projects").select("id").where("team_id", "=", teamId).execute();
    for (const { id } of projects) tx.changed("project", id);
    const orgs = await tx.db.selectFrom("organizations").select("id").where("team_id", "=", teamId).execute();
    for (const { id } of orgs) tx.changed("organization", id);
  });
}
