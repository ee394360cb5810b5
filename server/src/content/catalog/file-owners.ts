// Which versions hold a file with a given hash: one statement for a whole batch, by a covering index over binary hashes.
import { sql } from "kysely";
import { isNotQuarantined } from "#content/versions/standing-rows.js";
import { engineOf } from "#platform/db/dialect.js";
import type { Db } from "#platform/db/tables.js";

export type HashAlgorithm = "sha1" | "sha512";

export interface FileOwner {
  versionId: string;
  projectId: string;
  datePublished: number;
}

/** Keys are the hashes as given (lower-case hex). Unknown ones are left out: remembering them would let anybody fill the memory. */
export async function loadFileOwners(
  db: Db,
  algorithm: HashAlgorithm,
  hashes: readonly string[],
): Promise<Map<string, FileOwner[]>> {
  const column = sql.ref(`version_files.${algorithm}`);
  // The list is one parameter: joined, not compared with ANY, which PostgreSQL answers with a scan of the table.
  const wanted =
    engineOf(db) === "postgres"
      ? sql`unnest(${hashes.map((hash) => Buffer.from(hash, "hex"))}::bytea[]) as wanted(hash)`
      : sql`(select unhex(value) as hash from json_each(${JSON.stringify(hashes)})) as wanted`;
  const { rows } = await sql<{ hash: Uint8Array; version_id: string; project_id: string; date_published: number }>`
    select wanted.hash, version_files.version_id, version_files.project_id, versions.date_published
    from ${wanted}
    join version_files on ${column} = wanted.hash
    join versions on versions.id = version_files.version_id and ${isNotQuarantined}
    order by versions.date_published desc, versions.id`.execute(db);
  const owners = new Map<string, FileOwner[]>();
  for (const row of rows) {
    const hash = Buffer.from(row.hash).toString("hex");
    const owner = { versionId: row.version_id, projectId: row.project_id, datePublished: row.date_published };
    const known = owners.get(hash);
    if (known) known.push(owner);
    else owners.set(hash, [owner]);
  }
  return owners;
}
