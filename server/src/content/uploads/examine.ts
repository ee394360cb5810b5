// Examines an uploaded file: its type, whether it may be published, and the metadata inside it.

import { open } from "node:fs/promises";
import { type FileType, findFileType, headBytes, isArchiveType } from "#platform/archives/file-types.js";
import type { FoundPack } from "#platform/archives/pack-parts.js";
import { describeArchive, describePack } from "#platform/archives/sentences.js";
import { fail } from "#platform/errors.js";
import type { StagedFile } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import { say } from "#words/said.js";
import { getWatchList, refuseDeniedInside, refuseDeniedListed, refuseHeldContent } from "./denied-contents.js";

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
  /** Set if the file is a pack. */
  pack?: FoundPack | undefined;
}

export async function examineFile(
  resources: Resources,
  staged: StagedFile,
  allowed?: readonly FileType[],
): Promise<ExaminedFile> {
  const { archives, db, config } = resources;
  const { name, blob } = staged;
  const type = findFileType(name, await readHead(blob.path));
  if (!type) throw fail.fileRefused(name, say.files.unknownType);
  if (allowed && !allowed.includes(type)) throw fail.fileRefused(name, say.files.primaryType(allowed.join(", ")));
  await refuseHeldContent(db, { name, sha1: blob.sha1, sha512: blob.sha512 });
  const watchList = await getWatchList(resources);
  const rules = { hosts: config.limits.packHosts, origins: [config.http.url, config.http.cdnUrl] };
  const inspection = await archives.inspect(blob.path, type, {}, watchList, { pack: rules });
  if (!inspection.ok) throw fail.fileRefused(name, describeArchive(inspection));
  // If any contents are denied, an archive that cannot be inspected would bypass the check.
  if (watchList && isArchiveType(type) && !inspection.isContentSeen)
    throw fail.fileRefused(name, say.files.notSeenInto(type));
  await refuseDeniedInside(db, name, inspection.found ?? []);
  const { manifest, pack, fault } = inspection;
  if (fault) throw fail.packInvalid(name, describePack(fault));
  if (pack) await refuseDeniedListed(db, name, pack.files);
  return {
    ...{ staged, type, pack },
    hints: pack ? hintsOf(pack) : { ...manifest, loaders: manifest?.loaders ?? [] },
  };
}

/** The projects that a pack contains are found by their hashes, not by names in its index. */
const hintsOf = ({ name, version, summary, loaders, gameVersion }: FoundPack): ArchiveHints => ({
  ...{ name, version, loaders },
  description: summary,
  gameVersionRange: gameVersion,
});

async function readHead(path: string): Promise<Buffer> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
  return buffer.subarray(0, bytesRead);
}
