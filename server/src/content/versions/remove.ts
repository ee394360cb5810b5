// Deletes a version with its rows. The sweep of blobs deletes the bytes later, once nothing refers to them.
import { sql } from "kysely";
import { markFilesChanged } from "#content/projects/remove.js";
import { retireName } from "#content/projects/retired-names.js";
import { reach } from "#lib/fail-points.js";
import type { Tx } from "#platform/changes/write.js";
import type { Row } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import { refreshProject } from "./compatibility.js";

/** The caller must have locked the project's row. */
export async function removeVersion(
  tx: Tx,
  { id, project_id: projectId }: Row<"versions">,
  { retiredNameDays }: { retiredNameDays: number },
): Promise<void> {
  await markFilesChanged(tx, "version_id", id);
  await markDependentsChanged(tx, id);
  const gone = await tx.db
    .deleteFrom("versions")
    .where("id", "=", id)
    .returning(["downloads", "version_number", "slug"])
    .executeTakeFirst();
  if (!gone) throw fail.versionNotFound();
  // The number may have changed since the slug was derived from it; both led to this version.
  for (const name of new Set([gone.version_number.toLowerCase(), gone.slug]))
    await retireName(tx, { kind: "version", scope: projectId, name }, id, retiredNameDays);
  // Its download rows are deleted with it, so the project's total must follow.
  await tx.db
    .updateTable("projects")
    .set({
      downloads: sql<number>`case when downloads > ${gone.downloads} then downloads - ${gone.downloads} else 0 end`,
    })
    .where("id", "=", projectId)
    .execute();
  await refreshProject(tx, projectId);
  tx.happened("version.deleted", projectId, { versionId: id, versionNumber: gone.version_number });
  tx.audit("version.delete", { kind: "version", id }, { projectId, number: gone.version_number });
  reach("version delete: before commit");
}

/** Versions that depended on exactly this one now depend on any version of the project. */
async function markDependentsChanged(tx: Tx, versionId: string): Promise<void> {
  const dependents = await tx.db
    .selectFrom("dependencies")
    .innerJoin("versions", "versions.id", "dependencies.version_id")
    .select("versions.project_id")
    .distinct()
    .where("dependencies.on_version_id", "=", versionId)
    .execute();
  for (const { project_id } of dependents) tx.changed("project", project_id);
}
