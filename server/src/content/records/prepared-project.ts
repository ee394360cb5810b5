// A prepared project: its core is in memory, and its pieces are copied from the record, which is in a file or in memory,
// straight into the answer.
import { type Joiner, PlainJoiner } from "#lib/gzip-join.js";
import { addPiece, type CoreBytes, type ProjectPiece, pieceLength } from "./core-pieces.js";
import { type KnownPieces, lengthsIn } from "./packed-version.js";
import { headerLengthOf } from "./prepared-core.js";
import { type Form, formNumbers, head, piece, row, sameAsByHash } from "./prepared-format.js";
import { PreparedTables } from "./prepared-tables.js";
import { addBlock, beginItem, spanOf, versionLengthAt, versionLengthOf } from "./prepared-version.js";
import { MemoryRecord, type RecordSource } from "./record-source.js";

/** Pieces of neighbouring versions are read together: at least this much at once. */
const windowBytes = 256 * 1024;
/** For the text before a piece. */
const figureBytes = 128;
let window = Buffer.allocUnsafeSlow(windowBytes);
/** So much is read at once for single versions. */
const nearBytes = 32 * 1024;
/** The last versions that were read, uncompressed: `bytes` has those of this record from `from` to `end`. */
const near = {
  source: undefined as RecordSource | undefined,
  ...{ from: 0, end: 0, bytes: Buffer.allocUnsafeSlow(nearBytes) },
};

export class PreparedProject extends PreparedTables {
  get core(): CoreBytes {
    return { bytes: this.header, view: this.view, at: 0, length: this.header.length };
  }

  /** Identifies the JSON of the list item without its downloads. */
  get itemDigest(): bigint {
    return this.view.getBigUint64(head.listItem + piece.digest, true);
  }

  pieceLength(which: ProjectPiece): number {
    return pieceLength(this.core, which);
  }

  versionLength(ordinal: number, form: Form): number {
    if (this.hasTables) return versionLengthAt(this.tables.view, this.rowAt(ordinal), form);
    return versionLengthOf(this.source, this.blockOf(ordinal), form);
  }

  /** The length of several versions together. Adding them needs the tables too, and a read for each version would cost more. */
  versionsLength(ordinals: readonly number[], form: Form): number {
    const { view } = this.tables;
    return ordinals.reduce((sum, ordinal) => sum + versionLengthAt(view, this.rowAt(ordinal), form), 0);
  }

  /** Adds the JSON of the project or its list item, after the given text. */
  addPiece(to: Joiner, before: Buffer, which: ProjectPiece): void {
    addPiece(to, before, this.core, this.source, which);
  }

  /** Adds the JSON of a version, after the given text. */
  addVersion(to: Joiner, before: Buffer, ordinal: number, form: Form): void {
    addBlock(to, before, this.source, this.blockOf(ordinal), form);
  }

  /** Adds several versions, in the order of their numbers, separated by commas. Neighbours are read together. */
  addVersions(to: Joiner, ordinals: Iterable<number>, form: Form): void {
    let before = nothing;
    let [bytesAt, bytesEnd] = [0, 0];
    const end = this.at(to.isDeflated ? head.recordLength : head.blocksAt);
    const { view } = this.tables;
    for (const ordinal of ordinals) {
      const start = this.rowAt(ordinal);
      const { from, shared, tail, skipped } = spanOf(view, start, to.isDeflated, form);
      const length = shared + skipped + tail;
      if (from < bytesAt || from + length > bytesEnd) {
        if (length > window.length) window = Buffer.allocUnsafeSlow(length);
        bytesAt = from;
        bytesEnd = Math.min(end, from + window.length);
        this.source.read(window, 0, bytesAt, bytesEnd - bytesAt);
      }
      beginItem(to, before, this.downloadsOf(ordinal));
      const crc = view.getUint32(start + row.crc + 4 * formNumbers[form], true);
      const at = to.piece(shared + tail, versionLengthAt(view, start, form), crc);
      const piece = from - bytesAt;
      window.copy(to.buffer, at, piece, piece + shared);
      window.copy(to.buffer, at + shared, piece + shared + skipped, piece + length);
      before = comma;
    }
    if (window.length > windowBytes) window = Buffer.allocUnsafeSlow(windowBytes);
  }

  /** The JSON of the project or its list item. */
  pieceText(which: ProjectPiece): string {
    const to = new PlainJoiner(this.pieceLength(which) + figureBytes);
    this.addPiece(to, nothing, which);
    return to.end().toString();
  }

