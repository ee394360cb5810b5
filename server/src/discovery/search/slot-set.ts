// Permanent sets of projects in the index, by slot number. A set only grows at its end: a packed list while it is small, and
// a bitmap from then on.
import type { Bits } from "./bits.js";
import { PackedNumbers } from "./packed-numbers.js";

/** The memory of a set and its array, without the content. */
const objectBytes = 240;
/** A bitmap needs at least this many items to save memory. */
const leastForBitmap = 64;
/** A set of more than one in so many slots is a bitmap: a list would need a quarter of its memory, but take longer to use. */
const bitmapShare = 32;
const noBits = new Uint32Array(0);

/** In the form in which it is stored: a bitmap, or packed numbers and the last of them. */
export type StoredSet =
  | { size: number; bitmap: Uint32Array<ArrayBuffer> }
  | { size: number; list: Uint8Array<ArrayBuffer>; last: number };

export class SlotSet {
  #list: PackedNumbers | undefined = new PackedNumbers();
  /** Instead of the list. */
  #bitmap = noBits;
  #size = 0;

  static restore(stored: StoredSet): SlotSet {
    const set = new SlotSet();
    set.#size = stored.size;
    if ("bitmap" in stored) {
      set.#list = undefined;
      set.#bitmap = stored.bitmap;
    } else set.#list = PackedNumbers.from(stored.list, stored.last);
    return set;
  }

  store(): StoredSet {
    const size = this.#size;
    return this.#list ? { size, list: this.#list.content, last: this.#list.last } : { size, bitmap: this.#bitmap };
  }

  /** From slots in any order, all below `size`. */
  static of(slots: Uint32Array<ArrayBuffer>, size: number): SlotSet {
    const set = new SlotSet();
    // Most are sorted already, and sorting would take longer than packing.
    if (slots.some((slot, at) => at > 0 && slots[at - 1]! > slot)) slots.sort();
    if (slots.length > leastForBitmap && slots.length * bitmapShare > size) set.#becomeBitmap(slots, size);
    else for (let at = 0; at < slots.length; at++) set.#list!.add(slots[at]!);
    set.#size = slots.length;
    set.trim();
    return set;
  }

  get size(): number {
    return this.#size;
  }

  /** Memory that it takes, with its objects. */
  get bytes(): number {
    return objectBytes + (this.#list?.byteLength ?? this.#bitmap.byteLength);
  }

  /** Slots must be added in ascending order; the last one may be repeated. */
  add(slot: number): void {
    if (this.#list && this.#size > leastForBitmap && this.#size * bitmapShare > slot)
      this.#becomeBitmap(this.#list.unpack(), slot);
    if (!this.#list) this.#mark(slot);
    else if (this.#size === 0 || this.#list.last !== slot) {
      this.#list.add(slot);
      this.#size++;
    }
  }

  /** Gives back the space for more slots. */
  trim(): void {
    this.#list?.trim();
  }

  /** Adds these slots to `bits`. */
  orInto(bits: Bits): void {
    if (!this.#list) {
      bits.orWords(this.#bitmap);
      return;
    }
    const slots = this.#list.unpack();
    for (let at = 0; at < slots.length; at++) bits.add(slots[at]!);
  }

  /** Clears the bits of `found` that are not in the set. */
  keepIn(found: Bits): void {
    if (!this.#list) {
      found.andWords(this.#bitmap);
      return;
    }
    const slots = this.#list.unpack();
    let kept = 0;
    for (let at = 0; at < slots.length; at++) if (found.has(slots[at]!)) slots[kept++] = slots[at]!;
    found.clear();
    for (let at = 0; at < kept; at++) found.add(slots[at]!);
  }

  /** Clears the bits of `found` that are in the set. */
  removeFrom(found: Bits): void {
    if (!this.#list) {
      found.andNotWords(this.#bitmap);
      return;
    }
    const slots = this.#list.unpack();
    for (let at = 0; at < slots.length; at++) found.delete(slots[at]!);
  }

  /** The number of these slots that are in the set. */
  countIn(bits: Bits): number {
    return this.#list ? this.#list.countIn(bits.words) : bits.countIn(this.#bitmap);
  }

  /** Writes those of these ascending slots that are not in the set to `into`. Returns their number. */
  findMissing(slots: Uint32Array, into: Uint32Array): number {
    if (this.#list) return this.#list.findMissing(slots, into);
    const words = this.#bitmap;
    let missing = 0;
    for (let at = 0; at < slots.length; at++) {
      const slot = slots[at]!;
      if (((words[slot >>> 5]! >>> (slot & 31)) & 1) === 0) into[missing++] = slot;
    }
    return missing;
  }

  #mark(slot: number): void {
    const at = slot >>> 5;
    if (at >= this.#bitmap.length)
      this.#bitmap = grown(this.#bitmap, Math.max(at + 1, (this.#bitmap.length * 9) >>> 3));
    const bit = 1 << (slot & 31);
    if ((this.#bitmap[at]! & bit) === 0) this.#size++;
    this.#bitmap[at]! |= bit;
  }

  #becomeBitmap(slots: Uint32Array, size: number): void {
    this.#bitmap = new Uint32Array((size >>> 5) + 1);
    for (let at = 0; at < slots.length; at++) this.#bitmap[slots[at]! >>> 5]! |= 1 << (slots[at]! & 31);
    this.#list = undefined;
  }
}

/** The same items, with space for more. */
export function grown<T extends Uint8Array | Uint32Array | Float64Array>(items: T, length: number): T {
  const larger = new (items.constructor as new (length: number) => T)(length);
  larger.set(items);
  return larger;
}
