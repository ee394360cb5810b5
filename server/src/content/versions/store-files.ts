// Stores the files of a new version: first the bytes in the blob store, then the rows.
import { fileChangeId } from "#content/catalog/catalog.js";
import { type Content, heldContents, refuseHeld } from "#content/uploads/denied-contents.js";
import type { ExaminedFile } from "#content/uploads/examine.js";
import { reach } from "#lib/fail-points.js";
import { newId } from "#lib/random.js";
import { announceBlobs, BlobVanished, needBytes, reservingBlobs } from "#platform/blobs/rows.js";
import type { BlobDigest, BlobStore } from "#platform/blobs/store.js";
import type { Tx } from "#platform/changes/write.js";
import { type Statement, together } from "#platform/db/dialect.js";
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

/** The statements that insert rows for files whose bytes are stored. `firstId` is the id of the first one. */
export function insertingFiles(
  tx: Tx,
  { projectId, versionId }: { projectId: string; versionId: string },
  files: readonly NewFile[],
  firstId = newId(tx.random),
): Statement[] {
  if (files.length === 0) return [];
  for (const { digest } of files) tx.changed("file", fileChangeId(digest.sha512, digest.sha1));
  const rows = files.map(({ name, type, digest }, index) => ({
    id: index === 0 ? firstId : newId(tx.random),
    version_id: versionId,
    project_id: projectId,
    name,
    type,
    size: digest.size,
    sha1: Buffer.from(digest.sha1, "hex"),
    sha512: Buffer.from(digest.sha512, "hex"),
    date_created: tx.now,
  }));
  const digests = files.map(({ digest }) => digest);
  return [reservingBlobs(tx.db, digests, tx.now), tx.db.insertInto("version_files").values(rows)];
}

export const contentsOf = (files: readonly NewFile[]): Content[] =>
  files.map(({ name, digest: { sha1, sha512 } }) => ({ name, sha1, sha512 }));

/** To be called after the rows were inserted. */
export const needStored = (blobs: BlobStore, files: readonly NewFile[]): Promise<void> =>
  needBytes(
    blobs,
    files.map(({ digest }) => digest),
  ).catch((error) => {
    // Very rare: the same bytes were being swept at this moment. A retry stores them again.
    throw error instanceof BlobVanished ? fail.unavailable() : error;
  });

/** Adds files to a version. Its project must be locked. */
export async function addFiles(
  tx: Tx,
  blobs: BlobStore,
  version: { projectId: string; versionId: string },
  files: readonly NewFile[],
): Promise<void> {
  if (files.length === 0) return;
  const present = await tx.db
    .selectFrom("version_files")
    .select("name")
    .where("version_id", "=", version.versionId)
    .execute();
  const names = new Set(present.map(({ name }) => name.toLowerCase()));
  const taken = files.find(({ name }) => names.has(name.toLowerCase()));
  if (taken) throw fail.fileNameTaken(taken.name);
  const contents = contentsOf(files);
  const [held] = await together(tx.db, [heldContents(contents)], insertingFiles(tx, version, files));
  refuseHeld(contents, held.rows);
  await needStored(blobs, files);
}
