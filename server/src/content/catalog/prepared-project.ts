// A prepared project: its header is in memory, and its pieces are copied from the record, which is in a file or in memory,
// straight into the answer. The first pieces of each encoding are kept in memory with the header: those of the list item
// and the newest versions, which are requested most.
import { type Joiner, PlainJoiner } from "#lib/gzip-join.js";
import { type Form, formNumbers, head, piece, row, sameAsByHash } from "./prepared-format.js";
import { PreparedHeader, type RecordSource } from "./prepared-header.js";

/** The first pieces of each encoding that are kept in memory, in bytes. */
export const nearBytes = { deflated: 4 * 1024, plain: 8 * 1024 } as const;

/** A part of a record in memory. */
interface Near {
  bytes: Buffer;
  /** Its place in the record. */
  from: number;
  end: number;
}

/** Pieces of neighbouring versions are read together: at least this much at once. */
const windowBytes = 256 * 1024;
/** For the text before a piece. */
const figureBytes = 128;
let window = Buffer.allocUnsafeSlow(windowBytes);

export class PreparedProject extends PreparedHeader {
  #deflated: Near | undefined;
  #plain: Near | undefined;

  /** `start`: the header, and as many of the following bytes as are in memory. Throws if the header is damaged. */
  constructor(start: Buffer, source: RecordSource) {
    const length = start.length < head.length ? 0 : start.readUInt32LE(head.headerLength);
    super(start.subarray(0, length), source, start.length);
    const near = { bytes: start, from: 0, end: start.length };
    if (start.length > this.headerLength) this.#deflated = near;
    if (start.length === this.at(head.recordLength)) this.#plain = near;
  }

  pieceLength(which: "project" | "listItem"): number {
    return this.at(head[which] + piece.plainLength);
  }

  versionLength(ordinal: number, form: Form): number {
    const start = this.rowsAt + row.length * ordinal + row.plain;
    return this.at(start) + this.#tail(start, form);
  }

  /** Adds the JSON of the project or its list item, after the given text. */
  addPiece(to: Joiner, before: Buffer, which: "project" | "listItem"): void {
    const start = head[which] + (to.isDeflated ? piece.deflatedAt : piece.plainAt);
    const [from, length] = [this.at(start), this.at(start + 4)];
    beginItem(to, before, this.downloads);
    const at = to.piece(length, this.pieceLength(which), this.at(head[which] + piece.crc));
    this.#copy(to, at, from, length);
  }

  /** Adds the JSON of a version, after the given text. */
  addVersion(to: Joiner, before: Buffer, ordinal: number, form: Form): void {
    const { from, shared, tail, skipped } = this.#span(to, ordinal, form);
    const at = this.#announce(to, before, ordinal, form, shared + tail);
    if (skipped === 0) {
      this.#copy(to, at, from, shared + tail);
      return;
    }
    this.#copy(to, at, from, shared);
    this.#copy(to, at + shared, from + shared + skipped, tail);
  }

  /** Adds several versions, in the order of their numbers, separated by commas. Neighbours are read together. */
  addVersions(to: Joiner, ordinals: Iterable<number>, form: Form): void {
    let before = nothing;
    const near = to.isDeflated ? this.#deflated : this.#plain;
    let { bytes, from: bytesAt, end: bytesEnd } = near ?? { bytes: window, from: 0, end: 0 };
    const end = this.at(head.project + (to.isDeflated ? piece.deflatedAt : piece.plainAt));
    for (const ordinal of ordinals) {
      const { from, shared, tail, skipped } = this.#span(to, ordinal, form);
      const length = shared + skipped + tail;
      if (from < bytesAt || from + length > bytesEnd) {
        if (length > window.length) window = Buffer.allocUnsafeSlow(length);
        bytes = window;
        bytesAt = from;
        bytesEnd = Math.min(end, from + window.length);
        this.source.read(window, 0, bytesAt, bytesEnd - bytesAt);
      }
      const at = this.#announce(to, before, ordinal, form, shared + tail);
      const start = from - bytesAt;
      bytes.copy(to.buffer, at, start, start + shared);
      bytes.copy(to.buffer, at + shared, start + shared + skipped, start + length);
      before = comma;
    }
    if (window.length > windowBytes) window = Buffer.allocUnsafeSlow(windowBytes);
  }

  /** The JSON of the project or its list item. */
  pieceText(which: "project" | "listItem"): string {
    const to = new PlainJoiner(this.pieceLength(which) + figureBytes);
    this.addPiece(to, nothing, which);
    return to.end().toString();
  }

  /** The description as HTML; empty if it is not prepared. */
  description(): string {
    const html = Buffer.allocUnsafe(this.at(head.description + piece.plainLength));
    this.source.read(html, 0, this.at(head.description + piece.plainAt), html.length);
    return html.toString();
  }

