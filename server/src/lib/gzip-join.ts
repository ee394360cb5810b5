// Joins texts and pieces that were compressed before into one gzip stream, without compressing anything again. A piece is
// raw deflate that ends at a byte boundary (sync flush), so pieces can follow each other. Text between them is put
// into stored blocks, and the CRC of the whole is combined from those of the parts.
import { constants, crc32, deflateRawSync } from "node:zlib";
import { viewOf } from "./view-of.js";

export interface DeflatedPiece {
  /** Raw deflate without a final block. */
  bytes: Uint8Array;
  /** Length and CRC-32 of the content. */
  length: number;
  crc: number;
}

/** Costs about 90 µs for 2 KB, so it is called only in threads that prepare answers. */
export function deflatePiece(content: Uint8Array): DeflatedPiece {
  if (content.length === 0) return { bytes: new Uint8Array(0), length: 0, crc: 0 };
  const bytes = deflateRawSync(content, {
    ...{ level: 9, finishFlush: constants.Z_SYNC_FLUSH },
    ...deflateMemory(content.length),
  });
  return { bytes, length: content.length, crc: crc32(content) };
}

/** The memory that a content of this length needs. By default, zlib takes 280 KB, however small the content is. */
function deflateMemory(length: number) {
  const bits = 32 - Math.clz32(length - 1);
  return {
    windowBits: Math.min(15, Math.max(9, bits)),
    memLevel: Math.min(8, Math.max(1, bits - 5)),
    // For the result, which is hardly ever longer.
    chunkSize: Math.max(64, length + 32),
  };
}

/** Allocates memory for joined bytes: new, or on loan. It may be longer than requested. */
export type Memory = (length: number) => Buffer;

/** For shorter texts, calling the native function costs more than copying the bytes here. */
const worthNativeCopy = 24;
const mostDigits = 10;

/** The text of an answer in parts: short texts, and pieces that exist in both encodings. */
export abstract class Joiner {
  /** Replaced by a longer one when it is full. */
  buffer: Buffer;
  /** Whether pieces are added in their deflated form. */
  abstract readonly isDeflated: boolean;
  protected at = 0;

  constructor(expected: number, memory: Memory = Buffer.allocUnsafeSlow) {
    this.buffer = memory(expected);
  }

  /** Adds text. */
  text(text: string): void {
    this.beginText();
    // At most three bytes for each UTF-16 unit.
    this.reserve(3 * text.length);
    this.at += this.buffer.write(text, this.at, "utf8");
  }

  /** Adds text that is in memory as bytes, which is several times as fast. */
  bytes(text: Buffer, from = 0, end = text.length): void {
    this.beginText();
    this.reserve(end - from);
    const { buffer, at } = this;
    if (end - from >= worthNativeCopy) text.copy(buffer, at, from, end);
    else for (let index = from; index < end; index++) buffer[at + index - from] = text[index]!;
    this.at += end - from;
  }

  /** Adds the decimal digits of an integer that is not negative. */
  integer(value: number): void {
    if (value > 0x7fffffff) {
      this.text(String(value));
      return;
    }
    this.beginText();
    this.reserve(mostDigits);
    let digits = 1;
    for (let limit = 10; value >= limit; limit *= 10) digits++;
    this.at += digits;
    let rest = value | 0;
    for (let index = 1; index <= digits; index++) {
      this.buffer[this.at - index] = 0x30 + (rest % 10);
      rest = (rest / 10) | 0;
    }
  }

  /**
   * Makes room for the bytes of a piece in this encoding, and returns where in `buffer` the caller must write them before
   * the next call. `length` and `crc` are those of the content.
   */
  abstract piece(bytes: number, length: number, crc: number): number;
  /** The joined bytes; the joiner must not be used afterwards. */
  abstract end(): Buffer;

  protected reserve(bytes: number): void {
    if (this.at + bytes > this.buffer.length) this.grow(this.at + bytes);
  }

  protected grow(needed: number): void {
    const longer = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.buffer.length));
    this.buffer.copy(longer, 0, 0, this.at);
    this.buffer = longer;
  }

  /** Called before text is added. */
  protected abstract beginText(): void;
}

/** Joins uncompressed pieces. */
export class PlainJoiner extends Joiner {
  readonly isDeflated = false;

  protected beginText(): void {}

  piece(bytes: number): number {
    this.reserve(bytes);
    this.at += bytes;
    return this.at - bytes;
  }

  end(): Buffer {
    return this.buffer.subarray(0, this.at);
  }
}

const head = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
const storedHeadBytes = 5;
const longestStored = 0xffff;
/** An empty block with the mark of the last block. */
const lastBlock = [0x03, 0x00] as const;
const trailerBytes = 8;

/** Joins deflated pieces into a gzip stream. */
export class GzipJoiner extends Joiner {
  readonly isDeflated = true;
  #crc = 0;
  #length = 0;
  /** Where the text of the open stored block begins; 0 if none is open. */
  #textAt = 0;
  /** A view of the buffer, from which numbers are read faster. */
  #view: DataView;

  constructor(expected: number, memory?: Memory) {
    super(Math.max(expected, 64), memory);
    this.at = head.copy(this.buffer, 0);
    this.#view = viewOf(this.buffer);
  }

  protected override grow(needed: number): void {
    super.grow(needed);
    this.#view = viewOf(this.buffer);
  }

