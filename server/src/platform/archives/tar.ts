// Walks a tar archive: verifies every header and path, and that it contains only files and folders.
import type { ByteInput } from "./byte-input.js";
import { checkPath, createNameRegister, decodeName } from "./entry-names.js";
import { refuse } from "./problems.js";
import { readContent, type Walk } from "./walk.js";

const blockBytes = 512;
/** The maximum of a header that describes the next one. */
const maxNoteBytes = 64 * 1024;

interface Header {
  path: string;
  size: number;
  type: string;
}
/** Values of an extended header, which replace those of the next entry. */
type Override = Partial<Pick<Header, "path" | "size">>;

export function isTarHeader(block: Buffer): boolean {
  return (
    block.length === blockBytes && block.subarray(257, 262).toString("latin1") === "ustar" && isChecksumRight(block)
  );
}

export async function walkTar(input: ByteInput, walk: Walk): Promise<void> {
  const names = createNameRegister(walk.limits);
  let override: Override = {};
  let files = 0;
  for (let header = await readHeader(input); header; header = await readHeader(input)) {
    const note = await readNote(input, header);
    if (note) {
      override = { ...override, ...note };
      continue;
    }
    const { size } = { ...header, ...override };
    const path = toPath({ ...header, ...override });
    override = {};
    walk.budget.addEntry();
    walk.budget.checkEntrySize(size, path);
    if (!"\u0000057".includes(header.type)) refuse("specialEntry", path);
    // Most tar archives of a whole folder begin with an entry for "." itself.
    if (path !== "/") {
      checkPath(path, walk.limits);
      names.add(path);
    }
    if (path.endsWith("/") && size > 0) refuse("hiddenData", path, ["folderWithContent"]);
    if (!path.endsWith("/")) files++;
    if (walk.budget.entries > walk.limits.maxEntries) refuse("tooManyEntries");
    await readContent(walk, 0, path, "", input.takePieces(size));
    await skipToBlock(input, size);
  }
  if (files === 0) refuse("empty");
  await readTail(input);
}

/** Undefined at the block of zeros that ends the archive. */
async function readHeader(input: ByteInput): Promise<Header | undefined> {
  const isFirst = input.position === 0;
  const block = await input.take(blockBytes);
  if (block.every((byte) => byte === 0)) return undefined;
  if (!isTarHeader(block)) refuse(isFirst ? "notAnArchive" : "brokenRecord", undefined, ["headerChecksum"]);
  // GNU tar uses the prefix field for other purposes, and marks its headers with spaces.
  const prefix = block[262] === 0 ? readText(block, 345, 155) : "";
  const name = readText(block, 0, 100);
  const path = prefix === "" ? name : `${prefix}/${name}`;
  return { path, size: readNumber(block.subarray(124, 136)), type: String.fromCharCode(block[156]!) };
}

function isChecksumRight(block: Buffer): boolean {
  const sum = block.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 0x20 : byte), 0);
  return readNumber(block.subarray(148, 156)) === sum;
}

/** Reads octal digits, or a binary number whose highest bit is set. */
function readNumber(field: Buffer): number {
  if (field[0]! & 0x80) return field.reduce((value, byte, at) => value * 256 + (at === 0 ? byte & 0x7f : byte), 0);
  const text = field
    .toString("latin1")
    .replace(/[\0 ]+$/, "")
    .trimStart();
  if (!/^[0-7]*$/.test(text)) refuse("brokenRecord", undefined, ["invalidNumber"]);
  return text === "" ? 0 : Number.parseInt(text, 8);
}

function readText(block: Buffer, at: number, length: number): string {
  const field = block.subarray(at, at + length);
  const end = field.indexOf(0);
  return decodeName(end < 0 ? field : field.subarray(0, end), false);
}

function toPath({ path, type }: Header): string {
  const bare = path.replace(/^(?:\.\/)+/, "").replace(/^\.$/, "");
  return type === "5" && !bare.endsWith("/") ? `${bare}/` : bare;
}

/** Reads the values of an extended header for the next entry; undefined if this is not one. */
async function readNote(input: ByteInput, { type, size }: Header): Promise<Override | undefined> {
  if (!"xgL".includes(type)) return undefined;
  if (size > maxNoteBytes) refuse("brokenRecord", undefined, ["longExtendedHeader"]);
  const bytes = Buffer.from(await input.take(size));
  await skipToBlock(input, size);
  if (type === "L") return { path: readText(bytes, 0, bytes.length) };
  const values = readPaxValues(bytes);
  for (const key of values.keys()) {
    const isForAll = type === "g" && (key === "path" || key === "size");
    if (isForAll || key.startsWith("GNU.sparse")) refuse("brokenRecord", undefined, ["unusualExtendedHeader"]);
  }
  const note: Override = {};
  const path = values.get("path");
  const length = values.get("size");
  if (path !== undefined) note.path = path;
  if (length !== undefined && !/^\d{1,15}$/.test(length)) refuse("brokenRecord", undefined, ["invalidNumber"]);
  if (length !== undefined) note.size = Number(length);
  return note;
}

/** Records have the form "12 path=abc\n", where the number is the length of the whole record. */
function readPaxValues(bytes: Buffer): Map<string, string> {
  const values = new Map<string, string>();
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(0x20, at);
    const length = Number(bytes.toString("latin1", at, Math.min(space, at + 8)));
    const record = bytes.subarray(space + 1, at + length - 1);
    const equals = record.indexOf(0x3d);
    const isWhole = space > at && at + length <= bytes.length && equals > 0 && bytes[at + length - 1] === 0x0a;
    if (!isWhole) refuse("brokenRecord", undefined, ["extendedHeader"]);
    values.set(record.toString("latin1", 0, equals), decodeName(record.subarray(equals + 1), true));
    at += length;
  }
  return values;
}

async function skipToBlock(input: ByteInput, size: number): Promise<void> {
  const rest = size % blockBytes;
  if (rest > 0) await input.take(blockBytes - rest);
}

/** A second block of zeros ends the archive; tools pad it with more of them. */
async function readTail(input: ByteInput): Promise<void> {
  let bytes = await input.take(blockBytes);
  while (bytes.length > 0) {
    if (bytes.some((byte) => byte !== 0)) refuse("trailingData");
    bytes = await input.peekSome(blockBytes);
    input.skip(bytes.length);
  }
}
