// Small parts of records in memory, in the order in which they were read. They are written one after the other into large
// buffers, and the oldest buffer is used again when there is no room. So reading a part and keeping it are the same, and
// there is no object for each part. A part that is used again before its buffer is overwritten is copied to the end.

import type { Block } from "#content/records/record-source.js";

export const chunkBytes = 512 * 1024;
/** Longer parts are read each time. */
const longestKept = chunkBytes / 8;
const smallestTable = 1024;
/** The share of the slots of the table that may be in use. */
const mostLoad = 0.6;

/** The fields of a part in the table: its key, its chunk and place (a position if all chunks ever were one), and its length. */
const [placeAt, lengthAt, fields] = [1, 2, 3];

interface Chunk {
  bytes: Buffer;
  view: DataView;
}

const newChunk = (length: number): Chunk => {
  const bytes = Buffer.allocUnsafeSlow(length);
  return { bytes, view: new DataView(bytes.buffer) };
};

/** The last block that was found or read is in its fields, so that nothing is allocated for each of them. */
export class BlockRing implements Block {
  bytes: Buffer;
  view: DataView;
  at = 0;
  length = 0;
  isNew = false;
  readonly #limit: () => number;
  /** From the oldest to the one that is being filled. */
  readonly #chunks: Chunk[] = [];
  /** The number of the oldest chunk; chunks are numbered from 1 in the order in which they were begun. */
  #oldest = 1;
  /** So many chunks may be in memory; set when a chunk is begun. */
  #most = 2;
  /** Bytes in use in the newest chunk; there is none at first. */
  #filled = Number.POSITIVE_INFINITY;
  /** A hash table with the fields of each part, side by side in memory. A key of 0: no part. */
  #table = new Float64Array(smallestTable * fields);
  #used = 0;

  /** `limit`: the bytes that it may take; it may change. */
  constructor(limit: () => number) {
    this.#limit = limit;
    const none = newChunk(0);
    this.bytes = none.bytes;
    this.view = none.view;
  }

  get bytesHeld(): number {
    return this.#chunks.length * chunkBytes + this.#table.byteLength;
  }

  /** The number of slots for parts in its table: about twice as many as it has parts. */
  get slots(): number {
    return this.#table.length / fields;
  }

  /** Whether other parts go if one is added. */
  get isFull(): boolean {
    return this.#chunks.length >= this.#most;
  }

  /** Whether so many bytes of the part with this key are in memory. Keys are positive integers. */
  find(key: number, length: number): boolean {
    const at = this.#find(key);
    if (at < 0 || this.#table[at + lengthAt]! < length) return false;
    const place = this.#table[at + placeAt]!;
    this.isNew = false;
    this.#show(place, this.#table[at + lengthAt]!);
    if (this.#isOld(place)) this.#renew(key);
    return true;
  }

  /** Makes room for a part: it must be written to `bytes` at `at`. It is found only after `keep`. */
  reserve(length: number): void {
    this.length = length;
    if (length > longestKept) {
      const alone = newChunk(length);
      this.bytes = alone.bytes;
      this.view = alone.view;
      this.at = 0;
      return;
    }
    if (this.#filled + length > chunkBytes) this.#beginChunk();
    const chunk = this.#chunks.at(-1)!;
    this.bytes = chunk.bytes;
    this.view = chunk.view;
    this.at = this.#filled;
  }

  /** Keeps the part that was written since `reserve`, of which so many bytes are valid. */
  keep(key: number, length: number): void {
    this.length = length;
    this.isNew = true;
    if (length > longestKept || length === 0) return;
    this.#put(key, (this.#oldest + this.#chunks.length - 1) * chunkBytes + this.#filled, length);
    // Numbers in blocks are read faster if they are aligned.
    this.#filled += Math.ceil(length / 8) * 8;
  }

  /** Changes a figure in a part, if it is in memory. */
  setFigure(key: number, at: number, value: number): void {
    const found = this.#find(key);
    if (found < 0 || this.#table[found + lengthAt]! < at + 8) return;
    this.#show(this.#table[found + placeAt]!, this.#table[found + lengthAt]!);
    this.view.setFloat64(this.at + at, value, true);
  }

  #show(place: number, length: number): void {
    const number = Math.floor(place / chunkBytes);
    const { bytes, view } = this.#chunks[number - this.#oldest]!;
    this.bytes = bytes;
    this.view = view;
    this.at = place - number * chunkBytes;
    this.length = length;
  }

  /** Where a part that is in memory is in the table; -1 if it is not. */
  #find(key: number): number {
    const table = this.#table;
    for (let at = fields * firstSlot(key, this.slots); table[at] !== 0; at = this.#next(at))
      if (table[at] === key && this.#isKept(table[at + placeAt]!)) return at;
    return -1;
  }

  #next(at: number): number {
    return at + fields === this.#table.length ? 0 : at + fields;
  }

  #isKept(place: number): boolean {
    return place >= this.#oldest * chunkBytes;
  }

  /** Whether its chunk is among the older half of those that will be overwritten. */
  #isOld(place: number): boolean {
    const count = this.#chunks.length;
    return count >= this.#most && place < (this.#oldest + count / 2) * chunkBytes;
  }

  #renew(key: number): void {
    const { bytes, at, length } = this;
    this.reserve(length);
    bytes.copy(this.bytes, this.at, at, at + length);
    this.keep(key, length);
  }

  #beginChunk(): void {
    // Many small parts need a large table.
    this.#most = Math.max(2, Math.floor((this.#limit() - this.#table.byteLength) / chunkBytes));
    let free: Chunk | undefined;
    while (this.#chunks.length >= this.#most) {
      free = this.#chunks.shift();
      this.#oldest++;
    }
    this.#chunks.push(free ?? newChunk(chunkBytes));
    this.#filled = 0;
  }

  #put(key: number, place: number, length: number): void {
    if (this.#used + 1 > mostLoad * this.slots) this.#rebuild();
    const table = this.#table;
    let at = fields * firstSlot(key, this.slots);
    while (table[at] !== 0 && table[at] !== key && this.#isKept(table[at + placeAt]!)) at = this.#next(at);
    if (table[at] === 0) this.#used++;
    table[at] = key;
    table[at + placeAt] = place;
    table[at + lengthAt] = length;
  }

  countKept(): number {
    const table = this.#table;
    let count = 0;
    for (let at = 0; at < table.length; at += fields)
      if (table[at] !== 0 && this.#isKept(table[at + placeAt]!)) count++;
    return count;
  }

  /** Without parts that are gone, and larger if most are there. An iterator takes longer, and requests wait. */
  #rebuild(): void {
    const table = this.#table;
    const isLarger = this.countKept() > (mostLoad / 2) * this.slots;
    this.#table = new Float64Array(isLarger ? 2 * table.length : table.length);
    this.#used = 0;
    for (let at = 0; at < table.length; at += fields)
      if (table[at] !== 0 && this.#isKept(table[at + placeAt]!))
        this.#put(table[at]!, table[at + placeAt]!, table[at + lengthAt]!);
  }
}

/** `size` is a power of two. */
export function firstSlot(key: number, size: number): number {
  const mixed = Math.imul(key ^ Math.floor(key / 2 ** 32), 0x9e3779b1);
  return (mixed ^ (mixed >>> 15)) & (size - 1);
}
