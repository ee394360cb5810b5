// The set of projects that a query works with: one bit for each slot. Most sets of a query are nearly empty, so it is known
// which blocks may have bits, and only these are visited.

/** Words in a block: 1,024 slots. */
const blockWords = 32;
const slotShift = 10;

export class Bits {
  readonly words: Uint32Array;
  /** 1 for each block that may have set bits. */
  readonly blocks: Uint8Array;

  constructor(size: number) {
    this.words = new Uint32Array((size + 31) >>> 5);
    this.blocks = new Uint8Array(Math.ceil(this.words.length / blockWords));
  }

  add(slot: number): void {
    this.words[slot >>> 5]! |= 1 << (slot & 31);
    this.blocks[slot >>> slotShift] = 1;
  }

  delete(slot: number): void {
    this.words[slot >>> 5]! &= ~(1 << (slot & 31));
  }

  has(slot: number): boolean {
    return ((this.words[slot >>> 5]! >>> (slot & 31)) & 1) === 1;
  }

  /** Filling everything is quicker than visiting the blocks that have bits. */
  clear(): void {
    this.words.fill(0);
    this.blocks.fill(0);
  }

  /** Takes the bits of the other set instead of its own. */
  become({ words, blocks }: Bits): this {
    const shared = Math.min(words.length, this.words.length);
    this.words.set(words.subarray(0, shared));
    this.words.fill(0, shared);
    const sharedBlocks = Math.min(blocks.length, this.blocks.length);
    this.blocks.set(blocks.subarray(0, sharedBlocks));
    this.blocks.fill(0, sharedBlocks);
    return this;
  }

  /** Keeps the bits that both have; bits past the end of a shorter one are cleared. */
  and(other: Bits): this {
    for (let block = 0; block < this.blocks.length; block++)
      if (this.blocks[block] === 1) {
        if (other.blocks[block] === 1) this.#andBlock(block, other.words);
        else this.#clearBlock(block);
      }
    return this;
  }

  /** The same with a bitmap. */
  andWords(other: Uint32Array): void {
    for (let block = 0; block < this.blocks.length; block++) if (this.blocks[block] === 1) this.#andBlock(block, other);
  }

  andNot(other: Bits): this {
    this.andNotWords(other.words);
    return this;
  }

