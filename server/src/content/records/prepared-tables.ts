// Reads the tables of a prepared project (prepared-format.ts) in place: no objects are made of its versions. They are read
// from the record when they are first needed.
import { crc32 } from "node:zlib";
import { viewOf } from "#lib/view-of.js";
import type { FiguresChange } from "./figures.js";
import type { OfferedSet, OfferedSets, SetFilter } from "./offered-sets.js";
import { noSets, PreparedCore } from "./prepared-core.js";
import { digestBytes, fingerprint, flag, head, offer, row, toBlockRef, type VersionPlaces } from "./prepared-format.js";
import { blockTag, type Content, contentAt, tagAt } from "./prepared-version.js";

/** The tables, with positions as in the record. */
interface Tables {
  bytes: Buffer;
  view: DataView;
  /** Where they begin in the record. */
  from: number;
}

export class PreparedTables extends PreparedCore {
  #tables: Tables | undefined;

  /** Bytes that it holds in memory. */
  get bytes(): number {
    return this.header.length + (this.#tables?.bytes.length ?? 0);
  }

  /** All figures as bytes. */
  get figures(): Buffer {
    const { bytes, from } = this.tables;
    const at = this.at(head.figuresAt) - from;
    return Buffer.concat([
      this.header.subarray(head.downloads, head.downloads + 8),
      bytes.subarray(at, at + 8 * this.versionCount),
    ]);
  }

  downloadsOf(ordinal: number): number {
    const { view, from } = this.tables;
    return view.getFloat64(this.at(head.figuresAt) + 8 * ordinal - from, true);
  }

  /** Returns where in the record the figures are that have changed, with their values. */
  setFigures({ downloads, versions }: FiguresChange): { at: number; value: number }[] {
    this.view.setFloat64(head.downloads, downloads, true);
    this.source.setFigure(0, head.downloads, downloads);
    const changes = [{ at: head.downloads as number, value: downloads }];
    if (versions.length === 0) return changes;
    const { view, from } = this.tables;
    for (const { versionId, downloads: value } of versions) {
      const ordinal = this.#findName(`\n${versionId}\t`, 1);
      if (ordinal < 0) continue;
      const at = this.at(head.figuresAt) + 8 * ordinal;
      view.setFloat64(at - from, value, true);
      const { block: blockAt } = this.placesOf(ordinal);
      changes.push({ at, value }, { at: blockAt + row.downloads, value });
      this.source.setFigure(blockAt, row.downloads, value);
    }
    return changes;
  }

  /** The version with this id or slug, but not "latest"; -1 if there is none. Versions are numbered, newest first. */
  findVersion(ref: string): number {
    if (/[\t\n]/.test(ref)) return -1;
    const byId = this.#findName(`\n${ref}\t`, 1);
    return byId >= 0 ? byId : this.#findName(`\t${ref.toLowerCase()}\n`, 0);
  }

  /** The same as findFitting, from this version on. */
  findNextFitting(filter: SetFilter, sets: OfferedSets, from: number): number {
    const numbers = filter.takesAllSets ? noSets : this.setsFor(filter, sets);
    const { view } = this.tables;
    for (let ordinal = from; ordinal < this.versionCount; ordinal++) {
      const start = this.rowAt(ordinal);
      if (view.getUint8(start + row.flags) & flag.yanked) continue;
      if (!((1 << view.getUint8(start + row.channel)) & filter.channels)) continue;
      if (filter.takesAllSets || filter.matches(sets, numbers[view.getUint16(start + row.set, true)]!)) return ordinal;
    }
    return -1;
  }

  /** The newest version that has a file with this fingerprint; -1 if none has. */
  findByFile(high: number, low: number): number {
    const { view, from } = this.tables;
    const at = this.at(head.fingerprintsAt) - from;
    const count = this.at(head.fingerprintCount);
    // They are spread evenly, so the place can be guessed well.
    let index = Math.floor((low / 2 ** 32) * count);
    while (index > 0 && view.getUint32(at + fingerprint.length * (index - 1) + fingerprint.low, true) >= low) index--;
    for (; index < count; index++) {
      const start = at + fingerprint.length * index;
      const found = view.getUint32(start + fingerprint.low, true);
      if (found > low) break;
      if (found === low && view.getUint32(start + fingerprint.high, true) === high)
        return view.getUint32(start + fingerprint.ordinal, true);
    }
    return -1;
  }

  /** Calls `take` for the fingerprint of each file, with the block of its version (toBlockRef). */
  eachFile(take: (high: number, low: number, block: number) => void): void {
    const { view, from } = this.tables;
    const at = this.at(head.fingerprintsAt) - from;
    const end = at + fingerprint.length * this.at(head.fingerprintCount);
    for (let start = at; start < end; start += fingerprint.length)
      take(highAt(view, start), lowAt(view, start), blockAt(view, start));
  }

  /** The block of a version (toBlockRef). */
  blockOf(ordinal: number): number {
    const end = this.at(head.offersAt) + offer.length * this.at(head.offerCount);
    for (let start = this.at(head.offersAt); start < end; start += offer.length)
      if (this.at(start + offer.ordinal) === ordinal) return this.at(start + offer.block);
    const { view } = this.tables;
    const start = this.rowAt(ordinal);
    const bytes = view.getUint32(start + row.deflated, true) + view.getUint32(start + row.deflated + 4, true);
    return toBlockRef(this.at(head.recordLength) - this.placesOf(ordinal).block, row.length + bytes);
  }

  /**
   * Calls `take` for each file whose block is not the same as in an earlier record of the project, with the block of its
   * version, or with 0 if no version has it now.
   */
  eachFileSince(earlier: PreparedTables, take: (high: number, low: number, block: number) => void): void {
    const [before, now] = [viewOf(earlier.fingerprintBytes()), viewOf(this.fingerprintBytes())];
    let [old, at] = [0, 0];
    while (old < before.byteLength || at < now.byteLength) {
      const order = compareFiles(before, old, now, at);
      if (order < 0) take(highAt(before, old), lowAt(before, old), 0);
      else if (order > 0 || blockAt(before, old) !== blockAt(now, at))
        take(highAt(now, at), lowAt(now, at), blockAt(now, at));
      if (order <= 0) old += fingerprint.length;
      if (order >= 0) at += fingerprint.length;
    }
  }

  /** The ids of all versions, newest first. */
  listIds(): string[] {
    const lines = this.tableBytes(this.at(head.namesAt) + 1, this.at(head.fingerprintsAt)).toString();
    return lines
      .split("\n")
      .slice(0, -1)
      .map((line) => line.slice(0, line.indexOf("\t")));
  }

  /** Where the parts of a version begin; for the number after the last one, where those of the last one end. */
  placesOf(ordinal: number): VersionPlaces {
    if (ordinal === this.versionCount)
      return { name: this.at(head.fingerprintsAt), plain: this.at(head.blocksAt), block: this.at(head.recordLength) };
    const { view } = this.tables;
    const start = this.rowAt(ordinal);
    return {
      name: view.getUint32(start + row.nameAt, true),
      plain: view.getUint32(start + row.plainAt, true),
      block: view.getUint32(start + row.deflatedAt, true) - row.length,
    };
  }

  /** Bytes of the tables, by their places in the record. */
  tableBytes(from: number, end: number): Buffer {
    const { bytes, from: start } = this.tables;
    return bytes.subarray(from - start, end - start);
  }

  rowBytes(first: number, count: number): Buffer {
    const from = this.at(head.rowsAt) + row.length * first;
    return this.tableBytes(from, from + row.length * count);
  }

  fingerprintBytes(): Buffer {
    return this.tableBytes(this.at(head.fingerprintsAt), this.at(head.rowsAt));
  }

  listFeatured(): number[] {
    return [...Array(this.versionCount).keys()].filter((ordinal) => this.hasFlag(ordinal, "featured"));
  }

  hasFlag(ordinal: number, name: keyof typeof flag): boolean {
    return (this.tables.view.getUint8(this.rowAt(ordinal) + row.flags) & flag[name]) !== 0;
  }

  versionId(ordinal: number): string {
    const { bytes } = this.tables;
    const at = this.#nameAt(ordinal);
    return bytes.toString("utf8", at, bytes.indexOf(0x09, at));
  }

  versionSlug(ordinal: number): string {
    const { bytes } = this.tables;
    const at = bytes.indexOf(0x09, this.#nameAt(ordinal)) + 1;
    return bytes.toString("utf8", at, bytes.indexOf(0x0a, at));
  }

  /** Index in the list of channels. */
  channel(ordinal: number): number {
    return this.tables.view.getUint8(this.rowAt(ordinal) + row.channel);
  }

  /** The index of its set of loaders and game versions: many versions have the same. */
  setOf(ordinal: number): number {
    return this.tables.view.getUint16(this.rowAt(ordinal) + row.set, true);
  }

  /** The loaders and game versions of the set with this index. */
  offered(set: number, sets: OfferedSets): OfferedSet {
    return sets.get(this.findSets(sets)[set]!);
  }

  datePublished(ordinal: number): number {
    return this.tables.view.getFloat64(this.rowAt(ordinal) + row.date, true);
  }

  /** Identifies the content of a version, without its figure, for comparison only. */
  versionDigest(ordinal: number): string {
    const at = this.rowAt(ordinal) + row.digest;
    return this.tables.bytes.toString("latin1", at, at + digestBytes);
  }

  versionContent(ordinal: number): Content {
    return contentAt(this.tables.view, this.rowAt(ordinal) + row.digest, this.downloadsOf(ordinal));
  }

  /** Identifies the content of a version in all its forms, with its figure. */
  versionTag(ordinal: number): string {
    if (this.#tables) return tagAt(this.#tables, this.rowAt(ordinal), this.downloadsOf(ordinal));
    return blockTag(this.source, this.blockOf(ordinal));
  }

  /** Reads the tables, which happens at their first use otherwise. */
  loadTables(): void {
    this.tables;
  }

  /** They are read at first use. Throws if they are damaged. */
  protected get tables(): Tables {
    if (this.#tables) return this.#tables;
    const [from, length] = [this.at(head.tablesAt), this.at(head.tablesLength)];
    const bytes = this.memory(length).subarray(0, length);
    this.source.read(bytes, 0, from, length);
    if (crc32(bytes.subarray(0, this.at(head.figuresAt) - from)) !== this.at(head.tablesCrc))
      this.source.fail("The tables of a prepared project are damaged");
    this.#tables = { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, length), from };
    this.source.holds(this.bytes);
    return this.#tables;
  }

  /** Whether the tables are in memory. */
  protected get hasTables(): boolean {
    return this.#tables !== undefined;
  }

  /** Where in the tables a row is. */
  protected rowAt(ordinal: number): number {
    return this.at(head.rowsAt) - this.tables.from + row.length * ordinal;
  }

  #nameAt(ordinal: number): number {
    return this.tables.view.getUint32(this.rowAt(ordinal) + row.nameAt, true) - this.tables.from;
  }

  #findName(text: string, skip: number): number {
    const { bytes } = this.tables;
    const at = this.at(head.namesAt) - this.tables.from;
    const found = bytes.subarray(at, at + this.at(head.namesLength)).indexOf(text, 0, "utf8");
    return found < 0 ? -1 : this.#lastNamed(at + found + skip);
  }

  /** The last version whose name is at this place or before it. */
  #lastNamed(at: number): number {
    let [low, high] = [0, this.versionCount - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#nameAt(middle) <= at) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

const lowAt = (view: DataView, at: number): number => view.getUint32(at + fingerprint.low, true);
const highAt = (view: DataView, at: number): number => view.getUint32(at + fingerprint.high, true);
const blockAt = (view: DataView, at: number): number => view.getUint32(at + fingerprint.block, true);

/** Which of two entries comes first in the order of the tables. Everything comes before the end of a table. */
function compareFiles(one: DataView, at: number, other: DataView, otherAt: number): number {
  if (at === one.byteLength) return 1;
  if (otherAt === other.byteLength) return -1;
  return lowAt(one, at) - lowAt(other, otherAt) || highAt(one, at) - highAt(other, otherAt);
}
