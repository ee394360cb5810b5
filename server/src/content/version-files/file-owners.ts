// Finds the versions that have a file with a given hash: one statement per batch, with a covering index over binary
// hashes.
import { sql } from "kysely";
import { keepEntries } from "#content/catalog/catalog.js";
import { isNotQuarantined } from "#content/versions/policy.js";
import { engineOf } from "#platform/db/dialect.js";
import type { Resources } from "#platform/http/resources.js";

export type HashAlgorithm = "sha1" | "sha512";

export interface FileOwner {
  versionId: string;
  projectId: string;
  datePublished: number;
}

const keptHashes = 200_000;

/** Changes of the kind "file" name a file by both hashes (fileChangeId). */
const ownersBy = (algorithm: HashAlgorithm, place: number) =>
  keepEntries<readonly FileOwner[]>({
    most: keptHashes,
    load: (resources, hashes) => loadFileOwners(resources, algorithm, hashes),
    onChange({ kind, id }, owners) {
      if (kind === "file") owners.drop(id.split(":")[place] ?? "");
    },
  });

/** Every version that has a file with this hash (lower-case hex), newest first. */
export const fileOwners = { sha512: ownersBy("sha512", 0), sha1: ownersBy("sha1", 1) };

/**
 * Keys are the hashes as given (lower-case hex). Unknown hashes are left out: otherwise anyone could fill the cache.
 */
async function loadFileOwners(
  { db }: Resources,
  algorithm: HashAlgorithm,
  hashes: readonly string[],
): Promise<Map<string, readonly FileOwner[]>> {
  const column = sql.ref(`version_files.${algorithm}`);
  // The list is one parameter. It is joined, because PostgreSQL would scan the table for a comparison with ANY.
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
