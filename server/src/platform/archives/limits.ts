// The limits of an archive, and the budget that it shares with all archives inside it.
import { formatBytes } from "#lib/format-bytes.js";
import { refuse } from "./problems.js";

const MiB = 1024 * 1024;

export const defaultLimits = {
  /** In one archive; the maximum of a ZIP without extensions. */
  maxEntries: 65_535,
  /** Including nested archives. A pack of 250 mods has about 200,000. */
  maxEntriesInAll: 400_000,
  /** The limit of all decompressed data; nested archives count twice, as a file and with their contents. */
  maxUnpackedBytes: 2048 * MiB,
  maxEntryBytes: 1024 * MiB,
  /** The largest compression ratio of an archive, once it expands to more than `ratioFreeBytes`. */
  maxRatio: 50,
  ratioFreeBytes: 64 * MiB,
  maxPathBytes: 512,
  maxPathDepth: 32,
  /** 0 allows no archives inside an archive. */
  maxNestingDepth: 2,
  maxNested: 1024,
};

export type ArchiveLimits = typeof defaultLimits;

export interface Budget {
  readonly entries: number;
  readonly unpackedBytes: number;
  addEntry(): void;
  checkEntrySize(bytes: number, entry?: string): void;
  /** Refuses an announced size before anything is decompressed. */
  announce(bytes: number, entry?: string): void;
  spend(bytes: number, entry?: string): void;
}

export function createBudget(limits: ArchiveLimits, archiveBytes: number): Budget {
  const ratioBytes = Math.max(limits.ratioFreeBytes, limits.maxRatio * archiveBytes);
  let entries = 0;
  let unpackedBytes = 0;

  function checkTotal(total: number, entry?: string): void {
    if (total > limits.maxUnpackedBytes) {
      refuse("tooLarge", entry, ["limit", formatBytes(limits.maxUnpackedBytes)]);
    }
    if (total > ratioBytes) refuse("tooCompressed", entry, ["maxRatio", limits.maxRatio]);
  }

  function checkEntrySize(bytes: number, entry?: string): void {
    if (bytes <= limits.maxEntryBytes) return;
    refuse("entryTooLarge", entry, ["limit", formatBytes(limits.maxEntryBytes)]);
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
      if (entries > limits.maxEntriesInAll) refuse("tooManyEntries", undefined, ["limit", limits.maxEntriesInAll]);
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
