// Both directions of dependencies between projects, in a constant number of statements.
import { sql } from "kysely";
import type { ProjectEntry } from "#content/projects/entries.js";
import { visibleTo } from "#content/projects/policy.js";
import { listVisibleProjects } from "#content/projects/read.js";
import { type VersionEntry, versionEntries } from "#content/versions/entries.js";
import type { Db, DependencyType } from "#platform/db/tables.js";
import type { Resources } from "#platform/http/resources.js";
import type { Viewer } from "#platform/http/viewer.js";

/** The dependencies of a project's versions that the caller may see. */
export async function listDependencies(
  resources: Resources,
  viewer: Viewer,
  projectId: string,
): Promise<{ projects: ProjectEntry[]; versions: VersionEntry[] }> {
  const own = (await versionEntries(resources).load([projectId])).get(projectId) ?? [];
  const dependencies = own.flatMap((version) => version.dependencies);
  const projects = await listVisibleProjects(resources, viewer, [
    ...new Set(dependencies.map((dependency) => dependency.on_project_id)),
  ]);
  const named = new Set(dependencies.map((dependency) => dependency.on_version_id));
  const pinned = new Set(dependencies.filter((each) => each.on_version_id).map((each) => each.on_project_id));
  const versions = await versionEntries(resources).load(projects.map(({ id }) => id).filter((id) => pinned.has(id)));
  return {
    projects: projects.sort((a, b) => b.project.downloads - a.project.downloads || (a.id < b.id ? -1 : 1)),
    versions: [...versions.values()].flat().filter(({ id }) => named.has(id)),
  };
}

export interface Page {
  type?: DependencyType | undefined;
  limit: number;
  page: number;
}

/** The ids of one page, the most downloaded first, and the total. */
export async function listDependentIds(
  db: Db,
  viewer: Viewer,
  projectId: string,
  { type, limit, page }: Page,
): Promise<{ ids: string[]; total: number }> {
  const dependents = sql`
    select distinct versions.project_id as id from dependencies
    join versions on versions.id = dependencies.version_id
    where dependencies.on_project_id = ${projectId} and versions.date_quarantined is null
      ${type === undefined ? sql`` : sql`and dependencies.type = ${type}`}`;
  // A cross join makes SQLite start with the dependents, which are few compared with all projects.
  const visible = sql`
    from (${dependents}) as dependents cross join projects
    where projects.id = dependents.id and ${visibleTo(viewer)}`;
  const { rows } = await sql<{ id: string }>`
    select projects.id ${visible} order by projects.downloads desc, projects.id
    limit ${limit} offset ${(page - 1) * limit}`.execute(db);
  const counted = await sql<{ total: number | string }>`select count(*) as total ${visible}`.execute(db);
  return { ids: rows.map((row) => row.id), total: Number(counted.rows[0]?.total ?? 0) };
}
