// How every write to a project begins: find it among what the caller sees, then ask whether he may.
import { sql } from "kysely";
import type { ProjectPermission } from "#content/members/permissions.js";
import { allow, findProjectStanding, type ProjectStanding } from "#content/members/standing.js";
import type { Db, Row } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import type { SignedIn, Viewer } from "#platform/http/viewer.js";
import { visibleTo } from "./policy.js";

/** By id, slug or old slug, as reads do it; invisible is absent. */
export async function findVisibleRow(db: Db, viewer: Viewer, ref: string): Promise<Row<"projects"> | undefined> {
  const slug = ref.toLowerCase();
  return db
    .selectFrom("projects")
    .selectAll("projects")
    .where((or) =>
      or.or([
        or("projects.id", "=", ref),
        or("projects.slug", "=", slug),
        or("projects.id", "in", (select) =>
          select.selectFrom("project_old_slugs").select("project_id").where("slug", "=", slug),
        ),
      ]),
    )
    .where(visibleTo(viewer))
    .orderBy(sql`case when projects.id = ${ref} then 0 when projects.slug = ${slug} then 1 else 2 end`)
    .limit(1)
    .executeTakeFirst();
}

/** The project with the caller's standing in it: 404 where he does not see it, 403 where he lacks the permission. */
export async function getEditableProject(
  db: Db,
  viewer: SignedIn,
  ref: string,
  permission?: ProjectPermission,
): Promise<{ project: Row<"projects">; standing: ProjectStanding }> {
  const project = await findVisibleRow(db, viewer, ref);
  if (!project) throw fail.projectNotFound();
  const standing = await findProjectStanding(db, viewer.user, project.id);
  if (permission) allow(standing, permission);
  return { project, standing };
}
