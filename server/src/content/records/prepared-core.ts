// Reads the core of a prepared project (prepared-format.ts) in place.
import { crc32 } from "node:zlib";
import type { Memory } from "#lib/gzip-join.js";
import { viewOf } from "#lib/view-of.js";
import type { OfferedSets, SetFilter } from "./offered-sets.js";
import { type Details, digestBytes, head, magic, type OfferedNames, offer, piece } from "./prepared-format.js";
import { type Content, contentAt } from "./prepared-version.js";
import type { RecordSource } from "./record-source.js";

export const pieceTagBytes = digestBytes + 8;
export const noSets = new Uint32Array(0);

/** The length of the core, with the list item behind it, for which one read is enough. */
export const headerLengthOf = (start: Buffer): number =>
  start.readUInt32LE(head.coreLength) + start.readUInt32LE(head.listItem + piece.deflatedLength);

/** Whether this is the core of a prepared project, as it was written. */
export function isIntact(bytes: Buffer, view: DataView, at: number): boolean {
  if (view.getUint32(at + head.magic, true) !== magic) return false;
  const crc = crc32(bytes.subarray(at + head.coreLength, at + view.getUint32(at + head.coreLength, true)));
  return view.getUint32(at + head.crc, true) === crc;
}

export class PreparedCore {
  readonly builtAt: number;
  readonly versionCount: number;
  readonly source: RecordSource;
  protected readonly header: Buffer;
  protected readonly view: DataView;
  protected readonly memory: Memory;
  #details: Details | undefined;
  /** The numbers of its sets (offered-sets.ts), and the generation to which they belong. */
  #sets: Uint32Array = noSets;
  #setsOf: object | undefined;

  /** `header`: the core and the list item. `memory` is for its tables. Throws if the core is damaged. */
  constructor(header: Buffer, source: RecordSource, memory: Memory = Buffer.allocUnsafeSlow) {
    const view = viewOf(header);
    if (header.length < head.length || !isIntact(header, view, 0)) throw new Error("A prepared project is damaged");
    this.header = header;
    this.view = view;
    this.source = source;
    this.memory = memory;
    this.builtAt = view.getFloat64(head.builtAt, true);
    this.versionCount = view.getUint32(head.versionCount, true);
  }

  get id(): string {
    return this.details.id;
  }

  get details(): Details {
    const [at, length] = [this.at(head.detailsAt), this.at(head.detailsLength)];
    this.#details ??= JSON.parse(this.header.toString("utf8", at, at + length)) as Details;
    return this.#details;
  }

  /** By its id, its slug or an old slug. */
  isNamed(ref: string): boolean {
    const { id, slug, oldSlugs } = this.details;
    const lower = ref.toLowerCase();
    return id === ref || slug === lower || oldSlugs.includes(lower);
  }

  /** Identifies the content of everything, without figures. */
  get digest(): Buffer {
    return this.header.subarray(head.digest, head.digest + digestBytes);
  }

  get content(): Content {
    return contentAt(this.view, head.digest, this.downloads);
  }

  get downloads(): number {
    return this.view.getFloat64(head.downloads, true);
  }

  /** The newest version that fits and is not withdrawn; -1 if there is none. */
  findFitting(filter: SetFilter, sets: OfferedSets): number {
    const end = this.at(head.offersAt) + offer.length * this.at(head.offerCount);
    const numbers = filter.takesAllSets ? noSets : this.setsFor(filter, sets);
    for (let start = this.at(head.offersAt); start < end; start += offer.length) {
      if (!((1 << this.view.getUint8(start + offer.channel)) & filter.channels)) continue;
      if (filter.takesAllSets || filter.matches(sets, numbers[this.view.getUint16(start + offer.set, true)]!))
        return this.at(start + offer.ordinal);
    }
    return -1;
  }

  /** Calls `take` for each offer, newest first, with the number of its set (offered-sets.ts) and its block (toBlockRef). */
  eachOffer(sets: OfferedSets, take: (set: number, channel: number, block: number) => void): void {
    const numbers = this.findSets(sets);
    const end = this.at(head.offersAt) + offer.length * this.at(head.offerCount);
    for (let start = this.at(head.offersAt); start < end; start += offer.length)
      take(
        numbers[this.view.getUint16(start + offer.set, true)]!,
        this.view.getUint8(start + offer.channel),
        this.at(start + offer.block),
      );
  }

  /** The newest version of each channel for each set of loaders and game versions, without withdrawn ones; newest first. */
  listOffered(): number[] {
    const from = this.at(head.offersAt) + offer.ordinal;
    return Array.from({ length: this.at(head.offerCount) }, (_, index) => this.at(from + offer.length * index));
  }

  /** Writes what identifies its list item, with the figure; there are `pieceTagBytes` bytes of it. */
  writeItemTag(into: Buffer, at: number): void {
    const digestAt = head.listItem + piece.digest;
    this.header.copy(into, at, digestAt, digestAt + digestBytes);
    into.writeDoubleLE(this.downloads, at + digestBytes);
  }

  protected at(position: number): number {
    return this.view.getUint32(position, true);
  }

  /** The numbers of its sets, for this filter. */
  protected setsFor(filter: SetFilter, sets: OfferedSets): Uint32Array {
    const numbers = this.findSets(sets);
    filter.begin(sets);
    return numbers;
  }

  protected findSets(sets: OfferedSets): Uint32Array {
    if (this.#setsOf === sets.generation) return this.#sets;
    const count = this.at(head.setCount);
    let numbers = this.#knownSets(count, sets);
    if (!numbers) {
      const read = this.readSets();
      sets.reserve(count);
      for (const [index, names] of read.entries())
        if (sets.find(this.#setKey(index)) === undefined) sets.add(this.#setKey(index), names);
      numbers = this.#knownSets(count, sets)!;
    }
    this.#sets = numbers;
    this.#setsOf = sets.generation;
    return numbers;
  }

  /** Undefined if one of them has no number yet. */
  #knownSets(count: number, sets: OfferedSets): Uint32Array | undefined {
    const numbers = new Uint32Array(count);
    for (let index = 0; index < count; index++) {
      const number = sets.find(this.#setKey(index));
      if (number === undefined) return undefined;
      numbers[index] = number;
    }
    return numbers;
  }

  #setKey(index: number): string {
    const at = this.at(head.setsAt) + digestBytes * index;
    return this.header.toString("latin1", at, at + digestBytes);
  }

  /** The loaders and game versions of each of its sets. */
  protected readSets(): OfferedNames[] {
    const text = Buffer.allocUnsafe(this.at(head.setTextsLength));
    this.source.read(text, 0, this.at(head.setTextsAt), text.length);
    return JSON.parse(text.toString()) as OfferedNames[];
  }
}
