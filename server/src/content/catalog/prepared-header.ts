// Reads the header of a prepared project (prepared-format.ts) in place: no objects are made of its versions.
import { crc32 } from "node:zlib";
import type { FiguresChange } from "./figures.js";
import type { OfferedSet, OfferedSets, SetFilter } from "./offered-sets.js";
import {
  type Details,
  digestBytes,
  fingerprint,
  flag,
  head,
  magic,
  type OfferedNames,
  offer,
  piece,
  row,
} from "./prepared-format.js";

/** The place of a record. */
export interface RecordSource {
  /** Throws if the bytes cannot be read. */
  read(into: Buffer, at: number, from: number, length: number): void;
  /** Notes that the project holds so many more bytes in memory; false if it must not. */
  hold?(bytes: number): boolean;
}

export const pieceTagBytes = digestBytes + 8;
const noSets = new Uint32Array(0);

export class PreparedHeader {
  /** Bytes that it holds in memory. */
  readonly bytes: number;
  readonly builtAt: number;
  readonly versionCount: number;
  readonly #header: Buffer;
  readonly #view: DataView;
  protected readonly source: RecordSource;
  protected readonly rowsAt: number;
  readonly #figuresAt: number;
  #details: Details | undefined;
  /** The numbers of its sets (offered-sets.ts), and the generation to which they belong. */
  #sets: Uint32Array = noSets;
  #setsOf: object | undefined;

  /** Throws if the header is damaged. */
  constructor(header: Buffer, source: RecordSource, heldBytes = header.length) {
    const view = new DataView(header.buffer, header.byteOffset, header.length);
    if (header.length < head.length || view.getUint32(head.magic, true) !== magic)
      throw new Error("No prepared project");
    const figuresAt = view.getUint32(head.figuresAt, true);
    const crc = crc32(header.subarray(head.headerLength, figuresAt));
    if (view.getUint32(head.crc, true) !== crc) throw new Error("A prepared project is damaged");
    this.#header = header;
    this.#view = view;
    this.source = source;
    this.#figuresAt = figuresAt;
    this.rowsAt = view.getUint32(head.rowsAt, true);
    this.bytes = heldBytes;
    this.builtAt = view.getFloat64(head.builtAt, true);
    this.versionCount = view.getUint32(head.versionCount, true);
  }

  get headerLength(): number {
    return this.#header.length;
  }

  get id(): string {
    return this.details.id;
  }

  get details(): Details {
    const [at, length] = [this.at(head.detailsAt), this.at(head.detailsLength)];
    this.#details ??= JSON.parse(this.#header.toString("utf8", at, at + length)) as Details;
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
    return this.#header.subarray(head.digest, head.digest + digestBytes);
  }

  /** All figures as bytes. */
  get figures(): Buffer {
    return this.#header.subarray(this.#figuresAt);
  }

  get downloads(): number {
    return this.#view.getFloat64(this.#figuresAt, true);
  }

  downloadsOf(ordinal: number): number {
    return this.#view.getFloat64(this.#figuresAt + 8 * (ordinal + 1), true);
  }

