// The list items of several projects, as an answer contains them. They are taken from prepared projects, or straight from
// records: lists name many projects that were not asked for before, and an object for each of them would cost more than its
// item.
import type { Joiner } from "#lib/gzip-join.js";
import { isIntact, pieceTagBytes } from "./prepared-core.js";
import { coreFlag, digestBytes, head, piece } from "./prepared-format.js";
import type { PreparedProject } from "./prepared-project.js";
import { beginItem } from "./prepared-version.js";
import type { Block, RecordSource } from "./record-source.js";

export interface ListItems {
  readonly count: number;
  /** The length of the uncompressed items, without their first fields. */
  readonly length: number;
  addTo(to: Joiner, index: number, before: Buffer): void;
  /** They identify the items and their figures. */
  tags(): Buffer;
}

export class ItemsOfProjects implements ListItems {
  readonly #projects: readonly PreparedProject[];

  constructor(projects: readonly PreparedProject[]) {
    this.#projects = projects;
  }

  get count(): number {
    return this.#projects.length;
  }

  get length(): number {
    return this.#projects.reduce((sum, project) => sum + project.pieceLength("listItem"), 0);
  }

  addTo(to: Joiner, index: number, before: Buffer): void {
    this.#projects[index]!.addPiece(to, before, "listItem");
  }

  tags(): Buffer {
    const tags = Buffer.allocUnsafe(pieceTagBytes * this.count);
    for (const [index, project] of this.#projects.entries())
      project.writePieceTag("listItem", tags, pieceTagBytes * index);
    return tags;
  }
}

/** A current record of a project, and the length of its core with the list item behind it. */
export interface CoreSource {
  slot: number;
  record: RecordSource;
  headerLength: number;
}

/** The core as a block, with the deflated list item behind it. Throws if it is damaged. */
export function readCore({ record, headerLength }: CoreSource): Block {
  const block = record.block(0, headerLength);
  if (block.isNew && (block.length < headerLength || !isIntact(block.bytes, block.view, block.at)))
    record.fail("A prepared project is damaged");
  return block;
}

/** Whether the slug of the project is this text, which consists of lower case ASCII characters. */
export function hasSlug({ bytes, view, at }: Block, slug: string): boolean {
  if (view.getUint32(at + head.slugLength, true) !== slug.length) return false;
  const from = at + view.getUint32(at + head.slugAt, true);
  for (let index = 0; index < slug.length; index++) if (bytes[from + index] !== slug.charCodeAt(index)) return false;
  return true;
}

const isListed = ({ view, at }: Block): boolean => (view.getUint32(at + head.flags, true) & coreFlag.listed) !== 0;

/** The JSON of the list item without its downloads, and whether public lists show the project. Throws if it is damaged. */
export function readListItem(source: CoreSource): { text: string; isListed: boolean } {
  const core = readCore(source);
  const item = core.at + head.listItem;
  const [from, length] = [core.view.getUint32(item, true), core.view.getUint32(item + piece.plainLength, true)];
  const isShown = isListed(core);
  const { bytes, at, length: found } = source.record.block(from, length);
  if (found < length) source.record.fail("A prepared project is incomplete");
  return { text: `{${bytes.toString("utf8", at, at + length)}`, isListed: isShown };
}

export interface ItemOptions {
  /** Leave out projects that public lists do not show. */
  onlyListed?: boolean;
}

export class ItemsOfRecords implements ListItems {
  length = 0;
  readonly #sources: CoreSource[] = [];
  readonly #tags: Buffer;

  /** At most so many items will be added. */
  constructor(most: number) {
    this.#tags = Buffer.allocUnsafe(pieceTagBytes * most);
  }

  /** Adds the item of this project. */
  add(source: CoreSource, { onlyListed }: ItemOptions): void {
    const block = readCore(source);
    if (onlyListed && !isListed(block)) return;
    const { bytes, view, at } = block;
    this.length += view.getUint32(at + head.listItem + piece.plainLength, true);
    const [digestAt, figureAt, tagAt] = [
      at + head.listItem + piece.digest,
      at + head.downloads,
      pieceTagBytes * this.count,
    ];
    // Calling the native function for a few bytes would take longer.
    for (let byte = 0; byte < digestBytes; byte++) this.#tags[tagAt + byte] = bytes[digestAt + byte]!;
    for (let byte = 0; byte < 8; byte++) this.#tags[tagAt + digestBytes + byte] = bytes[figureAt + byte]!;
    this.#sources.push(source);
  }

  get count(): number {
    return this.#sources.length;
  }

  addTo(to: Joiner, index: number, before: Buffer): void {
    const source = this.#sources[index]!;
    const { bytes, view, at: start } = readCore(source);
    const item = start + head.listItem;
    const [plainAt, plainLength] = [view.getUint32(item, true), view.getUint32(item + piece.plainLength, true)];
    beginItem(to, before, view.getFloat64(start + head.downloads, true));
    const crc = view.getUint32(item + piece.crc, true);
    if (to.isDeflated) {
      const from = start + view.getUint32(item + piece.deflatedAt, true);
      const length = view.getUint32(item + piece.deflatedLength, true);
      const at = to.piece(length, plainLength, crc);
      bytes.copy(to.buffer, at, from, from + length);
      return;
    }
    const at = to.piece(plainLength, plainLength, crc);
    const block = source.record.block(plainAt, plainLength);
    if (block.length < plainLength) source.record.fail("A prepared project is incomplete");
    block.bytes.copy(to.buffer, at, block.at, block.at + plainLength);
  }

  /** They are those of the time when the items were added: a figure that has changed since gets another tag next time. */
  tags(): Buffer {
    return this.#tags.subarray(0, pieceTagBytes * this.count);
  }
}
