// The version that has the number of an upload already: the same upload may have been sent twice.
import { sql } from "kysely";
import { isWaitingForScan } from "#content/scans/policy.js";
import type { Db } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import type { StagedFile } from "#platform/http/endpoint.js";

export interface Published {
  versionId: string;
  /** The version existed already, with the same bytes. */
  unchanged: boolean;
  /** It is hidden until the malware scan, or until a moderator decides about its finding. */
  isHeld: boolean;
}

export interface Existing {
  id: string;
  sha512: Uint8Array;
  date_quarantined: number | null;
  waits: number;
}

export const findExisting = (db: Db, projectId: string, versionNumber: string): Promise<Existing | undefined> =>
  db
    .selectFrom("versions")
    .innerJoin("version_files as file", "file.id", "versions.primary_file_id")
    .select(["versions.id", "versions.date_quarantined", "file.sha512"])
    .select(sql<number>`case when ${isWaitingForScan} then 1 else 0 end`.as("waits"))
    .where("versions.project_id", "=", projectId)
    .where("versions.version_number", "=", versionNumber)
    .executeTakeFirst();

/**
 * The same bytes with the same number are the same version. Other bytes never replace it, and a quarantined version
 * cannot be restored in this way; one that only waits for its scan is there.
 */
export function sameOrTaken(existing: Existing, file: StagedFile): Published {
  const isSame = Buffer.from(existing.sha512).equals(Buffer.from(file.blob.sha512, "hex"));
  const isHeld = existing.date_quarantined !== null;
  if (!isSame || (isHeld && existing.waits === 0)) throw fail.versionNumberTaken();
  return { versionId: existing.id, unchanged: true, isHeld };
}