  protected beginText(): void {
    if (this.#textAt !== 0) return;
    this.reserve(storedHeadBytes);
    this.at += storedHeadBytes;
    this.#textAt = this.at;
  }

  piece(bytes: number, length: number, crc: number): number {
    if (this.#textAt !== 0) this.#closeText();
    this.#crc = (multiply(this.#crc, shiftBy(length)) ^ crc) >>> 0;
    this.#length += length;
    this.reserve(bytes);
    this.at += bytes;
    return this.at - bytes;
  }

  end(): Buffer {
    if (this.#textAt !== 0) this.#closeText();
    this.reserve(lastBlock.length + trailerBytes);
    for (const byte of lastBlock) this.buffer[this.at++] = byte;
    this.at = this.buffer.writeUInt32LE(this.#crc, this.at);
    this.at = this.buffer.writeUInt32LE(this.#length % 2 ** 32, this.at);
    return this.buffer.subarray(0, this.at);
  }

  #closeText(): void {
    const begin = this.#textAt;
    const length = this.at - begin;
    this.#textAt = 0;
    this.#length += length;
    this.#crc =
      length < worthNativeCall
        ? extendCrc(this.#crc, this.#view, begin, this.at)
        : crc32(this.buffer.subarray(begin, this.at), this.#crc);
    if (length <= longestStored) this.#writeStoredHead(begin, length);
    else this.#splitText(begin, length);
  }

  /** A long text becomes several blocks: their heads are put between its parts, from the last part to the first. */
  #splitText(begin: number, length: number): void {
    const more = Math.ceil(length / longestStored) - 1;
    this.reserve(more * storedHeadBytes);
    this.at += more * storedHeadBytes;
    for (let part = more; part >= 0; part--) {
      const from = begin + part * longestStored;
      const size = Math.min(longestStored, begin + length - from);
      const to = from + part * storedHeadBytes;
      this.buffer.copyWithin(to, from, from + size);
      this.#writeStoredHead(to, size);
    }
  }

  #writeStoredHead(textAt: number, length: number): void {
    const { buffer } = this;
    buffer[textAt - 5] = 0;
    buffer[textAt - 4] = length & 0xff;
    buffer[textAt - 3] = length >>> 8;
    buffer[textAt - 2] = ~length & 0xff;
    buffer[textAt - 1] = (~length >>> 8) & 0xff;
  }
}

const polynomial = 0xedb88320;
/** The CRC of each byte that is followed by 0 to 15 zero bytes: sixteen bytes are processed at once. Signed numbers are quicker. */
const crcTable = ((): Int32Array => {
  const table = new Int32Array(16 * 256);
  for (let byte = 0; byte < 256; byte++) {
    let value = byte;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ polynomial : value >>> 1;
    table[byte] = value;
  }
  for (let at = 256; at < table.length; at++) table[at] = table[table[at - 256]! & 0xff]! ^ (table[at - 256]! >>> 8);
  return table;
})();
/** For shorter texts, calling the native function costs more than computing the CRC here. */
const worthNativeCall = 512;

/** The CRC of four bytes, as a little-endian number, that are followed by `after` zero bytes. */
const crcOfFour = (bytes: number, after: number): number =>
  crcTable[((after + 3) << 8) + (bytes & 0xff)]! ^
  crcTable[((after + 2) << 8) + ((bytes >>> 8) & 0xff)]! ^
  crcTable[((after + 1) << 8) + ((bytes >>> 16) & 0xff)]! ^
  crcTable[(after << 8) + (bytes >>> 24)]!;

function extendCrc(crc: number, bytes: DataView, begin: number, end: number): number {
  let value = ~crc;
  let at = begin;
  for (; at + 16 <= end; at += 16)
    value =
      crcOfFour(bytes.getInt32(at, true) ^ value, 12) ^
      crcOfFour(bytes.getInt32(at + 4, true), 8) ^
      crcOfFour(bytes.getInt32(at + 8, true), 4) ^
      crcOfFour(bytes.getInt32(at + 12, true), 0);
  for (; at + 4 <= end; at += 4) value = crcOfFour(bytes.getInt32(at, true) ^ value, 0);
  for (; at < end; at++) value = crcTable[(value ^ bytes.getUint8(at)) & 0xff]! ^ (value >>> 8);
  return ~value >>> 0;
}

/** The CRC of two parts together: the CRC of the first, times x^8 for each byte of the second, plus that of the second. */
export const combineCrc = (first: number, second: number, secondLength: number): number =>
  (multiply(first, shiftBy(secondLength)) ^ second) >>> 0;

/** Multiplies polynomials modulo that of CRC-32. The highest bit is the coefficient of x^0. */
function multiply(a: number, b: number): number {
  let product = 0;
  for (let rest = a; rest !== 0; rest <<= 1) {
    product ^= b & (rest >> 31);
    b = (b >>> 1) ^ (polynomial & -(b & 1));
  }
  return product >>> 0;
}

/** x^(8 * 2^k) for each k. */
const powers = ((): readonly number[] => {
  const list = [0x00800000];
  while (list.length < 32) list.push(multiply(list.at(-1)!, list.at(-1)!));
  return list;
})();
const one = 0x80000000;
/** Computed at first use; most pieces are shorter than this. */
const knownShifts = new Uint32Array(32 * 1024);

/** x^(8 * length): appending that many bytes multiplies a CRC by it. */
function shiftBy(length: number): number {
  const known = knownShifts[length];
  if (known) return known;
  let shift = one;
  for (let rest = length, k = 0; rest > 0; rest = Math.floor(rest / 2), k++)
    if (rest % 2 === 1) shift = multiply(shift, powers[k]!);
  if (length < knownShifts.length) knownShifts[length] = shift;
  return shift;
}