  /** The JSON of a version in its own form. */
  versionText(ordinal: number): string {
    const to = new PlainJoiner(this.versionLength(ordinal, "own") + figureBytes);
    this.addVersion(to, nothing, ordinal, "own");
    return to.end().toString();
  }

  /** The first bytes of a version's JSON after its first field; the last character may be incomplete. */
  versionStart(ordinal: number, bytes: number): string {
    const start = this.rowsAt + row.length * ordinal;
    const length = Math.min(bytes, this.at(start + row.plain));
    const text = Buffer.allocUnsafe(length);
    this.source.read(text, 0, this.at(start + row.plainAt), length);
    return text.toString();
  }

  /** The bytes of all pieces, for a new record of the same project. */
  *listPieces(): Generator<[plainAt: number, plainLength: number, deflatedAt: number, deflatedLength: number]> {
    for (const start of [head.project, head.listItem])
      yield [piece.plainAt, piece.plainLength, piece.deflatedAt, piece.deflatedLength].map((at) =>
        this.at(start + at),
      ) as [number, number, number, number];
    for (let ordinal = 0; ordinal < this.versionCount; ordinal++) {
      const start = this.rowsAt + row.length * ordinal;
      let [plainAt, deflatedAt] = [this.at(start + row.plainAt), this.at(start + row.deflatedAt)];
      for (let part = 0; part < 4; part++) {
        const [plain, deflated] = [this.at(start + row.plain + 4 * part), this.at(start + row.deflated + 4 * part)];
        if (plain === sameAsByHash) continue;
        yield [plainAt, plain, deflatedAt, deflated];
        plainAt += plain;
        deflatedAt += deflated;
      }
    }
  }

  /** Copies bytes of the record into the answer. */
  #copy(to: Joiner, at: number, from: number, length: number): void {
    const near = this.#nearOf(to, from + length);
    if (near && from >= near.from && from + length <= near.end)
      near.bytes.copy(to.buffer, at, from - near.from, from - near.from + length);
    else this.source.read(to.buffer, at, from, length);
  }

  #nearOf(to: Joiner, needed: number): Near | undefined {
    if (to.isDeflated) {
      this.#deflated ??= this.#keepNear(needed, piece.deflatedAt, nearBytes.deflated);
      return this.#deflated;
    }
    this.#plain ??= this.#keepNear(needed, piece.plainAt, nearBytes.plain);
    return this.#plain;
  }

  /** Reads the first pieces of an encoding, if they include everything up to `needed`. */
  #keepNear(needed: number, area: number, most: number): Near | undefined {
    const from = this.at(head.listItem + area);
    const length = Math.min(most, this.at(head.recordLength) - from);
    if (needed > from + length || this.source.hold?.(length) === false) return undefined;
    const bytes = Buffer.allocUnsafeSlow(length);
    this.source.read(bytes, 0, from, length);
    return { bytes, from, end: from + length };
  }

  #announce(to: Joiner, before: Buffer, ordinal: number, form: Form, bytes: number): number {
    beginItem(to, before, this.downloadsOf(ordinal));
    const crc = this.at(this.rowsAt + row.length * ordinal + row.crc + 4 * formNumbers[form]);
    return to.piece(bytes, this.versionLength(ordinal, form), crc);
  }

  /** Where the shared part and the tail of a version are; the bytes of other tails between them are skipped. */
  #span(to: Joiner, ordinal: number, form: Form) {
    const start = this.rowsAt + row.length * ordinal;
    const lengths = start + (to.isDeflated ? row.deflated : row.plain);
    const isOther = form !== "byHash" && this.at(lengths + 4 * (formNumbers[form] + 1)) !== sameAsByHash;
    let skipped = 0;
    if (isOther) for (let part = 1; part <= formNumbers[form]; part++) skipped += this.at(lengths + 4 * part);
    return {
      from: this.at(start + (to.isDeflated ? row.deflatedAt : row.plainAt)),
      shared: this.at(lengths),
      tail: this.#tail(lengths, form),
      skipped,
    };
  }

  #tail(lengths: number, form: Form): number {
    const length = this.at(lengths + 4 * (formNumbers[form] + 1));
    return length === sameAsByHash ? this.at(lengths + 4) : length;
  }
}

const downloadsName = Buffer.from('{"downloads":');
const comma = Buffer.from(",");
const nothing = Buffer.alloc(0);

function beginItem(to: Joiner, before: Buffer, downloads: number): void {
  to.bytes(before);
  to.bytes(downloadsName);
  to.integer(downloads);
  to.bytes(comma);
}

/** A record that is in memory as a whole. */
export function openRecord(record: Buffer): PreparedProject {
  const read = (into: Buffer, at: number, from: number, length: number) => {
    record.copy(into, at, from, from + length);
  };
  return new PreparedProject(record, { read });
}
