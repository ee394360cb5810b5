// The layout of a prepared project (prepared-encode.ts writes it, prepared-project.ts reads it): a header, the deflated
// pieces, the uncompressed pieces, and texts that are read rarely. The pieces of both encodings are in the same order: the
// list item, the versions from the newest to the oldest, the project. So the pieces that are used most are right behind
// the header. All numbers are little-endian. Positions are counted from the beginning of the record.

/** A change of the layout needs a new number: files with another one are dropped. */
export const formatNumber = 4;
export const magic = 0x4d53_5000 + formatNumber;

export const head = {
  magic: 0,
  /** It covers the header from here to the figures, which are changed in place. */
  crc: 4,
  headerLength: 8,
  recordLength: 12,
  /** The position of the change log before the rows were read. */
  builtAt: 16,
  /** It covers all content, without figures. */
  digest: 24,
  versionCount: 32,
  /** Lines of version id, tab and slug, newest version first; a line feed before the first and after each. */
  namesAt: 36,
  namesLength: 40,
  /** JSON of Details. */
  detailsAt: 44,
  detailsLength: 48,
  /** Eight bytes that identify each distinct set of loaders and game versions. */
  setsAt: 52,
  setCount: 56,
  /** JSON of these sets, outside of the header: it is long, and most of them are known. */
  setTextsAt: 60,
  setTextsLength: 64,
  fingerprintsAt: 68,
  fingerprintCount: 72,
  offersAt: 76,
  offerCount: 80,
  rowsAt: 84,
  /** Downloads of the project, then of each version; 64-bit floating point. */
  figuresAt: 88,
  project: 92,
  listItem: 120,
  /** The description as HTML; not deflated, and empty if it could not be rendered. */
  description: 148,
  length: 176,
} as const;

/** Each hash of a file once, with the newest version that has the file; in ascending order of `low`. */
export const fingerprint = { low: 0, high: 4, ordinal: 8, length: 12 } as const;

/**
 * The newest version for each combination of a set of loaders and game versions with a channel; newest first. Withdrawn
 * versions are not offered.
 */
export const offer = { ordinal: 0, set: 4, channel: 6, length: 8 } as const;

/** A piece of the project. */
export const piece = { plainAt: 0, plainLength: 4, deflatedAt: 8, deflatedLength: 12, crc: 16, digest: 20 } as const;

/**
 * A version. Its content is in a part that all forms share and a tail for each form. The parts follow each other in this
 * order: shared, byHash, own, bulk.
 */
export const row = {
  date: 0,
  nameAt: 8,
  set: 12,
  channel: 14,
  flags: 15,
  plainAt: 16,
  /** Lengths of the four parts. */
  plain: 20,
  deflatedAt: 36,
  deflated: 40,
  /** CRC-32 of each form: shared part and tail. */
  crc: 56,
  digest: 68,
  length: 76,
} as const;

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

/** The parts of a header that are read rarely. */
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
