// Finds the projects that have a file with a given hash in the database: one statement per batch, with a covering index
// over binary hashes.
import { sql } from "kysely";
import { engineOf } from "#platform/db/dialect.js";
import type { Db } from "#platform/db/tables.js";

export type HashAlgorithm = "sha1" | "sha512";

/** Ids of projects by hash (lower-case hex); unknown hashes are left out. Quarantined versions count too. */
export async function selectProjectsByFile(
  db: Db,
  algorithm: HashAlgorithm,
  hashes: readonly string[],
): Promise<Map<string, Set<string>>> {
  const projects = new Map<string, Set<string>>();
  if (hashes.length === 0) return projects;
  const column = sql.ref(`version_files.${algorithm}`);
  // The list is one parameter. It is joined, because PostgreSQL would scan the table for a comparison with ANY.
  const wanted =
    engineOf(db) === "postgres"
      ? sql`unnest(${hashes.map((hash) => Buffer.from(hash, "hex"))}::bytea[]) as wanted(hash)`
      : sql`(select unhex(value) as hash from json_each(${JSON.stringify(hashes)})) as wanted`;
  const { rows } = await sql<{ hash: Uint8Array; project_id: string }>`
    select distinct wanted.hash, version_files.project_id
    from ${wanted} join version_files on ${column} = wanted.hash`.execute(db);
  for (const { hash, project_id } of rows) {
    const hex = Buffer.from(hash).toString("hex");
    const known = projects.get(hex);
    if (known) known.add(project_id);
    else projects.set(hex, new Set([project_id]));
  }
  return projects;
}
