// Small parts of records in memory: those that were used last, within a budget. They are written one after the other
// into large buffers, and the oldest buffer is used again when there is no room. So reading a part and keeping it are the
// same, and there is no object for each part. A part that is used again before its buffer is overwritten is copied to the
// end.

import type { Block } from "#content/records/record-source.js";
import type { CacheFigures } from "#platform/changes/cache.js";
import type { Resources } from "#platform/http/resources.js";

const chunkBytes = 512 * 1024;
/** Longer parts are read each time. */
const longestKept = chunkBytes / 8;
const smallestTable = 1024;
/** The share of the slots of the table that may be in use. */
const mostLoad = 0.6;

interface Chunk {
  bytes: Buffer;
  view: DataView;
}

const newChunk = (length: number): Chunk => {
  const bytes = Buffer.allocUnsafeSlow(length);
  return { bytes, view: new DataView(bytes.buffer) };
};

/** The last block that was found or read is in its fields, so that nothing is allocated for each of them. */
export class BlockCache implements Block {
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
  /** A hash table: the key of each part, its chunk and place, and its length. 0: no part. */
  #keys = new Float64Array(smallestTable);
  #places = new Float64Array(smallestTable);
  #lengths = new Uint32Array(smallestTable);
  #used = 0;
  #hits = 0;
  #misses = 0;

  constructor({ memory }: Pick<Resources, "memory">) {
    this.#limit = () => memory.limitOf("blocks");
    memory.show(this);
    const none = newChunk(0);
    this.bytes = none.bytes;
    this.view = none.view;
  }

  figures(): CacheFigures {
    const bytes = this.#chunks.length * chunkBytes + this.#keys.length * 20;
    return {
      ...{ name: "blocks", bytes, limit: this.#limit(), entries: this.#countKept() },
      ...{ hits: this.#hits, misses: this.#misses },
    };
  }

  /** Whether so many bytes of the part with this key are in memory. Keys are positive integers. */
  find(key: number, length: number): boolean {
    const slot = this.#slotOf(key);
    if (slot < 0 || this.#lengths[slot]! < length) {
      this.#misses++;
      return false;
    }
    this.#hits++;
    this.isNew = false;
    this.#show(this.#places[slot]!, this.#lengths[slot]!);
    if (this.#isOld(this.#places[slot]!)) this.#renew(slot);
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
    const slot = this.#slotOf(key);
    if (slot < 0 || this.#lengths[slot]! < at + 8) return;
    this.#show(this.#places[slot]!, this.#lengths[slot]!);
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

  /** The slot of a part that is in memory; -1 if it is not. */
  #slotOf(key: number): number {
    const keys = this.#keys;
    for (let slot = firstSlot(key, keys.length); keys[slot] !== 0; slot = (slot + 1) & (keys.length - 1))
      if (keys[slot] === key && this.#isKept(this.#places[slot]!)) return slot;
    return -1;
  }

  #isKept(place: number): boolean {
    return place >= this.#oldest * chunkBytes;
  }

  /** Whether its chunk is among the older half of those that will be overwritten. */
  #isOld(place: number): boolean {
    const count = this.#chunks.length;
    return count >= this.#most && place < (this.#oldest + count / 2) * chunkBytes;
  }

  #renew(slot: number): void {
    const { bytes, at, length } = this;
    const key = this.#keys[slot]!;
    this.reserve(length);
    bytes.copy(this.bytes, this.at, at, at + length);
    this.keep(key, length);
  }

  #beginChunk(): void {
    this.#most = Math.max(2, Math.floor(this.#limit() / chunkBytes));
    let free: Chunk | undefined;
    while (this.#chunks.length >= this.#most) {
      free = this.#chunks.shift();
      this.#oldest++;
    }
    this.#chunks.push(free ?? newChunk(chunkBytes));
    this.#filled = 0;
  }

  #put(key: number, place: number, length: number): void {
    if (this.#used + 1 > mostLoad * this.#keys.length) this.#rebuild();
    const keys = this.#keys;
    let slot = firstSlot(key, keys.length);
    while (keys[slot] !== 0 && keys[slot] !== key && this.#isKept(this.#places[slot]!))
      slot = (slot + 1) & (keys.length - 1);
    if (keys[slot] === 0) this.#used++;
    keys[slot] = key;
    this.#places[slot] = place;
    this.#lengths[slot] = length;
  }

  #countKept(): number {
    const [keys, places] = [this.#keys, this.#places];
    let count = 0;
    for (let slot = 0; slot < keys.length; slot++) if (keys[slot] !== 0 && this.#isKept(places[slot]!)) count++;
    return count;
  }

  /** Without parts that are gone, and larger if most are there. An iterator takes longer, and requests wait. */
  #rebuild(): void {
    const [keys, places, lengths] = [this.#keys, this.#places, this.#lengths];
    const size = this.#countKept() > (mostLoad / 2) * keys.length ? 2 * keys.length : keys.length;
    this.#keys = new Float64Array(size);
    this.#places = new Float64Array(size);
    this.#lengths = new Uint32Array(size);
    this.#used = 0;
    for (let slot = 0; slot < keys.length; slot++)
      if (keys[slot] !== 0 && this.#isKept(places[slot]!)) this.#put(keys[slot]!, places[slot]!, lengths[slot]!);
  }
}

/** `size` is a power of two. */
function firstSlot(key: number, size: number): number {
  const mixed = Math.imul(key ^ Math.floor(key / 2 ** 32), 0x9e3779b1);
  return (mixed ^ (mixed >>> 15)) & (size - 1);
}
