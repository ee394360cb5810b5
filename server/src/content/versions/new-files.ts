// Uploaded files on their way to a version: what each is, whether it may be that, and its bytes at their address.

import { open } from "node:fs/promises";
import { reach } from "#lib/fail-points.js";
import { type FileType, findFileType, headBytes, isArchiveType } from "#platform/archives/file-types.js";
import { describeArchive } from "#platform/archives/sentences.js";
import { announceBlobs } from "#platform/blobs/rows.js";
import { fail } from "#platform/errors.js";
import type { StagedFile } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import { say } from "#words/said.js";
import { getWatchList, refuseDeniedInside, refuseHeldContent } from "./denied-contents.js";
import type { ArchiveHints } from "./input.js";
import type { NewFile } from "./write.js";

export interface ExaminedFile {
  staged: StagedFile;
  type: FileType;
  hints: ArchiveHints;
}

/** What kind of file it is, whether it may be one, and what it says about itself. */
export async function examineFile(
  resources: Resources,
  staged: StagedFile,
  allowed?: readonly FileType[],
): Promise<ExaminedFile> {
  const { archives, db } = resources;
  const { name, blob } = staged;
  const type = findFileType(name, await readHead(blob.path));
  if (!type) throw fail.fileRefused(name, say.files.unknownType);
  if (allowed && !allowed.includes(type)) throw fail.fileRefused(name, say.files.primaryType(allowed.join(", ")));
  await refuseHeldContent(db, { name, sha1: blob.sha1, sha512: blob.sha512 });
  const watchList = await getWatchList(resources);
  const inspection = await archives.inspect(blob.path, type, {}, watchList);
  if (!inspection.ok) throw fail.fileRefused(name, describeArchive(inspection));
  // Where some contents are denied, an archive that nobody can look into would be the way around that.
  if (watchList && isArchiveType(type) && !inspection.isContentSeen)
    throw fail.fileRefused(name, say.files.notSeenInto(type));
  await refuseDeniedInside(db, name, inspection.found ?? []);
  const { manifest } = inspection;
  return {
    staged,
    type,
    hints: { ...manifest, loaders: manifest?.loaders ?? [] },
  };
}

async function readHead(path: string): Promise<Buffer> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
  return buffer.subarray(0, bytesRead);
}

/** Different names of the client may be one where they are stored. */
export function refuseSameNames(files: readonly StagedFile[]): void {
  const seen = new Set<string>();
  for (const { name } of files) {
    if (seen.has(name.toLowerCase())) throw fail.fileNameTaken(name);
    seen.add(name.toLowerCase());
  }
}

/** The bytes are durable when this is over. A row for them is there before: if no version follows, they are swept. */
export async function keepFiles(resources: Resources, files: readonly ExaminedFile[]): Promise<NewFile[]> {
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
