// The end of a version: its rows go at once, its bytes with the sweep of blobs when nothing else refers to them.
import { sql } from "kysely";
import { fileChangeId } from "../catalog/catalog.js";
import type { Tx } from "../changes/write.js";
import type { Row } from "../db/tables.js";
import { fail } from "../errors.js";
import { reach } from "../lib/fail-points.js";
import { refreshProject } from "./derived-rows.js";

/** The project's row must be locked by the caller. */
export async function removeVersion(tx: Tx, { id, project_id: projectId }: Row<"versions">): Promise<void> {
  await noteFiles(tx, id);
  await noteDependents(tx, id);
  const gone = await tx.db
    .deleteFrom("versions")
    .where("id", "=", id)
    .returning(["downloads", "version_number"])
    .executeTakeFirst();
  if (!gone) throw fail.versionNotFound();
  // Its rows of the ledger went with it, so the project's figure must follow.
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

/** Look-ups by hash must forget them. */
async function noteFiles(tx: Tx, versionId: string): Promise<void> {
  const files = await tx.db
    .selectFrom("version_files")
    .select(["sha512", "sha1"])
    .where("version_id", "=", versionId)
    .execute();
  const hex = (hash: Uint8Array) => Buffer.from(hash).toString("hex");
  for (const { sha512, sha1 } of files) tx.changed("file", fileChangeId(hex(sha512), hex(sha1)));
}

/** Versions that need exactly this one now need any version of the project. */
async function noteDependents(tx: Tx, versionId: string): Promise<void> {
  const dependents = await tx.db
    .selectFrom("dependencies")
    .innerJoin("versions", "versions.id", "dependencies.version_id")
    .select("versions.project_id")
    .distinct()
    .where("dependencies.on_version_id", "=", versionId)
    .execute();
  for (const { project_id } of dependents) tx.changed("project", project_id);
}