  /** The same with a bitmap. */
  andNotWords(other: Uint32Array): void {
    const { words } = this;
    for (let block = 0; block < this.blocks.length; block++) {
      if (this.blocks[block] !== 1) continue;
      const end = Math.min(this.#endOf(block), other.length);
      for (let at = block * blockWords; at < end; at++) words[at]! &= ~other[at]!;
    }
  }

  or(other: Bits): this {
    const { words } = this;
    for (let block = 0; block < this.blocks.length; block++) {
      if (other.blocks[block] !== 1) continue;
      const end = Math.min(words.length, other.words.length, (block + 1) * blockWords);
      for (let at = block * blockWords; at < end; at++) words[at]! |= other.words[at]!;
      this.blocks[block] = 1;
    }
    return this;
  }

  /** The same with a bitmap. */
  orWords(other: Uint32Array): void {
    const { words } = this;
    for (let at = Math.min(other.length, words.length) - 1; at >= 0; at--) words[at]! |= other[at]!;
    this.blocks.fill(1);
  }

  /** Adds these slots to `bits`. */
  orInto(bits: Bits): void {
    bits.or(this);
  }

  /** Clears the bits of `found` that are not here. */
  keepIn(found: Bits): void {
    found.and(this);
  }

  isEmpty(): boolean {
    for (let block = 0; block < this.blocks.length; block++) {
      if (this.blocks[block] !== 1) continue;
      for (let at = block * blockWords; at < this.#endOf(block); at++) if (this.words[at] !== 0) return false;
    }
    return true;
  }

  count(): number {
    return this.countIn(this.words);
  }

  /** The number of slots that are also in the bitmap. */
  countIn(other: Uint32Array): number {
    let count = 0;
    for (let block = 0; block < this.blocks.length; block++) {
      if (this.blocks[block] !== 1) continue;
      const start = block * blockWords;
      // Neighbouring blocks are counted together.
      while (this.blocks[block + 1] === 1) block++;
      count += countShared(this.words, other, start, Math.min(this.#endOf(block), other.length));
    }
    return count;
  }

  /** All slots in ascending order. */
  list(count = this.count()): Uint32Array {
    const slots = new Uint32Array(count);
    let length = 0;
    for (let block = 0; block < this.blocks.length; block++) {
      if (this.blocks[block] !== 1) continue;
      for (let at = block * blockWords; at < this.#endOf(block); at++)
        for (let rest = this.words[at]!; rest !== 0; rest &= rest - 1)
          slots[length++] = (at << 5) + 31 - Math.clz32(rest & -rest);
    }
    return slots;
  }

  #endOf(block: number): number {
    return Math.min(this.words.length, (block + 1) * blockWords);
  }

  #andBlock(block: number, other: Uint32Array): void {
    const { words } = this;
    const end = this.#endOf(block);
    const shared = Math.min(end, other.length);
    let any = 0;
    for (let at = block * blockWords; at < shared; at++) {
      words[at]! &= other[at]!;
      any |= words[at]!;
    }
    if (shared < end) words.fill(0, Math.max(shared, block * blockWords), end);
    if (any === 0) this.blocks[block] = 0;
  }

  #clearBlock(block: number): void {
    this.words.fill(0, block * blockWords, (block + 1) * blockWords);
    this.blocks[block] = 0;
  }
}

/** The sets of one query, which are used again by the next one: allocating them would cost as much as filling them. */
export class QueryBits {
  #size = 0;
  #sets: Bits[] = [];
  #taken = 0;

  get bytes(): number {
    return this.#sets.length * (this.#size / 8);
  }

  /** All sets that were taken before may be used again. */
  begin(size: number): void {
    this.#taken = 0;
    if (size <= this.#size) return;
    this.#size = Math.ceil(size * 1.25);
    this.#sets = [];
  }

  /** An empty set. */
  take(): Bits {
    const set = this.#next();
    set.clear();
    return set;
  }

  copy(bits: Bits): Bits {
    return this.#next().become(bits);
  }

  #next(): Bits {
    let set = this.#sets[this.#taken++];
    if (!set) {
      set = new Bits(this.#size);
      this.#sets.push(set);
    }
    return set;
  }
}

/** The number of set bits. */
export function ones(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/**
 * The number of bits that are set in both, between these places. Eight words are added bit by bit, with carries, so that the
 * bits of one word in eight have to be counted (Harley and Seal): facets count a hundred large sets for one answer.
 */
function countShared(a: Uint32Array, b: Uint32Array, start: number, end: number): number {
  let one = 0;
  let two = 0;
  let four = 0;
  let eights = 0;
  let at = start;
  for (; at + 8 <= end; at += 8) {
    const w0 = a[at]! & b[at]!;
    const w1 = a[at + 1]! & b[at + 1]!;
    const w2 = a[at + 2]! & b[at + 2]!;
    const w3 = a[at + 3]! & b[at + 3]!;
    const w4 = a[at + 4]! & b[at + 4]!;
    const w5 = a[at + 5]! & b[at + 5]!;
    const w6 = a[at + 6]! & b[at + 6]!;
    const w7 = a[at + 7]! & b[at + 7]!;
    const twoA = carry(one, w0, w1);
    one ^= w0 ^ w1;
    const twoB = carry(one, w2, w3);
    one ^= w2 ^ w3;
    const twoC = carry(one, w4, w5);
    one ^= w4 ^ w5;
    const twoD = carry(one, w6, w7);
    one ^= w6 ^ w7;
    const fourA = carry(two, twoA, twoB);
    two ^= twoA ^ twoB;
    const fourB = carry(two, twoC, twoD);
    two ^= twoC ^ twoD;
    eights += ones(carry(four, fourA, fourB));
    four ^= fourA ^ fourB;
  }
  let count = 8 * eights + 4 * ones(four) + 2 * ones(two) + ones(one);
  for (; at < end; at++) count += ones(a[at]! & b[at]!);
  return count;
}

/** The carries of the sum of three bits, for each bit. */
const carry = (a: number, b: number, c: number): number => (a & b) | ((a ^ b) & c);
