// The contents of a pack, stored with its version: every file that it lists, and the projects of this site among them as
// embedded dependencies. They belong to the version and not to the file's hash, so that they end with the version by the
// cascade of the database, and no sweep is needed.
import { sql } from "kysely";
import { isPublicProject } from "#content/projects/policy.js";
import type { PackSummary } from "#lib/pack-summary.js";
import { newId } from "#lib/random.js";
import type { FoundPack, PackFile } from "#platform/archives/pack-parts.js";
import type { Tx } from "#platform/changes/write.js";
import { givenRows } from "#platform/db/dialect.js";
import type { Db } from "#platform/db/tables.js";
import { isNotQuarantined } from "./policy.js";

export const toSummary = ({ format, gameVersion, loaders, files, own }: FoundPack): PackSummary => ({
  ...{ format, loaders, own },
  gameVersion: gameVersion ?? null,
  files: files.length,
});

const rowsAtOnce = 500;
const toBytes = (hash: string | null): Buffer | null => (hash === null ? null : Buffer.from(hash, "hex"));

export async function insertContents(tx: Tx, versionId: string, files: readonly PackFile[]): Promise<void> {
  const rows = files.map(({ path, size, sha1, sha512, client, server, host, isInside }, position) => ({
    ...{ version_id: versionId, position, path, size, client, server, host },
    ...{ sha1: toBytes(sha1), sha512: toBytes(sha512), is_inside: isInside ? (1 as const) : (0 as const) },
  }));
  for (let start = 0; start < rows.length; start += rowsAtOnce)
    await tx.db
      .insertInto("pack_files")
      .values(rows.slice(start, start + rowsAtOnce))
      .execute();
}

/**
 * Adds the public projects whose files the pack contains, except for those that the author has named. It is a snapshot,
 * like the dependencies of authors; pages look up the contents again. Two statements, however long the list is.
 */
export async function embedContents(tx: Tx, { id, projectId }: { id: string; projectId: string }): Promise<void> {
  const known = await selectContained(tx.db, id, projectId);
  if (known.length === 0) return;
  const rows = known.map(({ project_id, version_id }) => ({
    ...{ id: newId(tx.random), project: project_id, version: version_id },
  }));
  await sql`
    insert into dependencies (id, version_id, on_project_id, on_version_id, type, from_pack)
    select given.id, ${id}, given.project, given.version, 'embedded', 1
    from ${givenRows(tx.db, { id: "text", project: "text", version: "text" }, rows)}
    where true
    on conflict (version_id, on_project_id) do nothing`.execute(tx.db);
}

/** The newest version of each public project that has one of the files. */
async function selectContained(
  db: Db,
  versionId: string,
  ownProject: string,
): Promise<{ project_id: string; version_id: string }[]> {
  const found = (algorithm: "sha1" | "sha512") => sql`
    select versions.project_id, versions.id as version_id, versions.date_published
    from pack_files
    join version_files on version_files.${sql.ref(algorithm)} = pack_files.${sql.ref(algorithm)}
    join versions on versions.id = version_files.version_id
    join projects on projects.id = versions.project_id
    where pack_files.version_id = ${versionId} and projects.id <> ${ownProject}
      and ${isPublicProject} and ${isNotQuarantined}
      ${algorithm === "sha1" ? sql`and pack_files.sha512 is null` : sql``}`;
  const { rows } = await sql<{ project_id: string; version_id: string }>`
    select project_id, version_id from (${found("sha512")} union all ${found("sha1")}) as found
    order by date_published, version_id desc`.execute(db);
  return [...new Map(rows.map((row) => [row.project_id, row])).values()];
}

/** The projects that are dependencies because the pack contains them. */
export async function listEmbedded(db: Db, versionId: string): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom("dependencies")
    .select("on_project_id")
    .where("version_id", "=", versionId)
    .where("from_pack", "=", 1)
    .execute();
  return new Set(rows.map((row) => row.on_project_id));
}
