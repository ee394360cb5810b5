// Examines an uploaded file: its type, whether it may be published, and the metadata inside it.

import { open } from "node:fs/promises";
import { type FileType, findFileType, headBytes, isArchiveType } from "#platform/archives/file-types.js";
import { describeArchive } from "#platform/archives/sentences.js";
import { fail } from "#platform/errors.js";
import type { StagedFile } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import { say } from "#words/said.js";
import { getWatchList, refuseDeniedInside, refuseHeldContent } from "./denied-contents.js";

/** Metadata of the archive that can fill missing fields. */
export interface ArchiveHints {
  id?: string | undefined;
  name?: string | undefined;
  version?: string | undefined;
  description?: string | undefined;
  license?: string | undefined;
  loaders: readonly string[];
  gameVersionRange?: string | undefined;
  dependencies?: readonly { id: string; required: boolean }[] | undefined;
}

export interface ExaminedFile {
  staged: StagedFile;
  type: FileType;
  hints: ArchiveHints;
}

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
  // If any contents are denied, an archive that cannot be inspected would bypass the check.
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
