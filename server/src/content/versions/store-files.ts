// Stores the files of a new version: first the bytes in the blob store, then the rows.
import { fileChangeId } from "#content/catalog/catalog.js";
import { refuseHeldContent } from "#content/uploads/denied-contents.js";
import type { ExaminedFile } from "#content/uploads/examine.js";
import { reach } from "#lib/fail-points.js";
import { newId } from "#lib/random.js";
import { announceBlobs, BlobVanished, reserveBlobs } from "#platform/blobs/rows.js";
import type { BlobDigest, BlobStore } from "#platform/blobs/store.js";
import type { Tx } from "#platform/changes/write.js";
import { brokenUnique } from "#platform/db/dialect.js";
import { fail } from "#platform/errors.js";
import type { StagedFile } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";

export interface NewFile {
  name: string;
  type: string;
  digest: BlobDigest;
}

/** Names that differ only in case may be the same file on disk. */
export function refuseSameNames(files: readonly StagedFile[]): void {
  const seen = new Set<string>();
  for (const { name } of files) {
    if (seen.has(name.toLowerCase())) throw fail.fileNameTaken(name);
    seen.add(name.toLowerCase());
  }
}

/**
 * The bytes are durable when this returns. Their blob rows are written first, so that the sweep finds them if no
 * version follows.
 */
export async function storeFiles(resources: Resources, files: readonly ExaminedFile[]): Promise<NewFile[]> {
  const { db, blobs, clock } = resources;
  await announceBlobs(
    db,
    files.map(({ staged }) => staged.blob),
    clock.now(),
  );
  reach("upload: blobs announced");
  const kept: NewFile[] = [];
  for (const { staged, type } of files) {
    kept.push({ name: staged.name, type, digest: await blobs.keep(staged.blob) });
    reach("upload: first blob kept");
  }
  reach("upload: blobs kept");
  return kept;
}

/** Inserts rows for files whose bytes are stored. `firstId` is the id of the first one. */
export async function insertFiles(
  tx: Tx,
  blobs: BlobStore,
  version: { projectId: string; versionId: string },
  files: readonly NewFile[],
  firstId = newId(tx.random),
): Promise<void> {
  const digests = files.map(({ digest }) => digest);
  await reserveBlobs(tx.db, blobs, digests, tx.now).catch((error) => {
    // Very rare: the same bytes were being swept at this moment. A retry stores them again.
    throw error instanceof BlobVanished ? fail.unavailable() : error;
  });
  for (const [n, file] of files.entries()) await insertFile(tx, version, file, n === 0 ? firstId : newId(tx.random));
}

async function insertFile(
  tx: Tx,
  { projectId, versionId }: { projectId: string; versionId: string },
  { name, type, digest }: NewFile,
  id: string,
): Promise<void> {
  const row = {
    id,
    version_id: versionId,
    project_id: projectId,
    name,
    type,
    size: digest.size,
    sha1: Buffer.from(digest.sha1, "hex"),
    sha512: Buffer.from(digest.sha512, "hex"),
    date_created: tx.now,
  };
  try {
    await tx.db.insertInto("version_files").values(row).execute();
  } catch (error) {
    throw brokenUnique(error) === "version_files_version_id_name" ? fail.fileNameTaken(name) : error;
  }
  await refuseHeldContent(tx.db, { name, sha1: digest.sha1, sha512: digest.sha512 });
  tx.changed("file", fileChangeId(digest.sha512, digest.sha1));
}
