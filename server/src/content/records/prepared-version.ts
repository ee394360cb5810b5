// A version of a prepared project, read from its row (prepared-format.ts) in a block or in the table of all rows.
import { type Joiner, PlainJoiner } from "#lib/gzip-join.js";
import {
  digestBytes,
  expectedBytes,
  type Form,
  formNumbers,
  positionOf,
  row,
  rowCheck,
  sameAsByHash,
} from "./prepared-format.js";
import type { Block, RecordSource } from "./record-source.js";

/** The block of a version; the row is checked when it is read. Other parts than those for hash look-ups may be missing. */
function readBlock(source: RecordSource, ref: number, length = expectedBytes(ref)): Block {
  const block = source.block(positionOf(ref, source.length), length);
  if (block.isNew && !isIntact(block)) source.fail("A version of a prepared project is damaged");
  return block;
}

const isIntact = ({ view, at, length }: Block): boolean =>
  length >= row.length && view.getUint32(at, true) === rowCheck(view, at);

/** Adds the JSON of the version in this block, after the given text. */
export function addBlock(to: Joiner, before: Buffer, source: RecordSource, ref: number, form: Form): void {
  let block = readBlock(source, ref, to.isDeflated ? expectedBytes(ref) : row.length);
  const { view, at: start } = block;
  const { from, shared, tail, skipped } = spanOf(view, start, to.isDeflated, form);
  const length = versionLengthAt(view, start, form);
  const crc = view.getUint32(start + row.crc + (form === "byHash" ? 0 : 4 * formNumbers[form]), true);
  beginItem(to, before, view.getFloat64(start + row.downloads, true));
  const at = to.piece(shared + tail, length, crc);
  let piece = start + row.length;
  if (!to.isDeflated) {
    block = source.block(from, shared + skipped + tail);
    piece = block.at;
  } else if (block.length < row.length + shared + skipped + tail) {
    block = source.block(positionOf(ref, source.length), row.length + shared + skipped + tail);
    piece = block.at + row.length;
  }
  if (piece - block.at + shared + skipped + tail > block.length) source.fail("A prepared project is incomplete");
  const { bytes } = block;
  if (skipped === 0) {
    bytes.copy(to.buffer, at, piece, piece + shared + tail);
    return;
  }
  bytes.copy(to.buffer, at, piece, piece + shared);
  bytes.copy(to.buffer, at + shared, piece + shared + skipped, piece + shared + skipped + tail);
}

/** Identifies the content of a version in all its forms, with its figure. */
export const tagAt = ({ bytes }: Pick<Block, "bytes">, at: number, downloads: number): string =>
  `${bytes.toString("base64url", at + row.digest, at + row.digest + digestBytes)}.${downloads}`;

export function blockTag(source: RecordSource, ref: number): string {
  const block = readBlock(source, ref);
  return tagAt(block, block.at, block.view.getFloat64(block.at + row.downloads, true));
}

/** The content of a version or project by its digest, as two signed numbers, and its figure, which is not a part of it. */
export interface Content {
  high: number;
  low: number;
  downloads: number;
}

export const contentAt = (view: DataView, digestAt: number, downloads: number): Content => ({
  high: view.getInt32(digestAt, true),
  low: view.getInt32(digestAt + 4, true),
  downloads,
});

export function blockContent(source: RecordSource, ref: number): Content {
  const { view, at } = readBlock(source, ref, row.length);
  return contentAt(view, at + row.digest, view.getFloat64(at + row.downloads, true));
}

/** The JSON of the version in this block. */
export function blockText(source: RecordSource, ref: number, form: Form): string {
  const to = new PlainJoiner(versionLengthOf(source, ref, form) + firstFieldBytes);
  addBlock(to, noText, source, ref, form);
  return to.end().toString();
}

/** For the first field of an item. */
const firstFieldBytes = 128;
const noText = Buffer.alloc(0);

export function versionLengthOf(source: RecordSource, ref: number, form: Form): number {
  const { view, at } = readBlock(source, ref);
  return versionLengthAt(view, at, form);
}

/** Without its first field. */
export function versionLengthAt(view: DataView, at: number, form: Form): number {
  return view.getUint32(at + row.plain, true) + tailLength(view, at + row.plain, form);
}

/** Where the shared part and the tail of a version are; the bytes of other tails between them are skipped. */
export function spanOf(view: DataView, at: number, isDeflated: boolean, form: Form) {
  const lengths = at + (isDeflated ? row.deflated : row.plain);
  const isOther = form !== "byHash" && view.getUint32(lengths + 4 * (formNumbers[form] + 1), true) !== sameAsByHash;
  let skipped = 0;
  if (isOther)
    for (let part = 1; part <= formNumbers[form]; part++) skipped += view.getUint32(lengths + 4 * part, true);
  return {
    from: view.getUint32(at + (isDeflated ? row.deflatedAt : row.plainAt), true),
    shared: view.getUint32(lengths, true),
    tail: tailLength(view, lengths, form),
    skipped,
  };
}

function tailLength(view: DataView, lengths: number, form: Form): number {
  // Hash look-ups read a hundred of them.
  if (form === "byHash") return view.getUint32(lengths + 4, true);
  const length = view.getUint32(lengths + 4 * (formNumbers[form] + 1), true);
  return length === sameAsByHash ? view.getUint32(lengths + 4, true) : length;
}

const downloadsName = Buffer.from('{"downloads":');
const comma = Buffer.from(",");

export function beginItem(to: Joiner, before: Buffer, downloads: number): void {
  to.bytes(before);
  to.bytes(downloadsName);
  to.integer(downloads);
  to.bytes(comma);
}