  /** Returns where in the record the figures are that have changed, with their values. */
  setFigures({ downloads, versions }: FiguresChange): { at: number; value: number }[] {
    const changes = [{ at: this.#figuresAt, value: downloads }];
    for (const { versionId, downloads: value } of versions) {
      const ordinal = this.#findName(`\n${versionId}\t`, 1);
      if (ordinal >= 0) changes.push({ at: this.#figuresAt + 8 * (ordinal + 1), value });
    }
    for (const { at, value } of changes) this.#view.setFloat64(at, value, true);
    return changes;
  }

  /** The version with this id or slug, but not "latest"; -1 if there is none. Versions are numbered, newest first. */
  findVersion(ref: string): number {
    if (/[\t\n]/.test(ref)) return -1;
    const byId = this.#findName(`\n${ref}\t`, 1);
    return byId >= 0 ? byId : this.#findName(`\t${ref.toLowerCase()}\n`, 0);
  }

  /** The newest version that fits and is not withdrawn; -1 if there is none. */
  findFitting(filter: SetFilter, sets: OfferedSets): number {
    const end = this.at(head.offersAt) + offer.length * this.at(head.offerCount);
    const numbers = filter.takesAllSets ? noSets : this.#setsFor(filter, sets);
    for (let start = this.at(head.offersAt); start < end; start += offer.length) {
      if (!((1 << this.#view.getUint8(start + offer.channel)) & filter.channels)) continue;
      if (filter.takesAllSets || filter.matches(sets, numbers[this.#view.getUint16(start + offer.set, true)]!))
        return this.at(start + offer.ordinal);
    }
    return -1;
  }

  /** The same, from this version on. */
  findNextFitting(filter: SetFilter, sets: OfferedSets, from: number): number {
    const numbers = filter.takesAllSets ? noSets : this.#setsFor(filter, sets);
    for (let ordinal = from; ordinal < this.versionCount; ordinal++) {
      const start = this.rowsAt + row.length * ordinal;
      if (this.#view.getUint8(start + row.flags) & flag.yanked) continue;
      if (!((1 << this.#view.getUint8(start + row.channel)) & filter.channels)) continue;
      if (filter.takesAllSets || filter.matches(sets, numbers[this.#view.getUint16(start + row.set, true)]!))
        return ordinal;
    }
    return -1;
  }

  /** The newest version that has a file with this fingerprint; -1 if none has. */
  findByFile(high: number, low: number): number {
    const at = this.at(head.fingerprintsAt);
    const count = this.at(head.fingerprintCount);
    // They are spread evenly, so the place can be guessed well: reading distant memory is most of the cost.
    let index = Math.floor((low / 2 ** 32) * count);
    while (index > 0 && this.at(at + fingerprint.length * (index - 1) + fingerprint.low) >= low) index--;
    for (; index < count; index++) {
      const start = at + fingerprint.length * index;
      const found = this.at(start + fingerprint.low);
      if (found > low) break;
      if (found === low && this.at(start + fingerprint.high) === high) return this.at(start + fingerprint.ordinal);
    }
    return -1;
  }

  listFeatured(): number[] {
    return [...Array(this.versionCount).keys()].filter((ordinal) => this.hasFlag(ordinal, "featured"));
  }

  hasFlag(ordinal: number, name: keyof typeof flag): boolean {
    return (this.#view.getUint8(this.rowsAt + row.length * ordinal + row.flags) & flag[name]) !== 0;
  }

  versionId(ordinal: number): string {
    const at = this.at(this.rowsAt + row.length * ordinal + row.nameAt);
    return this.#header.toString("utf8", at, this.#header.indexOf(0x09, at));
  }

  versionSlug(ordinal: number): string {
    const at = this.#header.indexOf(0x09, this.at(this.rowsAt + row.length * ordinal + row.nameAt)) + 1;
    return this.#header.toString("utf8", at, this.#header.indexOf(0x0a, at));
  }

  /** Index in the list of channels. */
  channel(ordinal: number): number {
    return this.#view.getUint8(this.rowsAt + row.length * ordinal + row.channel);
  }

  /** Its loaders and game versions. */
  offered(ordinal: number, sets: OfferedSets): OfferedSet {
    const numbers = this.#findSets(sets);
    return sets.get(numbers[this.#view.getUint16(this.rowsAt + row.length * ordinal + row.set, true)]!);
  }

  datePublished(ordinal: number): number {
    return this.#view.getFloat64(this.rowsAt + row.length * ordinal + row.date, true);
  }

  /** Identifies the content of a version, without its figure, for comparison only. */
  versionDigest(ordinal: number): string {
    const at = this.rowsAt + row.length * ordinal + row.digest;
    return this.#header.toString("latin1", at, at + digestBytes);
  }

  /** Identifies the content of a version in all its forms, with its figure. */
  versionTag(ordinal: number): string {
    const at = this.rowsAt + row.length * ordinal + row.digest;
    return `${this.#header.toString("base64url", at, at + digestBytes)}.${this.downloadsOf(ordinal)}`;
  }

  pieceTag(which: "project" | "listItem"): string {
    const at = head[which] + piece.digest;
    return `${this.#header.toString("base64url", at, at + digestBytes)}.${this.downloads}`;
  }

  /** Writes the same as bytes; there are `pieceTagBytes` of them. */
  writePieceTag(which: "project" | "listItem", into: Buffer, at: number): void {
    const digestAt = head[which] + piece.digest;
    this.#header.copy(into, at, digestAt, digestAt + digestBytes);
    into.writeDoubleLE(this.downloads, at + digestBytes);
  }

  protected at(position: number): number {
    return this.#view.getUint32(position, true);
  }

  #findName(text: string, skip: number): number {
    const at = this.at(head.namesAt);
    const names = this.#header.subarray(at, at + this.at(head.namesLength));
    const found = names.indexOf(text, 0, "utf8");
    return found < 0 ? -1 : this.#lastRow(row.nameAt, at + found + skip);
  }

  /** The last version whose field is at most this. */
  #lastRow(field: number, value: number): number {
    let [low, high] = [0, this.versionCount - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.at(this.rowsAt + row.length * middle + field) <= value) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** The numbers of its sets, for this filter. */
  #setsFor(filter: SetFilter, sets: OfferedSets): Uint32Array {
    const numbers = this.#findSets(sets);
    filter.begin(sets);
    return numbers;
  }

  #findSets(sets: OfferedSets): Uint32Array {
    if (this.#setsOf === sets.generation) return this.#sets;
    const count = this.at(head.setCount);
    let numbers = this.#knownSets(count, sets);
    if (!numbers) {
      const read = this.#readSets();
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
    return this.#header.toString("latin1", at, at + digestBytes);
  }

  #readSets(): OfferedNames[] {
    const text = Buffer.allocUnsafe(this.at(head.setTextsLength));
    this.source.read(text, 0, this.at(head.setTextsAt), text.length);
    return JSON.parse(text.toString()) as OfferedNames[];
  }
}