  /**
   * The JSON of the project, and its description as HTML, which is empty if it is not prepared. They follow each other in the
   * record, so that one read is enough.
   */
  pageTexts(): { project: string; description: string } {
    const from = this.at(head.project + piece.plainAt);
    const end = from + this.pieceLength("project");
    const descriptionAt = this.at(head.description + piece.plainAt);
    const length = this.at(head.description + piece.plainLength);
    const bytes = Buffer.allocUnsafe(descriptionAt + length - from);
    this.source.read(bytes, 0, from, bytes.length);
    const to = new PlainJoiner(figureBytes);
    beginItem(to, nothing, this.downloads);
    return {
      project: to.end().toString() + bytes.toString("utf8", 0, end - from),
      description: bytes.toString("utf8", descriptionAt - from),
    };
  }

  /** The JSON of a version in its own form. */
  versionText(ordinal: number): string {
    const to = new PlainJoiner(this.versionLength(ordinal, "own") + figureBytes);
    this.addVersion(to, nothing, ordinal, "own");
    return to.end().toString();
  }

  /**
   * The JSON of a version after its first field, as far as all forms have it in common; at most so many bytes, of which
   * the last character may be incomplete.
   */
  versionStart(ordinal: number, most = Number.POSITIVE_INFINITY): string {
    const { view } = this.tables;
    const start = this.rowAt(ordinal);
    const length = Math.min(most, view.getUint32(start + row.plain, true));
    const from = view.getUint32(start + row.plainAt, true);
    if (near.source !== this.source || from < near.from || from + length > near.end) this.#readNear(from, length);
    return near.bytes.toString("utf8", from - near.from, from - near.from + length);
  }

  /** Reads so many bytes or more of the versions: a page shows several of them. */
  #readNear(from: number, length: number): void {
    const rest = this.at(head.blocksAt) - from;
    const count = Math.max(length, Math.min(nearBytes, rest));
    if (count > near.bytes.length || near.bytes.length > nearBytes)
      near.bytes = Buffer.allocUnsafeSlow(Math.max(count, nearBytes));
    near.source = undefined;
    this.source.read(near.bytes, 0, from, count);
    near.source = this.source;
    near.from = from;
    near.end = from + count;
  }

  /** JSON of the loaders and game versions of each of its sets. */
  setTexts(): string[] {
    return this.readSets().map((names) => JSON.stringify(names));
  }

  /** Finds the deflated form of the JSON of the project, or of its list item. */
  readonly findPiece: KnownPieces = (plain) => {
    for (const start of [head.project, head.listItem])
      if (
        this.at(start + piece.plainLength) === plain.length &&
        this.#read(this.at(start + piece.plainAt), plain.length).equals(plain)
      )
        return this.#read(this.at(start + piece.deflatedAt), this.at(start + piece.deflatedLength));
    return undefined;
  };

  /** Finds the deflated form of a part of this version. */
  partsOf(ordinal: number): KnownPieces {
    const { view } = this.tables;
    const rowAt = this.rowAt(ordinal);
    const { plain: plainAt, block } = this.placesOf(ordinal);
    const plains = this.#read(plainAt, lengthsIn(view, rowAt, "plain").all);
    const deflated = this.#read(block + row.length, lengthsIn(view, rowAt, "deflated").all);
    return (plain) => {
      const at = { plain: 0, deflated: 0 };
      for (let part = 0; part < 4; part++) {
        const length = view.getUint32(rowAt + row.plain + 4 * part, true);
        if (length === sameAsByHash) continue;
        const deflatedEnd = at.deflated + view.getUint32(rowAt + row.deflated + 4 * part, true);
        if (plains.subarray(at.plain, at.plain + length).equals(plain))
          return deflated.subarray(at.deflated, deflatedEnd);
        at.plain += length;
        at.deflated = deflatedEnd;
      }
      return undefined;
    };
  }

  #read(from: number, length: number): Buffer {
    const bytes = Buffer.allocUnsafe(length);
    this.source.read(bytes, 0, from, length);
    return bytes;
  }
}

const comma = Buffer.from(",");
const nothing = Buffer.alloc(0);

/** A record that is in memory as a whole. */
export const openRecord = (record: Buffer): PreparedProject =>
  new PreparedProject(record.subarray(0, headerLengthOf(record)), new MemoryRecord(record));
