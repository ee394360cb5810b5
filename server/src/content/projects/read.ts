// Reading projects through the catalogue. Functions answer with what the caller may see, or undefined.
import { sql } from "kysely";
import { catalogOf } from "#content/catalog/catalog.js";
import type { ProjectEntry } from "#content/catalog/project-entries.js";
import { seesPermissions, visibleProjects } from "#content/catalog/visible.js";
import { membersFor } from "#content/members/read.js";
import type { Project } from "#content/shapes/project.js";
import { inList } from "#platform/db/dialect.js";
import type { Db } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import type { Resources } from "#platform/http/resources.js";
import type { SignedIn, Viewer } from "#platform/http/viewer.js";
import { isListedProject, visibleTo } from "./policy.js";

/** The project behind an id or slug, if the caller may see it. What he may not see is as absent as what is not there. */
export async function getVisibleProject(resources: Resources, viewer: Viewer, ref: string): Promise<ProjectEntry> {
  const catalog = catalogOf(resources);
  const id = await catalog.findId(ref);
  const entry = id === undefined ? undefined : (await catalog.getProjects([id])).get(id);
  if (!entry || !(await visibleProjects(resources.db, viewer, [entry])).has(entry.id)) throw fail.projectNotFound();
  return entry;
}

/** Several projects by id, in that order, without those the caller may not see. */
export async function listVisibleProjects(
  resources: Resources,
  viewer: Viewer,
  ids: readonly string[],
): Promise<ProjectEntry[]> {
  const entries = await catalogOf(resources).getProjects(ids);
  const visible = await visibleProjects(resources.db, viewer, entries.values());
  return ids.flatMap((id) => (visible.has(id) ? (entries.get(id) ?? []) : []));
}

/** The full shape for a signed-in caller: members and moderators also see who may do what. */
export async function toProjectFor(resources: Resources, viewer: Viewer, entry: ProjectEntry): Promise<Project> {
  if (!(await seesPermissions(resources.db, viewer, entry.id))) return entry.publicProject.value;
  const { organisation, ...project } = structuredClone(entry.project);
  // Members of the project need not be members of its organization.
  return {
    ...project,
    organisation: organisation && { ...organisation, members: membersFor(viewer, organisation.members) },
  };
}

const listOrder = sql`projects.downloads desc, projects.id`;

/** Ids of the projects whose own team has this user as an accepted member, as far as the caller may see them. */
export async function listProjectIdsOfUser(
  db: Db,
  viewer: Viewer,
  userId: string,
  listedOnly: boolean,
): Promise<string[]> {
  const rows = await db
    .selectFrom("projects")
    .innerJoin("team_members as own", "own.team_id", "projects.team_id")
    .select("projects.id")
    .where("own.user_id", "=", userId)
    .where("own.accepted", "=", 1)
    .where(listedOnly ? isListedProject : visibleTo(viewer))
    .orderBy(listOrder)
    .execute();
  return rows.map((row) => row.id);
}

/** Those that this user works on, in their own teams or through their organizations. */
export async function listProjectIdsOfMember(db: Db, viewer: SignedIn): Promise<string[]> {
  const teams = db
    .selectFrom("team_members")
    .select("team_id")
    .where("user_id", "=", viewer.user.id)
    .where("accepted", "=", 1);
  const orgs = db.selectFrom("organizations").select("id").where("team_id", "in", teams);
  const rows = await db
    .selectFrom("projects")
    .select("projects.id")
    .where((either) => either.or([either("projects.team_id", "in", teams), either("projects.org_id", "in", orgs)]))
    .where(visibleTo(viewer))
    .orderBy(listOrder)
    .execute();
  return rows.map((row) => row.id);
}

export async function listProjectIdsOfOrg(
  db: Db,
  viewer: Viewer,
  orgId: string,
  listedOnly: boolean,
): Promise<string[]> {
  const rows = await db
    .selectFrom("projects")
    .select("projects.id")
    .where("projects.org_id", "=", orgId)
    .where(listedOnly ? isListedProject : visibleTo(viewer))
    .orderBy(listOrder)
    .execute();
  return rows.map((row) => row.id);
}

/** Listed projects only: approved, and neither archived nor unlisted. */
export async function listRandomProjectIds(db: Db, count: number): Promise<string[]> {
  const rows = await db
    .selectFrom("projects")
    .select("id")
    .where("status", "=", "approved")
    .where("visibility", "=", "listed")
    .orderBy(sql`random()`)
    .limit(count)
    .execute();
  return rows.map((row) => row.id);
}

export async function listProjectNames(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom("projects")
    .select(["id", "name"])
    .where(inList(db, sql.ref("id"), ids))
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}
