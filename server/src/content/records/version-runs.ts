// Versions on their way into a new record. Most versions of a large project do not change, so those that are neighbours in the
// earlier record too are copied together, as a run; a version that was packed is a run of its own.
import type { PackedVersion } from "./packed-version.js";
import { blockAlignment, row, type VersionPlaces } from "./prepared-format.js";
import type { PreparedProject } from "./prepared-project.js";

/** A version that is taken from an earlier record of the project as it is. */
export interface KeptVersion {
  /** Its number in that record. */
  ordinal: number;
  downloads: number;
}

export type NewVersion = PackedVersion | KeptVersion;

export const isKept = (version: object): version is KeptVersion => "ordinal" in version;

export interface VersionRun {
  /** Their lines in the table of names. */
  names: Uint8Array;
  /** Their rows. The places in them are right if names, uncompressed parts and blocks begin at `from`. */
  rows: Uint8Array;
  from: VersionPlaces;
  plainLength: number;
  blocksLength: number;
  /** Writes the uncompressed parts and the blocks into a new record. */
  write(record: Buffer, plainAt: number, blocksAt: number): void;
}

export const align = (position: number): number => Math.ceil(position / blockAlignment) * blockAlignment;

export function toRuns(versions: readonly NewVersion[], earlier: PreparedProject | undefined): VersionRun[] {
  const runs: VersionRun[] = [];
  for (let index = 0; index < versions.length; ) {
    const version = versions[index]!;
    const count = isKept(version) ? countNeighbours(versions, index, version) : 1;
    runs.push(isKept(version) ? keptRun(earlier!, version.ordinal, count) : packedRun(version));
    index += count;
  }
  return runs;
}

/** How many versions from this one on follow each other in the earlier record too. */
function countNeighbours(versions: readonly NewVersion[], from: number, { ordinal }: KeptVersion): number {
  for (let count = 1; ; count++) {
    const next = versions[from + count];
    if (!next || !isKept(next) || next.ordinal !== ordinal + count) return count;
  }
}

function packedRun({ id, slug, block, plain }: PackedVersion): VersionRun {
  const blocksLength = align(block.length);
  return {
    names: Buffer.from(`${id}\t${slug}\n`),
    rows: block.subarray(0, row.length),
    from: { name: 0, plain: 0, block: 0 },
    ...{ plainLength: plain.length, blocksLength },
    write(record, plainAt, blocksAt) {
      record.set(plain, plainAt);
      record.set(block, blocksAt);
      record.fill(0, blocksAt + block.length, blocksAt + blocksLength);
    },
  };
}

function keptRun(earlier: PreparedProject, first: number, count: number): VersionRun {
  const [from, end] = [earlier.placesOf(first), earlier.placesOf(first + count)];
  const [plainLength, blocksLength] = [end.plain - from.plain, end.block - from.block];
  return {
    names: earlier.tableBytes(from.name, end.name),
    rows: earlier.rowBytes(first, count),
    ...{ from, plainLength, blocksLength },
    write(record, plainAt, blocksAt) {
      earlier.source.read(record, plainAt, from.plain, plainLength);
      earlier.source.read(record, blocksAt, from.block, blocksLength);
    },
  };
}
