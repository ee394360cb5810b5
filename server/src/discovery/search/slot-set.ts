// Sets of projects in the index, by slot number. A permanent set only grows at its end, as a sorted list while it is
// small and as a bitmap from then on; a set made by a query is a bitmap.

/** One bit for each slot below `size`. */
export class Bits {
  readonly words: Uint32Array;

  constructor(size: number) {
    this.words = new Uint32Array((size + 31) >>> 5);
  }

  add(slot: number): void {
    this.words[slot >>> 5]! |= 1 << (slot & 31);
  }

  has(slot: number): boolean {
    return ((this.words[slot >>> 5]! >>> (slot & 31)) & 1) === 1;
  }

  /** Keeps the bits that both have; bits past the end of a shorter one are cleared. */
  and(other: Bits): this {
    const { words } = this;
    const shared = Math.min(words.length, other.words.length);
    for (let at = 0; at < shared; at++) words[at]! &= other.words[at]!;
    words.fill(0, shared);
    return this;
  }

  andNot(other: Bits): this {
    const { words } = this;
    const shared = Math.min(words.length, other.words.length);
    for (let at = 0; at < shared; at++) words[at]! &= ~other.words[at]!;
    return this;
  }

  or(other: Bits): this {
    const { words } = this;
    const shared = Math.min(words.length, other.words.length);
    for (let at = 0; at < shared; at++) words[at]! |= other.words[at]!;
    return this;
  }

  copy(): Bits {
    const copy = new Bits(0) as { words: Uint32Array } & Bits;
    copy.words = this.words.slice();
    return copy;
  }

  isEmpty(): boolean {
    for (let at = 0; at < this.words.length; at++) if (this.words[at] !== 0) return false;
    return true;
  }

  count(): number {
    let count = 0;
    for (let at = 0; at < this.words.length; at++) count += ones(this.words[at]!);
    return count;
  }

  /** The number of slots that are in both. */
  countIn(other: Bits): number {
    let count = 0;
    for (let at = Math.min(this.words.length, other.words.length) - 1; at >= 0; at--)
      count += ones(this.words[at]! & other.words[at]!);
    return count;
  }

  /** All slots in ascending order. */
  list(): Uint32Array {
    const slots = new Uint32Array(this.count());
    let length = 0;
    for (let at = 0; at < this.words.length; at++)
      for (let rest = this.words[at]!; rest !== 0; rest &= rest - 1)
        slots[length++] = (at << 5) + 31 - Math.clz32(rest & -rest);
    return slots;
  }
}

/** The number of set bits. */
export function ones(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

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

  /** Slots must be added in ascending order; the last one may be repeated. */
  add(slot: number): void {
    // A list needs 32 bits for each slot in it, a bitmap one bit for every existing slot.
    if (!this.#isBitmap && this.#size > leastForBitmap && this.#size * 32 > slot) this.#becomeBitmap(slot);
    if (this.#isBitmap) this.#mark(slot);
    else if (this.#size === 0 || this.#items[this.#size - 1] !== slot) this.#append(slot);
  }

  orInto(bits: Bits): void {
    const { words } = bits;
    const items = this.#items;
    if (!this.#isBitmap) for (let at = 0; at < this.#size; at++) bits.add(items[at]!);
    else for (let at = Math.min(items.length, words.length) - 1; at >= 0; at--) words[at]! |= items[at]!;
  }

  /** The number of these slots that are in the set. */
  countIn({ words }: Bits): number {
    const items = this.#items;
    let count = 0;
    if (this.#isBitmap) {
      for (let at = Math.min(items.length, words.length) - 1; at >= 0; at--) count += ones(words[at]! & items[at]!);
      return count;
    }
    for (let at = 0; at < this.#size; at++) {
      const slot = items[at]!;
      count += (words[slot >>> 5]! >>> (slot & 31)) & 1;
    }
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
