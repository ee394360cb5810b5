// How every change of a project begins: find it if the caller may see it, lock its row, and check the permission.
import { type RawBuilder, sql } from "kysely";
import type { ProjectPermission } from "#content/members/permissions.js";
import {
  allow,
  allowOwner,
  entriesOf,
  findProjectRights,
  type ProjectRights,
  toProjectRights,
} from "#content/members/rights.js";
import { type Actor, type Tx, type Writing, write } from "#platform/changes/write.js";
import { together } from "#platform/db/dialect.js";
import type { Db, Row } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import type { SignedIn, Viewer } from "#platform/http/viewer.js";
import { visibleTo } from "./policy.js";

/** The caller, and the project of the call. */
export interface ProjectCall {
  params: { ref: string };
  viewer: SignedIn;
  actor: Actor;
}

/** Changes the project in its own transaction: 404 if the caller may not see it, 403 without the permission. */
export const changeProject = <T>(
  to: Writing,
  { params, viewer, actor }: ProjectCall,
  needed: ProjectPermission | "owner",
  change: (tx: Tx, project: Row<"projects">) => Promise<T>,
): Promise<T> =>
  write(to, actor, async (tx) => {
    const found = await findVisibleRow(tx.db, viewer, params.ref);
    if (!found) throw fail.projectNotFound();
    // Lock first, so that the permission is checked on a project that still exists.
    const project = await lockProject(tx, found.id);
    const rights = await findProjectRights(tx.db, viewer.user, project.id);
    if (needed === "owner") allowOwner(rights);
    else allow(rights, needed);
    return change(tx, project);
  });

/** By id, slug or old slug, as reads do. Undefined if the caller may not see it. */
export const findVisibleRow = (db: Db, viewer: Viewer, ref: string): Promise<Row<"projects"> | undefined> =>
  visibleRow(db, viewer, ref).executeTakeFirst();

/** Not conditions with "or": PostgreSQL would read all projects. */
const isNamed = (ref: string): RawBuilder<boolean> => {
  const slug = ref.toLowerCase();
  return sql<boolean>`projects.id in (select cast(${ref} as text)
    union all select named.id from projects as named where named.slug = ${slug}
    union all select project_id from project_old_slugs where slug = ${slug})`;
};

const visibleRow = (db: Db, viewer: Viewer, ref: string) =>
  db
    .selectFrom("projects")
    .selectAll("projects")
    .where(isNamed(ref))
    .where(visibleTo(viewer))
    .orderBy(sql`case when projects.id = ${ref} then 0 when projects.slug = ${ref.toLowerCase()} then 1 else 2 end`)
    .limit(1);

/** The project with the caller's rights: 404 if they may not see it, 403 if they lack the permission. */
export async function getEditableProject(
  db: Db,
  viewer: SignedIn,
  ref: string,
  permission?: ProjectPermission,
): Promise<{ project: Row<"projects">; rights: ProjectRights }> {
  const [found, entries] = await together(db, [visibleRow(db, viewer, ref), entriesOf(db, viewer.user, isNamed(ref))]);
  const project = found.rows[0];
  if (!project) throw fail.projectNotFound();
  const rights = toProjectRights(viewer.user, project.id, entries.rows);
  if (permission) allow(rights, permission);
  return { project, rights };
}

/** The id of the project that a token is bound to. 404 for users without rights there: their token could do nothing. */
export async function getBoundId(db: Db, viewer: SignedIn, ref: string): Promise<string> {
  const { project, rights } = await getEditableProject(db, viewer, ref);
  if (!rights.isOwner && rights.permissions.size === 0) throw fail.projectNotFound();
  return project.id;
}

/**
 * Locks the row until the transaction ends, so that requests that read a project and write dependent rows run one after
 * the other. Returns the row as of the lock. Uses an update without effect, because SQLite has no FOR UPDATE.
 */
export async function lockProject(tx: Tx, projectId: string): Promise<Row<"projects">> {
  const row = await lockingProject(tx.db, projectId).executeTakeFirst();
  // Another request deleted it after this one found it.
  if (!row) throw fail.projectNotFound();
  return row;
}

export const lockingProject = (db: Db, projectId: string) =>
  db
    .updateTable("projects")
    .set((column) => ({ followers: column.ref("followers") }))
    .where("id", "=", projectId)
    .returningAll();
