// The pieces of a project (its JSON and its list item), taken from its core where the core is in memory: in the cache of blocks,
// or in a prepared project. Most requests need only one piece, and an object for each project would cost more than the piece.
import type { Joiner } from "#lib/gzip-join.js";
import { isIntact } from "./prepared-core.js";
import { coreFlag, digestBytes, head, piece } from "./prepared-format.js";
import { beginItem } from "./prepared-version.js";
import type { Block, RecordSource } from "./record-source.js";

/** A current record of a project, and the length of its core with the list item behind it. */
export interface CoreSource {
  slot: number;
  record: RecordSource;
  headerLength: number;
}

/** A core in memory, with the deflated list item behind it. */
export type CoreBytes = Pick<Block, "bytes" | "view" | "at" | "length">;

/** The core as a block, which the next block may replace. Throws if it is damaged. */
export function readCore({ record, headerLength }: CoreSource): Block {
  const block = record.block(0, headerLength);
  if (block.isNew && (block.length < headerLength || !isIntact(block.bytes, block.view, block.at)))
    record.fail("A prepared project is damaged");
  return block;
}

/** Whether the slug of the project is this text, which consists of lower case ASCII characters. */
export function hasSlug({ bytes, view, at }: CoreBytes, slug: string): boolean {
  if (view.getUint32(at + head.slugLength, true) !== slug.length) return false;
  const from = at + view.getUint32(at + head.slugAt, true);
  for (let index = 0; index < slug.length; index++) if (bytes[from + index] !== slug.charCodeAt(index)) return false;
  return true;
}

/** Whether public lists show the project. */
export const isListed = ({ view, at }: CoreBytes): boolean =>
  (view.getUint32(at + head.flags, true) & coreFlag.listed) !== 0;

/** The JSON of the project, or its list item. */
export type ProjectPiece = "project" | "listItem";

/** The length of its content, without its first field. */
export const pieceLength = ({ view, at }: CoreBytes, which: ProjectPiece): number =>
  view.getUint32(at + head[which] + piece.plainLength, true);

/** Identifies the JSON of the project, with the figure. */
export function projectTag({ bytes, view, at }: CoreBytes): string {
  const digestAt = at + head.project + piece.digest;
  return `${bytes.toString("base64url", digestAt, digestAt + digestBytes)}.${view.getFloat64(at + head.downloads, true)}`;
}

/** Adds the piece after the given text. */
export function addPiece(
  to: Joiner,
  before: Buffer,
  { bytes, view, at: start, length: coreLength }: CoreBytes,
  record: RecordSource,
  which: ProjectPiece,
): void {
  const place = start + head[which];
  const from = view.getUint32(place + (to.isDeflated ? piece.deflatedAt : piece.plainAt), true);
  const length = view.getUint32(place + (to.isDeflated ? piece.deflatedLength : piece.plainLength), true);
  beginItem(to, before, view.getFloat64(start + head.downloads, true));
  const at = to.piece(length, view.getUint32(place + piece.plainLength, true), view.getUint32(place + piece.crc, true));
  if (from + length <= coreLength) {
    bytes.copy(to.buffer, at, start + from, start + from + length);
    return;
  }
  const block = record.block(from, length);
  if (block.length < length) record.fail("A prepared project is incomplete");
  block.bytes.copy(to.buffer, at, block.at, block.at + length);
}
