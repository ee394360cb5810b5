// Finds projects that the caller may see: by id or slug, or by user or organization. Public projects come from memory.
// For all others, visibility is checked in the database at every request, so that a membership that has just ended
// gives no access.
import { sql } from "kysely";
import { preparedOf } from "#content/catalog/prepared-catalog.js";
import { hashIndexOf } from "#content/hashes/hash-index.js";
import { membersFor } from "#content/members/read.js";
import { isMemberOfProject } from "#content/members/rights.js";
import type { PreparedProject } from "#content/records/prepared-project.js";
import type { Project } from "#content/shapes/project.js";
import { inList } from "#platform/db/dialect.js";
import { findIdsByRef } from "#platform/db/refs.js";
import type { Db } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import type { Resources } from "#platform/http/resources.js";
import { isStaff, type SignedIn, type Viewer } from "#platform/http/viewer.js";
import { type ProjectEntry, projectEntries } from "./entries.js";
import { isListedProject, visibleTo } from "./policy.js";

/** The public project with this id or slug, if it is prepared. */
export function peekProject(resources: Resources, ref: string): PreparedProject | undefined {
  const prepared = preparedOf(resources);
  const byId = prepared.peek(ref);
  if (byId) return byId;
  const index = hashIndexOf(resources);
  for (const number of index.projectsNamed(ref) ?? []) {
    const project = prepared.peekNumbered(number);
    if (project?.isNamed(ref)) return project;
  }
  return undefined;
}

function isNamed({ id, slug, oldSlugs }: ProjectEntry, ref: string): boolean {
  const lower = ref.toLowerCase();
  return id === ref || slug === lower || oldSlugs.includes(lower);
}

/** Ids for ids, slugs and old slugs; unknown refs are left out. */
export async function findProjectIds(resources: Resources, refs: readonly string[]): Promise<Map<string, string>> {
  const index = hashIndexOf(resources);
  const found = new Map<string, string>();
  /** Ids of the projects that the index names, or undefined where it does not know. */
  const named = new Map<string, readonly string[] | undefined>();
  for (const ref of refs) {
    const known = peekProject(resources, ref);
    if (known) found.set(ref, known.id);
    else
      named.set(
        ref,
        index.projectsNamed(ref)?.map((number) => index.idOf(number)),
      );
  }
  const entries = await projectEntries(resources).load([...new Set([...named.values()].flatMap((ids) => ids ?? []))]);
  const unsure: string[] = [];
  for (const [ref, ids] of named) {
    const entry = ids?.map((id) => entries.get(id)).find((entry) => entry && isNamed(entry, ref));
    if (entry) found.set(ref, entry.id);
    else if (ids?.length !== 0) unsure.push(ref);
  }
  if (unsure.length > 0)
    for (const [ref, id] of await findIdsByRef(resources.db, "projects", unsure)) found.set(ref, id);
  return new Map(refs.flatMap((ref) => (found.has(ref) ? [[ref, found.get(ref)!] as const] : [])));
}

/** The public projects with these ids or slugs, by ref. Only for callers who see nothing else. */
export async function findPreparedProjects(
  resources: Resources,
  refs: readonly string[],
): Promise<Map<string, PreparedProject>> {
  const [index, prepared] = [hashIndexOf(resources), preparedOf(resources)];
  const found = new Map<string, PreparedProject>();
  const candidates = new Map<string, readonly string[] | undefined>();
  for (const ref of refs) {
    const known = peekProject(resources, ref);
    if (known) found.set(ref, known);
    else
      candidates.set(
        ref,
        index.projectsNamed(ref)?.map((number) => index.idOf(number)),
      );
  }
  if (candidates.size === 0) return found;
  const loaded = await prepared.load([...new Set([...candidates.values()].flatMap((ids) => ids ?? []))]);
  const unsure: string[] = [];
  for (const [ref, ids] of candidates) {
    const project = ids?.map((id) => loaded.get(id)).find((each) => each?.isNamed(ref));
    if (project) found.set(ref, project);
    else if (ids?.length !== 0) unsure.push(ref);
  }
  if (unsure.length === 0) return found;
  const selected = await findIdsByRef(resources.db, "projects", unsure);
  const rest = await prepared.load([...new Set(selected.values())]);
  for (const [ref, id] of selected) if (rest.has(id)) found.set(ref, rest.get(id)!);
  return found;
}

export const findPrepared = async (resources: Resources, ref: string): Promise<PreparedProject | undefined> =>
  (await findPreparedProjects(resources, [ref])).get(ref);

/** As a list: each project once, in the order in which it is first named. */
export async function listPrepared(resources: Resources, refs: readonly string[]): Promise<PreparedProject[]> {
  const found = await findPreparedProjects(resources, refs);
  return [...new Map(refs.flatMap((ref) => (found.has(ref) ? [[found.get(ref)!.id, found.get(ref)!]] : []))).values()];
}

export const findProjectId = async (resources: Resources, ref: string): Promise<string | undefined> =>
  (await findProjectIds(resources, [ref])).get(ref);

/** As a list: each project once, in the order in which it is first named. */
export const listProjectIds = async (resources: Resources, refs: readonly string[]): Promise<string[]> => [
  ...new Set((await findProjectIds(resources, refs)).values()),
];

