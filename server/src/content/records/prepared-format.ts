// The layout of a prepared project (prepared-encode.ts writes it, prepared-project.ts reads it): the core, the pieces of the
// project, texts that are read rarely, the tables of all versions, the uncompressed parts of the versions, and their blocks
// (docs/design/catalogue.md). Versions are in the same order everywhere, from the newest to the oldest. All numbers are
// little-endian. Positions are counted from the beginning of the record, except those of blocks in tables (toBlockRef).

/** A change of the layout needs a new number: files with another one are dropped. */
export const formatNumber = 8;
export const magic = 0x4d53_5000 + formatNumber;

export const head = {
  magic: 0,
  /** It covers the core from `coreLength` to its end. */
  crc: 4,
  /** The downloads of the project; 64-bit floating point, changed in place. */
  downloads: 8,
  coreLength: 16,
  recordLength: 20,
  /** The position of the change log before the rows were read. */
  builtAt: 24,
  /** It identifies all content, without figures. */
  digest: 32,
  versionCount: 40,
  /** JSON of Details. */
  detailsAt: 44,
  detailsLength: 48,
  /** Eight bytes that identify each distinct set of loaders and game versions. */
  setsAt: 52,
  setCount: 56,
  /** JSON of these sets, outside of the core: it is long, and most of them are known. */
  setTextsAt: 60,
  setTextsLength: 64,
  offersAt: 68,
  offerCount: 72,
  tablesAt: 76,
  tablesLength: 80,
  /** It covers the tables up to the figures. */
  tablesCrc: 84,
  /** Lines of version id, tab and slug, newest version first; a line feed before the first and after each. */
  namesAt: 88,
  namesLength: 92,
  fingerprintsAt: 96,
  fingerprintCount: 100,
  rowsAt: 104,
  /** Downloads of each version; 64-bit floating point, changed in place here and in the blocks. */
  figuresAt: 108,
  project: 112,
  listItem: 140,
  /** The description as HTML; not deflated, and empty if it could not be rendered. */
  description: 168,
  /** Bits of `coreFlag`. */
  flags: 196,
  /** Where the slug is in the JSON of Details. */
  slugAt: 200,
  slugLength: 204,
  /** Where the uncompressed parts of the versions end and the blocks begin. */
  blocksAt: 208,
  length: 212,
} as const;

/** `listed`: public lists show the project. */
export const coreFlag = { listed: 1 } as const;

/** Each hash of a file once, with the newest version that has the file; in ascending order of `low`. */
export const fingerprint = { low: 0, high: 4, ordinal: 8, block: 12, length: 16 } as const;

/**
 * The newest version for each combination of a set of loaders and game versions with a channel; newest first. Withdrawn
 * versions are not offered.
 */
export const offer = { ordinal: 0, set: 4, channel: 6, block: 8, length: 12 } as const;

/**
 * Where the block of a version is, in one number of 32 bits: its distance from the end of the record, which is a multiple of
 * 16, plus the class of its length. Never 0. Counted from the end, older versions stay where they are when a version is
 * published, so that nothing has to be written again for them in the tables of all projects (prepared-files.ts).
 */
export const blockAlignment = 16;
/** At most so many bytes of a block of each class are needed for its form in hash look-ups; longer ones are in the last. */
const classBytes = Array.from({ length: blockAlignment }, (_, index) => Math.ceil(256 * 1.5 ** index));
export const toBlockRef = (distance: number, bytes: number): number => {
  const found = classBytes.findIndex((most) => bytes <= most);
  return distance + (found < 0 ? classBytes.length - 1 : found);
};
export const positionOf = (ref: number, recordLength: number): number => recordLength - ref + (ref % blockAlignment);
export const expectedBytes = (ref: number): number => classBytes[ref % blockAlignment]!;

/** A piece of the project. */
export const piece = { plainAt: 0, plainLength: 4, deflatedAt: 8, deflatedLength: 12, crc: 16, digest: 20 } as const;

/**
 * A version. Its content is in a part that all forms share and a tail for each form. The parts follow each other in this
 * order: shared, byHash, own, bulk.
 */
export const row = {
  /** A checksum of the row without `downloads` (rowCheck). */
  check: 0,
  nameAt: 4,
  /** 64-bit floating point, changed in place; used in blocks only. */
  downloads: 8,
  date: 16,
  plainAt: 24,
  set: 28,
  channel: 30,
  flags: 31,
  /** Lengths of the four parts. */
  plain: 32,
  deflatedAt: 48,
  deflated: 52,
  /** CRC-32 of each form: shared part and tail. */
  crc: 68,
  digest: 80,
  length: 88,
} as const;

/** Where the parts of a version begin: its line in the table of names, its uncompressed parts, and its block. */
export interface VersionPlaces {
  name: number;
  plain: number;
  block: number;
}

/** It detects a row that is not where it should be, or was not written completely, at little cost. */
export function rowCheck(view: DataView, at: number): number {
  let check = view.getUint32(at + row.nameAt, true) ^ magic;
  for (let from = at + row.date; from < at + row.length; from += 4)
    check = Math.imul((check << 5) | (check >>> 27), 0x9e3779b1) ^ view.getUint32(from, true);
  return check >>> 0;
}

/** `needsOthers`: it has a required dependency, public or not. */
export const flag = { featured: 1, yanked: 2, needsOthers: 4 } as const;
export const digestBytes = 8;

/** In the order of their tails. */
export const forms = ["byHash", "own", "bulk"] as const;
/** The form of a version in an answer: in hash look-ups, in its own list and alone, in bulk answers. */
export type Form = (typeof forms)[number];
export const formNumbers: Record<Form, number> = { byHash: 0, own: 1, bulk: 2 };
/** The length of the bulk tail if it is the same as the one for hash look-ups. */
export const sameAsByHash = 0xffff_ffff;

/** The parts of a core that are read rarely. */
export interface Details {
  id: string;
  slug: string;
  oldSlugs: readonly string[];
  /** The users and the organization that answers name. */
  userIds: readonly string[];
  orgId: string | null;
  /** Whether public lists show it. */
  isListed: boolean;
  /** Identifies the text that the description was rendered from. */
  descriptionSource: string;
}

/** The loaders and game versions of a version. */
export type OfferedNames = readonly [loaders: readonly string[], gameVersions: readonly string[]];
