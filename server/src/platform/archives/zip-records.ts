// The two records of every ZIP entry: the local one before its data and the one in the directory.
import { hash } from "node:crypto";
import type { ByteInput } from "./byte-input.js";
import { decodeName } from "./entry-names.js";
import { refuse } from "./problems.js";
import { readExtraFields, readName, widen } from "./zip-fields.js";

export const signatures = {
  entry: 0x04034b50,
  descriptor: 0x08074b50,
  directory: 0x02014b50,
  wideEnd: 0x06064b50,
  wideEndLocator: 0x07064b50,
  end: 0x06054b50,
};

export const stored = 0;
export const deflated = 8;

interface EntryRecord {
  name: string;
  /** The digest of the name's bytes and of the decoded name. */
  nameDigest: string;
  method: number;
  crc: number;
  compressedSize: number;
  size: number;
}

export interface LocalRecord extends EntryRecord {
  /** Checksum and sizes follow the data and may be missing in this record. */
  hasDescriptor: boolean;
}

export interface DirectoryRecord extends EntryRecord {
  /** The offset of the local record. */
  offset: number;
  /** File type and permissions as on Unix; 0 if the archive was made on another system. */
  unixMode: number;
}

const flags = {
  encrypted: 1 << 0,
  descriptor: 1 << 3,
  patched: 1 << 5,
  strong: 1 << 6,
  utf8: 1 << 11,
  masked: 1 << 13,
};
const isEncrypted = flags.encrypted | flags.strong | flags.masked;

export async function readSignature(input: ByteInput): Promise<number> {
  const bytes = await input.peek(4);
  if (bytes.length < 4) refuse("truncated");
  return bytes.readUInt32LE(0);
}

export async function readLocalRecord(input: ByteInput): Promise<LocalRecord> {
  const { fixed, name: nameBytes, extra: extraBytes } = await takeRecord(input, 30, [26, 28]);
  const bits = fixed.readUInt16LE(6);
  const { name, nameDigest, wideSizes } = readText(bits, nameBytes, extraBytes);
  const [size, compressedSize] = widen([fixed.readUInt32LE(22), fixed.readUInt32LE(18)], wideSizes, name);
  const method = fixed.readUInt16LE(8);
  refuseUnreadable(bits, method, name);
  return {
    name,
    nameDigest,
    method,
    crc: fixed.readUInt32LE(14),
    compressedSize: compressedSize!,
    size: size!,
    hasDescriptor: (bits & flags.descriptor) !== 0,
  };
}

export async function readDirectoryRecord(input: ByteInput): Promise<DirectoryRecord> {
  const { fixed, name: nameBytes, extra: extraBytes } = await takeRecord(input, 46, [28, 30, 32]);
  const bits = fixed.readUInt16LE(8);
  const { name, nameDigest, wideSizes } = readText(bits, nameBytes, extraBytes);
  const narrow = [fixed.readUInt32LE(24), fixed.readUInt32LE(20), fixed.readUInt32LE(42)];
  const [size, compressedSize, offset] = widen(narrow, wideSizes, name);
  const method = fixed.readUInt16LE(10);
  refuseUnreadable(bits, method, name);
  if (fixed.readUInt16LE(34) !== 0) refuse("brokenRecord", name, ["partOfSeveral"]);
  return {
    name,
    nameDigest,
    method,
    crc: fixed.readUInt32LE(16),
    compressedSize: compressedSize!,
    size: size!,
    offset: offset!,
    unixMode: fixed.readUInt16LE(40),
  };
}

/** A record of fixed length and the parts after it, whose lengths the record states: name, extra fields, comment. */
async function takeRecord(input: ByteInput, length: number, lengthsAt: readonly number[]) {
  const header = await input.peek(length);
  if (header.length < length) refuse("truncated");
  const lengths = lengthsAt.map((at) => header.readUInt16LE(at));
  const bytes = await input.take(lengths.reduce((sum, part) => sum + part, length));
  const [nameLength = 0, extraLength = 0] = lengths;
  const extraAt = length + nameLength;
  return {
    fixed: bytes.subarray(0, length),
    name: bytes.subarray(length, extraAt),
    extra: bytes.subarray(extraAt, extraAt + extraLength),
  };
}

function refuseUnreadable(bits: number, method: number, name: string): void {
  if (bits & isEncrypted) refuse("encrypted", name);
  if ((method !== stored && method !== deflated) || bits & flags.patched) {
    refuse("unsupportedMethod", name, ["methodNumber", method]);
  }
}

function readText(bits: number, bytes: Buffer, extraBytes: Buffer) {
  const isMarkedUtf8 = (bits & flags.utf8) !== 0;
  const { unicodePath, wideSizes } = readExtraFields(extraBytes, decodeName(bytes, isMarkedUtf8));
  const name = readName(bytes, isMarkedUtf8, unicodePath);
  return { name, nameDigest: hash("sha256", `${bytes.toString("latin1")}\0${name}`, "latin1"), wideSizes };
}
