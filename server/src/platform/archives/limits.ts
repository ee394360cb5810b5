// What an archive may cost, and the account of what one has cost so far: one for it and all archives inside it.
import { formatBytes } from "#lib/format-bytes.js";
import { refuse } from "./problems.js";

const MiB = 1024 * 1024;

export const defaultLimits = {
  /** In one archive; the most that a ZIP without extensions can say. */
  maxEntries: 65_535,
  /** With those of nested archives. A pack of 250 mods has some 200,000. */
  maxEntriesInAll: 400_000,
  /** Of everything unpacked, nested archives twice: as a file and by what they hold. */
  maxUnpackedBytes: 2048 * MiB,
  maxEntryBytes: 1024 * MiB,
  /** How many times its own size an archive may unpack to, once that is more than `ratioFreeBytes`. */
  maxRatio: 50,
  ratioFreeBytes: 64 * MiB,
  maxPathBytes: 512,
  maxPathDepth: 32,
  /** 0 would allow no archive inside an archive. */
  maxNestingDepth: 2,
  maxNested: 1024,
};

export type ArchiveLimits = typeof defaultLimits;

export interface Budget {
  readonly entries: number;
  readonly unpackedBytes: number;
  addEntry(): void;
  checkEntrySize(bytes: number, entry?: string): void;
  /** Refuses what is announced before any of it is unpacked. */
  announce(bytes: number, entry?: string): void;
  spend(bytes: number, entry?: string): void;
}

export function createBudget(limits: ArchiveLimits, archiveBytes: number): Budget {
  const ratioBytes = Math.max(limits.ratioFreeBytes, limits.maxRatio * archiveBytes);
  let entries = 0;
  let unpackedBytes = 0;

  function checkTotal(total: number, entry?: string): void {
    if (total > limits.maxUnpackedBytes) {
      refuse("tooLarge", entry, `${formatBytes(limits.maxUnpackedBytes)} is the limit`);
    }
    if (total > ratioBytes) refuse("tooCompressed", entry, `${limits.maxRatio} times is the limit`);
  }

  function checkEntrySize(bytes: number, entry?: string): void {
    if (bytes <= limits.maxEntryBytes) return;
    refuse("entryTooLarge", entry, `${formatBytes(limits.maxEntryBytes)} is the limit`);
  }

  return {
    get entries() {
      return entries;
    },
    get unpackedBytes() {
      return unpackedBytes;
    },
    addEntry() {
      entries++;
      if (entries > limits.maxEntriesInAll)
        refuse("tooManyEntries", undefined, `${limits.maxEntriesInAll} is the limit`);
    },
    checkEntrySize,
    announce(bytes, entry) {
      checkEntrySize(bytes, entry);
      checkTotal(unpackedBytes + bytes, entry);
    },
    spend(bytes, entry) {
      unpackedBytes += bytes;
      checkTotal(unpackedBytes, entry);
    },
  };
}
