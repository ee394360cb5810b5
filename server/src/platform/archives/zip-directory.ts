// The directory at the end of a ZIP archive and the end records: all must agree with the entries that were found.
import type { ByteInput } from "./byte-input.js";
import { refuse } from "./problems.js";
import type { DataFacts } from "./zip-data.js";
import { readWide, saturated } from "./zip-fields.js";
import { type DirectoryRecord, readDirectoryRecord, readSignature, signatures } from "./zip-records.js";

/** The facts of an entry as found at its position. */
export interface FoundEntry extends DataFacts {
  nameDigest: string;
  method: number;
}

interface Extent {
  entries: number;
  size: number;
  offset: number;
}

/**
 * Reads to the end of the input. Entries are keyed by their offset; each is removed from `unlisted` once it is listed.
 */
export async function readDirectory(input: ByteInput, unlisted: Map<number, FoundEntry>): Promise<void> {
  const extent: Extent = { entries: unlisted.size, size: 0, offset: input.position };
  // Neither an entry nor a directory starts with these bytes.
  if (unlisted.size > 0 && (await readSignature(input)) !== signatures.directory) refuse("hiddenData");
  while ((await readSignature(input)) === signatures.directory) {
    const record = await readDirectoryRecord(input);
    const entry = unlisted.get(record.offset);
    if (!entry) refuse("missingEntry", record.name);
    unlisted.delete(record.offset);
    compare(record, entry);
    refuseSpecial(record);
  }
  if (unlisted.size > 0) refuse("hiddenEntry", undefined, ["inAll", unlisted.size]);
  extent.size = input.position - extent.offset;
  const hasWideEnd = (await readSignature(input)) === signatures.wideEnd;
  if (hasWideEnd) await readWideEnd(input, extent);
  await readEnd(input, extent, hasWideEnd);
}

function compare(record: DirectoryRecord, entry: FoundEntry): void {
  for (const [what, said, is] of [
    ["name", record.nameDigest, entry.nameDigest],
    ["method", record.method, entry.method],
    ["checksum", record.crc, entry.crc],
    ["size", record.size, entry.size],
    ["compressedSize", record.compressedSize, entry.compressedSize],
  ] as const) {
    if (said !== is) refuse("recordsDisagree", record.name, [what]);
  }
}

const fileTypeBits = 0o170000;
/** None, file, folder, and all bits at once, which thousands of jars packed by Maven have on folders. */
const plainTypes: readonly number[] = [0, 0o100000, 0o040000, 0o170000];

/**
 * Applies for every system that the archive claims to come from: not every tool checks that before it creates a link.
 */
function refuseSpecial({ unixMode, name }: DirectoryRecord): void {
  if (!plainTypes.includes(unixMode & fileTypeBits)) refuse("specialEntry", name);
}

async function readWideEnd(input: ByteInput, extent: Extent): Promise<void> {
  const offset = input.position;
  const bytes = await input.take(56);
  const isWhole = readWide(bytes, 4) === 44 && bytes.readUInt32LE(16) === 0 && bytes.readUInt32LE(20) === 0;
  if (!isWhole) refuse("brokenRecord", undefined, ["zip64End"]);
  const said: Extent = { entries: readWide(bytes, 32), size: readWide(bytes, 40), offset: readWide(bytes, 48) };
  const entriesHere = readWide(bytes, 24);
  if (!isSame(said, extent) || entriesHere !== extent.entries) refuse("recordsDisagree", undefined, ["zip64End"]);
  const locator = await input.take(20);
  const isLocator = locator.readUInt32LE(0) === signatures.wideEndLocator && locator.readUInt32LE(4) === 0;
  // Some tools write 0 as the number of disks.
  if (!isLocator || locator.readUInt32LE(16) > 1) refuse("brokenRecord", undefined, ["zip64Locator"]);
  if (readWide(locator, 8) !== offset) refuse("recordsDisagree", undefined, ["zip64Locator"]);
}

async function readEnd(input: ByteInput, extent: Extent, hasWideEnd: boolean): Promise<void> {
  if ((await readSignature(input)) !== signatures.end) refuse("hiddenData");
  const bytes = await input.take(22);
  if (bytes.readUInt16LE(4) !== 0 || bytes.readUInt16LE(6) !== 0) {
    refuse("brokenRecord", undefined, ["partOfSeveral"]);
  }
  const agrees = (said: number, is: number, full: number) => said === is || (hasWideEnd && said === full);
  if (
    !agrees(bytes.readUInt16LE(8), extent.entries, 0xffff) ||
    !agrees(bytes.readUInt16LE(10), extent.entries, 0xffff) ||
    !agrees(bytes.readUInt32LE(12), extent.size, saturated) ||
    !agrees(bytes.readUInt32LE(16), extent.offset, saturated)
  ) {
    refuse("recordsDisagree", undefined, ["endRecord"]);
  }
  const comment = await input.take(bytes.readUInt16LE(20));
  // Readers look for the end record from the back and would find this one first.
  if (comment.includes("PK\x05\x06")) refuse("recordsDisagree", undefined, ["secondEnd"]);
  if ((await input.peek(1)).length > 0) refuse("trailingData");
}

function isSame(one: Extent, other: Extent): boolean {
  return one.entries === other.entries && one.size === other.size && one.offset === other.offset;
}
