// The rights of a user in a project or an organization, always read from the database (earlier-service 6.4, decisions
// §5).
import { type RawBuilder, sql } from "kysely";
import { fromJson, type Json } from "#lib/json.js";
import { inList } from "#platform/db/dialect.js";
import type { Db } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import type { ViewerUser } from "#platform/http/viewer.js";
import { type OrgPermission, orgPermissions, type ProjectPermission, projectPermissions } from "./permissions.js";

export interface Rights<P extends string> {
  /** The owner has every permission. Administrators count as owners everywhere. */
  isOwner: boolean;
  permissions: ReadonlySet<P>;
}

export type ProjectRights = Rights<ProjectPermission>;

export interface OrgRights extends Rights<OrgPermission> {
  /** The permissions of the user in all projects of the organization that have no entry for them. */
  defaults: ReadonlySet<ProjectPermission>;
}

const everything = <P extends string>(all: readonly P[]): Rights<P> => ({ isOwner: true, permissions: new Set(all) });
const everythingInOrg: OrgRights = { ...everything(orgPermissions), defaults: new Set(projectPermissions) };

const nothingInOrg: OrgRights = { isOwner: false, permissions: new Set(), defaults: new Set() };

/**
 * The user's entry in the project's own team decides; without one, the default project permissions of their entry in
 * the organization's team. The owner of the organization owns its projects. Invitees have no rights.
 */
export async function findProjectRights(db: Db, user: ViewerUser, projectId: string): Promise<ProjectRights> {
  return (await listProjectRights(db, user, [projectId])).get(projectId)!;
}

/** The same for several projects in one statement. The map has a value for every id. */
export async function listProjectRights(
  db: Db,
  user: ViewerUser,
  projectIds: readonly string[],
): Promise<Map<string, ProjectRights>> {
  if (user.role === "admin") return new Map(projectIds.map((id) => [id, everything(projectPermissions)]));
  const rows = await entriesOf(db, user, inList(db, sql.ref("projects.id"), projectIds)).execute();
  return new Map(projectIds.map((id) => [id, toProjectRights(user, id, rows)]));
}

/** The user's entries in the teams of these projects. */
export const entriesOf = (db: Db, user: ViewerUser, projects: RawBuilder<boolean>) =>
  db
    .selectFrom("projects")
    .leftJoin("organizations", "organizations.id", "projects.org_id")
    .innerJoin("team_members as member", (join) =>
      join.on(sql<boolean>`member.team_id = projects.team_id or member.team_id = organizations.team_id`),
    )
    .select(["projects.id as project_id", "member.is_owner", "member.permissions"])
    .select(sql<number>`case when member.team_id = projects.team_id then 1 else 0 end`.as("is_own_team"))
    .where(projects)
    .where("member.user_id", "=", user.id)
    .where("member.accepted", "=", 1);

/** The rights in one of the projects whose entries were read. */
export function toProjectRights(user: ViewerUser, projectId: string, rows: readonly Entry[]): ProjectRights {
  if (user.role === "admin") return everything(projectPermissions);
  const isReached = user.boundTo === undefined || user.boundTo === projectId;
  return toRights(isReached ? rows.filter((row) => row.project_id === projectId) : []);
}

interface Entry {
  project_id: string;
  is_owner: number;
  is_own_team: number;
  permissions: Json<string[]>;
}

function toRights(rows: readonly Entry[]): ProjectRights {
  if (rows.some((row) => row.is_owner === 1)) return everything(projectPermissions);
  const entry = rows.find((row) => row.is_own_team === 1) ?? rows[0];
  if (!entry) return { isOwner: false, permissions: new Set() };
  return { isOwner: false, permissions: new Set(fromJson(entry.permissions) as ProjectPermission[]) };
}

/** A condition for queries over projects: accepted members of the project's team or of its organization's team. */
export const isMemberOfProject = ({
  id,
  boundTo,
}: ViewerUser): RawBuilder<boolean> => sql<boolean>`(${isReached(boundTo)} and exists (
  select 1 from team_members
  where team_members.user_id = ${id} and team_members.accepted = 1
    and (team_members.team_id = projects.team_id
      or team_members.team_id = (select organizations.team_id from organizations where organizations.id = projects.org_id))))`;

const isReached = (boundTo: string | undefined): RawBuilder<boolean> =>
  boundTo === undefined ? sql<boolean>`1 = 1` : sql<boolean>`projects.id = ${boundTo}`;

export async function findOrgRights(db: Db, user: ViewerUser, orgId: string): Promise<OrgRights> {
  if (user.boundTo !== undefined) return nothingInOrg;
  if (user.role === "admin") return everythingInOrg;
  const row = await db
    .selectFrom("organizations")
    .innerJoin("team_members as member", "member.team_id", "organizations.team_id")
    .select(["member.is_owner", "member.permissions", "member.org_permissions"])
    .where("organizations.id", "=", orgId)
    .where("member.user_id", "=", user.id)
    .where("member.accepted", "=", 1)
    .executeTakeFirst();
  if (row?.is_owner === 1) return everythingInOrg;
  return {
    isOwner: false,
    permissions: new Set(row && (fromJson(row.org_permissions) as OrgPermission[])),
    defaults: new Set(row && (fromJson(row.permissions) as ProjectPermission[])),
  };
}

/** Refuses with 403: the caller sees the project or organization but lacks this permission. */
export function allow<P extends string>(rights: Rights<P>, permission: P): void {
  if (!rights.permissions.has(permission)) throw fail.permissionMissing(permission);
}

export function allowOwner(rights: Rights<string>): void {
  if (!rights.isOwner) throw fail.ownerOnly();
}
