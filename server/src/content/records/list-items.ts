// The list items of several projects, as an answer contains them. They are taken from prepared projects, or straight from
// records: lists name many projects that were not asked for before, and an object for each of them would cost more than its
// item.
import type { Joiner } from "#lib/gzip-join.js";
import { addPiece, type CoreSource, isListed, pieceLength, readCore } from "./core-pieces.js";
import { pieceTagBytes } from "./prepared-core.js";
import { digestBytes, head, piece } from "./prepared-format.js";
import type { PreparedProject } from "./prepared-project.js";

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
    for (const [index, project] of this.#projects.entries()) project.writeItemTag(tags, pieceTagBytes * index);
    return tags;
  }
}

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
    const { bytes, at } = block;
    this.length += pieceLength(block, "listItem");
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
    addPiece(to, before, readCore(source), source.record, "listItem");
  }

  /** They are those of the time when the items were added: a figure that has changed since gets another tag next time. */
  tags(): Buffer {
    return this.#tags.subarray(0, pieceTagBytes * this.count);
  }
}
