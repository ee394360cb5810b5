// Deletes a project with everything that belongs to it, in one transaction. The sweep of blobs deletes the bytes later.
import { fileChangeId } from "#content/catalog/catalog.js";
import { emptyTeams } from "#content/members/write.js";
import type { Tx } from "#platform/changes/write.js";
import type { Row } from "#platform/db/tables.js";
import { markDependentsChanged } from "./dependents.js";
import { retireName } from "./retired-names.js";

interface Retiring {
  /** For how long its slug cannot be used. */
  retiredNameDays: number;
}

/** Foreign keys delete most rows; this deletes those that they cannot reach. */
export async function removeProject(tx: Tx, project: Row<"projects">, { retiredNameDays }: Retiring): Promise<void> {
  const { id } = project;
  await retireSlug(tx, project, retiredNameDays);
  await markFilesChanged(tx, "project_id", id);
  await markDependentsChanged(tx, id);
  const oldSlugs = await tx.db.selectFrom("project_old_slugs").select("slug").where("project_id", "=", id).execute();
  // This also deletes the notifications about open invitations.
  await emptyTeams(tx, [project.team_id]);
  await tx.db.deleteFrom("projects").where("id", "=", id).execute();
  await tx.db.deleteFrom("teams").where("id", "=", project.team_id).execute();
  await tx.db.deleteFrom("threads").where("type", "=", "project").where("entity_id", "=", id).execute();
  await tx.db.deleteFrom("images").where("owner_kind", "=", "project").where("owner_id", "=", id).execute();
  tx.audit(
    "project.delete",
    { kind: "project", id },
    { slug: project.slug, oldSlugs: oldSlugs.map(({ slug }) => slug), name: project.name, status: project.status },
  );
  tx.happened("project.deleted", id, { slug: project.slug, name: project.name, orgId: project.org_id });
  tx.changed("project", id);
  tx.changed("team", project.team_id);
}

/**
 * The slug of an empty draft was never public, so it is not retired. Retired version numbers of the project are
 * deleted.
 */
async function retireSlug(tx: Tx, { id, slug, date_approved }: Row<"projects">, days: number): Promise<void> {
  const { numDeletedRows } = await tx.db
    .deleteFrom("retired_names")
    .where("kind", "=", "version")
    .where("scope", "=", id)
    .executeTakeFirst();
  const version = tx.db.selectFrom("versions").select("id").where("project_id", "=", id).limit(1);
  const wasUsed = date_approved !== null || numDeletedRows > 0n || (await version.executeTakeFirst()) !== undefined;
  if (wasUsed) await retireName(tx, { kind: "project", scope: "", name: slug }, id, days);
}

/** Makes look-ups by hash drop the files of a project or version. To be called before the rows are deleted. */
export async function markFilesChanged(tx: Tx, of: "version_id" | "project_id", id: string): Promise<void> {
  const files = await tx.db
    .selectFrom("version_files")
    .select(["sha512", "sha1"])
    .distinct()
    .where(of, "=", id)
    .execute();
  const hex = (hash: Uint8Array) => Buffer.from(hash).toString("hex");
  for (const { sha512, sha1 } of files) tx.changed("file", fileChangeId(hex(sha512), hex(sha1)));
}
