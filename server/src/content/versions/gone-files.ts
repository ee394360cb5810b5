// Files that go with what they belong to: look-ups by hash must forget them.
import { fileChangeId } from "#content/catalog/catalog.js";
import type { Tx } from "#platform/changes/write.js";

/** Of a version, or of all versions of a project. To be called while their rows are there. */
export async function noteGoneFiles(tx: Tx, of: "version_id" | "project_id", id: string): Promise<void> {
  const files = await tx.db
    .selectFrom("version_files")
    .select(["sha512", "sha1"])
    .distinct()
    .where(of, "=", id)
    .execute();
  const hex = (hash: Uint8Array) => Buffer.from(hash).toString("hex");
  for (const { sha512, sha1 } of files) tx.changed("file", fileChangeId(hex(sha512), hex(sha1)));
}
