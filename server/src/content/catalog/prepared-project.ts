// A prepared project: its header is in memory, and its pieces are copied from the record, which is in a file or in memory,
// straight into the answer.
import { type Joiner, PlainJoiner } from "#lib/gzip-join.js";
import { type Form, formNumbers, head, piece, row, sameAsByHash } from "./prepared-format.js";
import { PreparedHeader } from "./prepared-header.js";

/** Pieces of neighbouring versions are read together: at least this much at once. */
const windowBytes = 256 * 1024;
/** For the text before a piece. */
const figureBytes = 128;
let window = Buffer.allocUnsafeSlow(windowBytes);

export class PreparedProject extends PreparedHeader {
  pieceLength(which: "project" | "listItem"): number {
    return this.at(head[which] + piece.plainLength);
  }

  versionLength(ordinal: number, form: Form): number {
    const start = this.rowsAt + row.length * ordinal + row.plain;
    return this.at(start) + this.#tail(start, form);
  }

  /** Adds the JSON of the project or its list item, after the given text. */
  addPiece(to: Joiner, before: string, which: "project" | "listItem"): void {
    const start = head[which] + (to.isDeflated ? piece.deflatedAt : piece.plainAt);
    const [from, length] = [this.at(start), this.at(start + 4)];
    to.text(`${before}{"downloads":${this.downloads},`);
    const at = to.piece(length, this.pieceLength(which), this.at(head[which] + piece.crc));
    this.source.read(to.buffer, at, from, length);
  }

  /** Adds the JSON of a version, after the given text. */
  addVersion(to: Joiner, before: string, ordinal: number, form: Form): void {
    const { from, shared, tail, skipped } = this.#span(to, ordinal, form);
    const at = this.#announce(to, before, ordinal, form, shared + tail);
    if (skipped === 0) {
      this.source.read(to.buffer, at, from, shared + tail);
      return;
    }
    this.source.read(to.buffer, at, from, shared);
    this.source.read(to.buffer, at + shared, from + shared + skipped, tail);
  }

  /** Adds several versions, in the order of their numbers, separated by commas. Neighbours are read together. */
  addVersions(to: Joiner, ordinals: Iterable<number>, form: Form): void {
    let before = "";
    let windowAt = 0;
    let windowEnd = 0;
    const end = to.isDeflated ? this.at(head.setTextsAt) : this.at(head.project + piece.deflatedAt);
    for (const ordinal of ordinals) {
      const { from, shared, tail, skipped } = this.#span(to, ordinal, form);
      const length = shared + skipped + tail;
      if (from < windowAt || from + length > windowEnd) {
        if (length > window.length) window = Buffer.allocUnsafeSlow(length);
        windowAt = from;
        windowEnd = Math.min(end, from + window.length);
        this.source.read(window, 0, windowAt, windowEnd - windowAt);
      }
      const at = this.#announce(to, before, ordinal, form, shared + tail);
      const start = from - windowAt;
      window.copy(to.buffer, at, start, start + shared);
      window.copy(to.buffer, at + shared, start + shared + skipped, start + length);
      before = ",";
    }
    if (window.length > windowBytes) window = Buffer.allocUnsafeSlow(windowBytes);
  }

  /** The JSON of the project or its list item. */
  pieceText(which: "project" | "listItem"): string {
    const to = new PlainJoiner(this.pieceLength(which) + figureBytes);
    this.addPiece(to, "", which);
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
    this.addVersion(to, "", ordinal, "own");
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

  #announce(to: Joiner, before: string, ordinal: number, form: Form, bytes: number): number {
    to.text(`${before}{"downloads":${this.downloadsOf(ordinal)},`);
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

/** A record that is in memory as a whole. */
export function openRecord(record: Buffer): PreparedProject {
  const read = (into: Buffer, at: number, from: number, length: number) => {
    record.copy(into, at, from, from + length);
  };
  return new PreparedProject(record.subarray(0, record.readUInt32LE(head.headerLength)), { read }, record.length);
}
