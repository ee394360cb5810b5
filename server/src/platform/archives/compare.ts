// Which files of an archive are new, gone or different in another one. It runs in the process that inspects archives.
// Sizes and checksums come from the directories. A checksum is easy to forge, so files with the same one are compared
// by their stored bytes, and decompressed only if these differ, as they do after packing with another tool.
// Other archives have no directory, so they are read completely.
import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { formatBytes } from "#lib/format-bytes.js";
import { ByteInput, fromFile, fromPieces } from "./byte-input.js";
import type { ArchiveType } from "./file-types.js";
import { createWalk, walks } from "./inspection.js";
import { type Budget, createBudget, defaultLimits } from "./limits.js";
import { ArchiveRefused, refuse } from "./problems.js";
import { nestedName, type Walk } from "./walk.js";
import { walkZip } from "./zip.js";
import { openIndex, type ZipIndex } from "./zip-index.js";
import type { DirectoryRecord } from "./zip-records.js";

export interface ChangedFile {
  /** `libs/a.jar`, or for one inside that: `libs/a.jar!/b.class`. */
  path: string;
  /** Sizes; absent if the archive has no such file. */
  before?: number;
  after?: number;
}

export interface Comparison {
  ok: true;
  /** By path, at most 2000. */
  files: ChangedFile[];
  added: number;
  removed: number;
  changed: number;
  unchanged: number;
  /** Files that have the same checksum and other bytes, and that were too many or too large to decompress. */
  unverified: string[];
  /** Changed archives inside the archive whose files are not compared, because they are too large or damaged. */
  unopened: string[];
}

const MiB = 1024 * 1024;
const mostFiles = 2000;
const mostRemarks = 50;
/** The limits of each archive. A comparison that decompresses more than this would take seconds. */
const limits = { ...defaultLimits, maxUnpackedBytes: 128 * MiB, maxEntriesInAll: 100_000 };
/** The length of all names of one archive: they are kept in memory. */
const mostNameBytes = 8 * MiB;

/** The types whose contents can be read. */
export const comparableTypes = ["jar", "zip", "mrpack", "tar", "gz"] as const satisfies ArchiveType[];

export interface ComparedArchive {
  path: string;
  type: (typeof comparableTypes)[number];
}

export const isZip = ({ type }: ComparedArchive): boolean => type === "jar" || type === "zip" || type === "mrpack";

export async function compareArchives(before: ComparedArchive, after: ComparedArchive): Promise<Comparison> {
  if (isZip(before) && isZip(after)) return compareZips(before.path, after.path);
  const found = createFindings();
  compareInside([await listWhole(before), await listWhole(after)], found);
  return found.toComparison();
}

async function compareZips(beforePath: string, afterPath: string): Promise<Comparison> {
  await using before = await openIndex(beforePath, limits);
  await using after = await openIndex(afterPath, limits);
  const sides = [toSide(before), toSide(after)] as const;
  const found = createFindings();

  const old = new Map<string, DirectoryRecord>();
  for await (const record of listOnce(before)) old.set(record.name, record);
  const nested: { path: string; records: [DirectoryRecord?, DirectoryRecord?] }[] = [];
  for await (const record of listOnce(after)) {
    const earlier = old.get(record.name);
    old.delete(record.name);
    const sameness = earlier ? await compareContents(sides, [earlier, record]) : "other";
    found.add({ path: record.name, before: earlier?.size, after: record.size }, sameness);
    if (sameness !== "same" && nestedName.test(record.name))
      nested.push({ path: record.name, records: [earlier, record] });
  }
  for (const record of old.values()) {
    found.add({ path: record.name, before: record.size }, "other");
    if (nestedName.test(record.name)) nested.push({ path: record.name, records: [record] });
  }

  for (const { path, records } of nested) {
    const inside = await listBoth(sides, records);
    if (!inside) found.leaveUnopened(path);
    else compareInside(inside, found);
  }
  return found.toComparison();
}

/** An archive, and the bytes that may be decompressed of it. */
interface Side {
  index: ZipIndex;
  budget: Budget;
}

const toSide = (index: ZipIndex): Side => ({ index, budget: createBudget(limits, index.size) });

type Sameness = "same" | "other" | "unverified";

async function* listOnce(index: ZipIndex): AsyncGenerator<DirectoryRecord, void> {
  const names = new Set<string>();
  let bytes = 0;
  for await (const record of index.listFiles()) {
    bytes += Buffer.byteLength(record.name);
    if (bytes > mostNameBytes) refuse("tooManyEntries");
    if (names.has(record.name)) refuse("duplicateEntry", record.name);
    names.add(record.name);
    yield record;
  }
}

const buffers = [Buffer.alloc(64 * 1024), Buffer.alloc(64 * 1024)] as const;

