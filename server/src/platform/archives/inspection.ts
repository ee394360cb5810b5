// Inspects one archive file in this process: what it contains, or why it is refused. Nothing is written to disk.
import { open } from "node:fs/promises";
import { ByteInput, type ByteSource, fromFile } from "./byte-input.js";
import type { ArchiveType } from "./file-types.js";
import { walkGzip } from "./gzip.js";
import { type ArchiveLimits, createBudget, defaultLimits } from "./limits.js";
import { type FoundManifest, findManifest, wantedManifestBytes } from "./manifests.js";
import type { FoundPack, PackFault, PackRules } from "./pack-parts.js";
import { readPack, withPack } from "./packs.js";
import { type ArchiveDetail, type ArchiveProblem, ArchiveRefused } from "./problems.js";
import { type ReadEntry, readBytes, readEntry } from "./read-entry.js";
import { walkSevenZip } from "./seven-zip.js";
import { walkTar } from "./tar.js";
import type { ListedFile, NestedArchive, Walk } from "./walk.js";
import { createWatch, type FoundContent, type WatchList } from "./watched-contents.js";
import { walkZip } from "./zip.js";

export type Inspection = InspectedArchive | RefusedArchive;

export interface InspectedArchive {
  ok: true;
  /** False for 7z, where only the outer structure is checked, and for files that are not archives. */
  isContentSeen: boolean;
  /** The number of files and folders, including those of nested archives. */
  entries: number;
  /** The number of decompressed bytes, including nested archives. Always 0 for tar and 7z. */
  inflatedBytes: number;
  nested: NestedArchive[];
  manifest?: FoundManifest;
  /** Contents that match the watch list. */
  found?: FoundContent[];
  /** Every file, if requested; at most 5000. */
  files?: ListedFile[];
  /** The requested file, if the archive has it. */
  read?: ReadEntry;
  /** Set if packs are read and the archive is one. */
  pack?: FoundPack;
  /** The reason why the pack is refused. */
  fault?: PackFault;
}

export interface RefusedArchive {
  ok: false;
  reason: ArchiveProblem;
  detail: ArchiveDetail | undefined;
  /** The entry, after the archives that contain it. */
  path: readonly string[];
}

export const toInspection = ({ reason, detail, path }: ArchiveRefused): RefusedArchive => ({
  ok: false,
  reason,
  detail,
  path,
});

/** Reads an archive of each type to its end. */
export const walks: Record<ArchiveType, (input: ByteInput, walk: Walk) => Promise<void>> = {
  jar: walkZip,
  zip: walkZip,
  mrpack: walkZip,
  gz: walkGzip,
  tar: walkTar,
  "7z": walkSevenZip,
};

export interface Wishes {
  /** Return the names of all files. */
  list?: boolean;
  /** Return the start of the file with this path; `libs/a.jar!/b.class` is inside of another archive. */
  read?: string | undefined;
  /** Read the archive as a pack, if it is one. */
  pack?: PackRules | undefined;
}

export async function inspectFile(
  path: string,
  type: ArchiveType,
  limits: Partial<ArchiveLimits> = {},
  watchList?: WatchList,
  wishes?: Wishes,
): Promise<Inspection> {
  await using file = await open(path, "r");
  const { size } = await file.stat();
  return await inspectSource(fromFile(file), size, type, limits, watchList, wishes);
}

export async function inspectSource(
  source: ByteSource,
  size: number,
  type: ArchiveType,
  limits: Partial<ArchiveLimits> = {},
  watchList?: WatchList,
  { list = false, read, pack }: Wishes = {},
): Promise<Inspection> {
  const plain = createWalk(size, limits);
  const walk: Walk = {
    ...(pack ? withPack(plain, type) : plain),
    watch: createWatch(watchList),
    ...(list && { listed: [] }),
    ...(read !== undefined && { reading: { path: read, most: readBytes, pieces: [], size: -1 } }),
  };
  try {
    await walks[type](new ByteInput(source), walk);
  } catch (error) {
    if (error instanceof ArchiveRefused) return toInspection(error);
    throw error;
  }
  const manifest = findManifest(walk.kept);
  return {
    ok: true,
    isContentSeen: type !== "7z",
    entries: walk.budget.entries,
    inflatedBytes: walk.budget.unpackedBytes,
    nested: walk.nested,
    ...(manifest && { manifest }),
    ...(walk.watch && { found: walk.watch.found }),
    ...(walk.listed && { files: walk.listed }),
    ...(pack && readPack(walk, type, pack)),
    ...(walk.reading && walk.reading.size >= 0 && { read: toRead(walk.reading) }),
  };
}

function toRead({ pieces, size }: NonNullable<Walk["reading"]>): ReadEntry {
  const bytes = Buffer.concat(pieces);
  return readEntry(bytes, size > bytes.length);
}

export function createWalk(archiveBytes: number, changed: Partial<ArchiveLimits> = {}): Walk {
  const limits = { ...defaultLimits, ...changed };
  return {
    limits,
    budget: createBudget(limits, archiveBytes),
    nested: [],
    kept: new Map(),
    wanted: wantedManifestBytes,
    walkNested: walkZip,
  };
}
