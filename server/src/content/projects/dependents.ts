// The projects whose versions depend on another one: their answers name it, or stop doing so.
import type { Tx } from "#platform/changes/write.js";

/** For every write after which other people see this project, or no longer see it. */
export async function noteDependents(tx: Tx, projectId: string): Promise<void> {
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
