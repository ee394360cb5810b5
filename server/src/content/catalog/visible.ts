// Which of these projects the caller may see. Public ones need no question; for the rest the predicate is asked in the
// database at every request, so that a membership that ended a moment ago is not believed from memory.
import { sql } from "kysely";
import { isMemberOfProject } from "#content/members/standing.js";
import { visibleTo } from "#content/projects/policy.js";
import { inList } from "#platform/db/dialect.js";
import type { Db } from "#platform/db/tables.js";
import type { Viewer } from "#platform/http/viewer.js";
import { isStaff } from "#platform/http/viewer.js";
import type { ProjectEntry } from "./project-entries.js";
import type { ShownVersion, VersionEntry } from "./version-entries.js";

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
  if (viewer.kind !== "anonymous") for (const id of await listVisible(db, viewer, hidden)) visible.add(id);
  return visible;
}

/** The form in which the caller sees each of these versions: with the dependencies on projects that they may see. */
export async function showVersionsTo(
  db: Db,
  viewer: Viewer,
  versions: Iterable<VersionEntry>,
): Promise<(version: VersionEntry) => ShownVersion> {
  const hidden = new Set<string>();
  if (viewer.kind !== "anonymous")
    for (const { hiddenProjects } of versions) for (const id of hiddenProjects) hidden.add(id);
  const visible = new Set(await listVisible(db, viewer, [...hidden]));
  return (version) => (version.hiddenProjects.some((id) => visible.has(id)) ? version.shownWith(visible) : version);
}

async function listVisible(db: Db, viewer: Viewer, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom("projects")
    .select("projects.id")
    .where(inList(db, sql.ref("projects.id"), ids))
    .where(visibleTo(viewer))
    .execute();
  return rows.map(({ id }) => id);
}

/** Whether the caller sees what only members and moderators see of a project: who may do what. */
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
