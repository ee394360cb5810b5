// Permanent sets of projects in the index, by slot number. A set only grows at its end, as a sorted list while it is small
// and as a bitmap from then on.
import type { Bits } from "./bits.js";

/** The memory of a set and its array, without the content. */
const objectBytes = 200;
/** A bitmap needs at least this many items to save memory. */
const leastForBitmap = 64;

export class SlotSet {
  /** Sorted slots in the first `#size` places, or a bitmap. */
  #items = new Uint32Array(2);
  #isBitmap = false;
  #size = 0;

  /** From slots in any order, all below `size`. */
  static of(slots: Uint32Array<ArrayBuffer>, size: number): SlotSet {
    const set = new SlotSet();
    set.#items = slots.sort();
    set.#size = slots.length;
    if (slots.length > leastForBitmap && slots.length * 32 > size) set.#becomeBitmap(size);
    return set;
  }

  get size(): number {
    return this.#size;
  }

  /** Memory that it takes, with its objects. */
  get bytes(): number {
    return objectBytes + this.#items.byteLength;
  }

  /** Slots must be added in ascending order; the last one may be repeated. */
  add(slot: number): void {
    // A list needs 32 bits for each slot in it, a bitmap one bit for every existing slot.
    if (!this.#isBitmap && this.#size > leastForBitmap && this.#size * 32 > slot) this.#becomeBitmap(slot);
    if (this.#isBitmap) this.#mark(slot);
    else if (this.#size === 0 || this.#items[this.#size - 1] !== slot) this.#append(slot);
  }

  /** Adds these slots to `bits`. */
  orInto(bits: Bits): void {
    if (this.#isBitmap) bits.orWords(this.#items);
    else for (let at = 0; at < this.#size; at++) bits.add(this.#items[at]!);
  }

  /** Clears the bits of `found` that are not in the set. */
  keepIn(found: Bits): void {
    if (this.#isBitmap) {
      found.andWords(this.#items);
      return;
    }
    const kept = this.#items.subarray(0, this.#size).filter((slot) => found.has(slot));
    found.clear();
    for (let at = 0; at < kept.length; at++) found.add(kept[at]!);
  }

  /** Clears the bits of `found` that are in the set. */
  removeFrom(found: Bits): void {
    if (this.#isBitmap) found.andNotWords(this.#items);
    else for (let at = 0; at < this.#size; at++) found.delete(this.#items[at]!);
  }

  /** The number of these slots that are in the set. `list`: the same slots, if they are few. */
  countIn(bits: Bits, list?: Uint32Array): number {
    const items = this.#items;
    if (this.#isBitmap && !list) return bits.countIn(items);
    let count = 0;
    if (this.#isBitmap) {
      for (let at = 0; at < list!.length; at++) {
        const slot = list![at]!;
        count += (items[slot >>> 5]! >>> (slot & 31)) & 1;
      }
      return count;
    }
    for (let at = 0; at < this.#size; at++) if (bits.has(items[at]!)) count++;
    return count;
  }

  #append(slot: number): void {
    if (this.#size === this.#items.length) this.#items = grown(this.#items, Math.max(2, this.#size * 2));
    this.#items[this.#size++] = slot;
  }

  #mark(slot: number): void {
    const at = slot >>> 5;
    if (at >= this.#items.length) this.#items = grown(this.#items, Math.max(at + 1, (this.#items.length * 5) >>> 2));
    const bit = 1 << (slot & 31);
    if ((this.#items[at]! & bit) === 0) this.#size++;
    this.#items[at]! |= bit;
  }

  #becomeBitmap(slot: number): void {
    const slots = this.#items.subarray(0, this.#size);
    this.#items = new Uint32Array((slot >>> 5) + 1);
    for (const each of slots) this.#items[each >>> 5]! |= 1 << (each & 31);
    this.#isBitmap = true;
  }
}

/** The same items, with space for more. */
export function grown<T extends Uint8Array | Uint32Array | Float64Array>(items: T, length: number): T {
  const larger = new (items.constructor as new (length: number) => T)(length);
  larger.set(items);
  return larger;
}