/** The project with this id or slug. 404 if the caller may not see it, as if it did not exist. */
export async function getVisibleProject(resources: Resources, viewer: Viewer, ref: string): Promise<ProjectEntry> {
  const id = await findProjectId(resources, ref);
  const entry = id === undefined ? undefined : (await projectEntries(resources).load([id])).get(id);
  if (!entry || !(await visibleProjects(resources.db, viewer, [entry])).has(entry.id)) throw fail.projectNotFound();
  return entry;
}

/** Several projects by id, in that order, without those that the caller may not see. */
export async function listVisibleProjects(
  resources: Resources,
  viewer: Viewer,
  ids: readonly string[],
): Promise<ProjectEntry[]> {
  const entries = await projectEntries(resources).load(ids);
  const visible = await visibleProjects(resources.db, viewer, entries.values());
  return ids.flatMap((id) => (visible.has(id) ? (entries.get(id) ?? []) : []));
}

/** The projects among these that the caller may see. Public ones need no query. */
export async function visibleProjects(
  db: Db,
  viewer: Viewer,
  entries: Iterable<ProjectEntry>,
): Promise<ReadonlySet<string>> {
  const visible = new Set<string>();
  const hidden: string[] = [];
  for (const entry of entries) {
    if (entry.isPublic) visible.add(entry.id);
    else hidden.push(entry.id);
  }
  if (viewer.kind !== "anonymous") for (const id of await listVisibleIds(db, viewer, hidden)) visible.add(id);
  return visible;
}

/** The projects among these that the caller may see, whether or not they are public. */
export async function listVisibleIds(db: Db, viewer: Viewer, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom("projects")
    .select("projects.id")
    .where(inList(db, sql.ref("projects.id"), ids))
    .where(visibleTo(viewer))
    .execute();
  return rows.map(({ id }) => id);
}

/** Whether the caller may see the permissions of members, as members and staff do. */
export async function seesPermissions(db: Db, viewer: Viewer, projectId: string): Promise<boolean> {
  if (viewer.kind === "anonymous") return false;
  if (isStaff(viewer)) return true;
  const row = await db
    .selectFrom("projects")
    .select("projects.id")
    .where("projects.id", "=", projectId)
    .where(isMemberOfProject(viewer.user))
    .executeTakeFirst();
  return row !== undefined;
}

/** The full answer for a signed-in caller: members and staff also see the permissions of members. */
export async function toProjectFor(resources: Resources, viewer: Viewer, entry: ProjectEntry): Promise<Project> {
  if (!(await seesPermissions(resources.db, viewer, entry.id))) return entry.publicProject.value;
  const { organisation, ...project } = structuredClone(entry.project);
  // Members of the project are not always members of its organization.
  return {
    ...project,
    organisation: organisation && { ...organisation, members: membersFor(viewer, organisation.members) },
  };
}

const listOrder = sql`projects.downloads desc, projects.id`;

/** Projects with this user as an accepted member of their own team, as far as the caller may see them. */
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

/** Projects that this user works on, through the project's own team or its organization. */
export async function listProjectIdsOfMember(db: Db, viewer: SignedIn): Promise<string[]> {
  const teams = db
    .selectFrom("team_members")
    .select("team_id")
    .where("user_id", "=", viewer.user.id)
    .where("accepted", "=", 1);
  const orgs = db.selectFrom("organizations").select("id").where("team_id", "in", teams);
  // One list: with two of them, PostgreSQL would read all projects.
  const own = db
    .selectFrom("projects")
    .select("id")
    .where("team_id", "in", teams)
    .union(db.selectFrom("projects").select("id").where("org_id", "in", orgs));
  const rows = await db
    .selectFrom("projects")
    .select("projects.id")
    .where("projects.id", "in", own)
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

/** Enough that most samples have as many listed projects as are wanted. */
const sampleFactor = 4;

/** Only listed projects: approved, and neither archived nor unlisted. */
export async function listRandomProjectIds(resources: Resources, count: number): Promise<string[]> {
  const { db } = resources;
  const listed = db
    .selectFrom("projects")
    .select("id")
    .where("status", "=", "approved")
    .where("visibility", "=", "listed");
  const sample = hashIndexOf(resources).sampleIds(sampleFactor * count);
  if (sample) {
    const rows = await listed.where(inList(db, sql.ref("id"), sample)).execute();
    const found = new Set(rows.map(({ id }) => id));
    if (found.size >= count) return sample.filter((id) => found.has(id)).slice(0, count);
  }
  const rows = await listed.orderBy(sql`random()`).limit(count).execute();
  return rows.map(({ id }) => id);
}

export async function listProjectNames(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom("projects")
    .select(["id", "name"])
    .where(inList(db, sql.ref("id"), ids))
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

export interface OwnedProject {
  id: string;
  slug: string;
  name: string;
}

/** Projects that a user owns outside of organizations, and so could move into one. */
export const listOwnedProjects = (db: Db, userId: string): Promise<OwnedProject[]> =>
  db
    .selectFrom("projects")
    .innerJoin("team_members as owner", "owner.team_id", "projects.team_id")
    .select(["projects.id", "projects.slug", "projects.name"])
    .where("owner.user_id", "=", userId)
    .where("owner.is_owner", "=", 1)
    .where("projects.org_id", "is", null)
    .orderBy("projects.name")
    .orderBy("projects.id")
    .execute();
