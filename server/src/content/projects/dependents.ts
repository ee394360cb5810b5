// Projects with versions that depend on another project: their answers name it while it is visible.
import type { Tx } from "#platform/changes/write.js";

/** To be called by every write that makes this project visible or invisible to the public. */
export async function markDependentsChanged(tx: Tx, projectId: string): Promise<void> {
  const dependents = await tx.db
    .selectFrom("dependencies")
    .innerJoin("versions", "versions.id", "dependencies.version_id")
    .select(["versions.id", "versions.project_id"])
    .distinct()
    .where("dependencies.on_project_id", "=", projectId)
    .where("versions.project_id", "!=", projectId)
    .execute();
  for (const id of new Set(dependents.map(({ project_id }) => project_id))) tx.changed("project", id);
  for (const { id } of dependents) tx.changed("version", id);
}