async function compareContents(
  [before, after]: readonly [Side, Side],
  [old, fresh]: readonly [DirectoryRecord, DirectoryRecord],
): Promise<Sameness> {
  if (old.size !== fresh.size || old.crc !== fresh.crc) return "other";
  const isStoredAlike = old.method === fresh.method && old.compressedSize === fresh.compressedSize;
  if (isStoredAlike && hasSameStored([before, after], [old, fresh])) return "same";
  try {
    const digests = [await digestOf(before, old), await digestOf(after, fresh)];
    return digests[0] === digests[1] ? "same" : "other";
  } catch (error) {
    if (error instanceof ArchiveRefused) return "unverified";
    throw error;
  }
}

function hasSameStored(
  [before, after]: readonly [Side, Side],
  [old, fresh]: readonly [DirectoryRecord, DirectoryRecord],
) {
  const others = after.index.readStored(fresh, buffers[1]);
  for (const piece of before.index.readStored(old, buffers[0])) {
    const { value } = others.next();
    if (!value || !piece.equals(value)) return false;
  }
  return true;
}

async function digestOf({ index, budget }: Side, record: DirectoryRecord): Promise<string> {
  const hash = createHash("sha512");
  for await (const piece of index.openFile(record, budget)) hash.update(piece);
  return hash.digest("hex");
}

/** The files of an archive, or of one inside an archive: size and digest by path. */
type Inside = Map<string, { size: number; sha512: string }>;

async function listWhole({ path, type }: ComparedArchive): Promise<Inside> {
  await using file = await open(path, "r");
  const { size } = await file.stat();
  // Tar stores files uncompressed, so that the budget does not limit them.
  if (size > limits.maxUnpackedBytes) refuse("tooLarge", undefined, ["limit", formatBytes(limits.maxUnpackedBytes)]);
  const files: Inside = new Map();
  let nameBytes = 0;
  const walk: Walk = {
    ...createWalk(size, limits),
    note: (name, bytes, sha512) => {
      if (name.endsWith("/")) return;
      nameBytes += Buffer.byteLength(name);
      if (nameBytes > mostNameBytes) refuse("tooManyEntries");
      files.set(name, { size: bytes, sha512 });
    },
  };
  await walks[type](new ByteInput(fromFile(file)), walk);
  return files;
}

/** Undefined if one of the two cannot be read within the limits. A missing archive has no files. */
async function listBoth(
  sides: readonly [Side, Side],
  records: readonly [DirectoryRecord?, DirectoryRecord?],
): Promise<[Inside, Inside] | undefined> {
  try {
    const [before, after] = [await listInside(sides[0], records[0]), await listInside(sides[1], records[1])];
    return [before, after];
  } catch (error) {
    if (error instanceof ArchiveRefused) return undefined;
    throw error;
  }
}

async function listInside({ index, budget }: Side, record: DirectoryRecord | undefined): Promise<Inside> {
  const files: Inside = new Map();
  // An empty file with the extension of an archive is a placeholder.
  if (!record || record.size === 0) return files;
  const walk: Walk = {
    ...createWalk(index.size, limits),
    budget,
    note: (path, size, sha512) => {
      if (!path.endsWith("/")) files.set(path, { size, sha512 });
    },
  };
  const input = new ByteInput(fromPieces(index.openFile(record, budget)));
  await walkZip(input, walk, 1, `${record.name}!/`);
  return files;
}

function compareInside([before, after]: readonly [Inside, Inside], found: Findings): void {
  for (const [path, { size, sha512 }] of after) {
    const earlier = before.get(path);
    before.delete(path);
    found.add({ path, before: earlier?.size, after: size }, earlier?.sha512 === sha512 ? "same" : "other");
  }
  for (const [path, { size }] of before) found.add({ path, before: size }, "other");
}

type Findings = ReturnType<typeof createFindings>;

function createFindings() {
  const counts = { added: 0, removed: 0, changed: 0, unchanged: 0 };
  const files: ChangedFile[] = [];
  const [unverified, unopened]: [string[], string[]] = [[], []];
  const remark = (list: string[], path: string) => {
    if (list.length < mostRemarks) list.push(path);
  };
  return {
    add(
      { path, before, after }: { path: string; before?: number | undefined; after?: number | undefined },
      sameness: Sameness,
    ) {
      if (sameness === "same") {
        counts.unchanged++;
        return;
      }
      counts[before === undefined ? "added" : after === undefined ? "removed" : "changed"]++;
      if (sameness === "unverified") remark(unverified, path);
      if (files.length >= mostFiles) return;
      files.push({ path, ...(before !== undefined && { before }), ...(after !== undefined && { after }) });
    },
    leaveUnopened: (path: string) => remark(unopened, path),
    toComparison: (): Comparison => ({
      ok: true,
      files: files.sort((a, b) => (a.path < b.path ? -1 : 1)),
      ...counts,
      unverified,
      unopened,
    }),
  };
}
