// A table from fingerprints (fingerprint-key.ts) to small numbers, in typed arrays: 12 bytes a slot (16 with notes), at most
// 85 % of the slots in use, no object per entry. A fingerprint may have several values. The table consists of many parts
// that grow separately, so that adding to a table of millions never takes longer than copying one small part.

/** A power of two: the last bits of a fingerprint decide. (A remainder of such large numbers calls the C library.) */
const parts = 256;
const mostLoad = 0.85;
/** Tables with notes are the largest ones. */
const growth = { plain: 1.25, noted: 1.12 } as const;
const smallestPart = 4;
/**
 * Values are stored plus one. If a fingerprint has several, each of them has the bit `shared`; it may remain when the others are
 * removed. Without it a search ends at the first value. Up to the next empty slot it would read a dozen slots more.
 */
const empty = 0;
const removed = 0xffffffff;
const shared = 0x80000000;
const valueBits = 0x7fffffff;
const storedValue = (stored: number): number => (stored & valueBits) - 1;
const isValue = (stored: number, value: number): boolean => stored !== removed && storedValue(stored) === value;
const none: readonly number[] = [];

/** A table in the form in which a thread hands it over: the arrays are transferred, not copied. */
export interface MovedTable {
  parts: Uint32Array<ArrayBuffer>[];
}

interface TableOptions {
  /** Whether there is another number with each value, the note. It is 0 until it is set. */
  hasNotes?: boolean;
  /** About so many values will be added: growing in small steps would copy each of them several times. */
  expected?: number;
}

/** The slots of a part that get so many values on average: nearly all parts have fewer than this. */
const slotsFor = (average: number): number => Math.ceil((average + 3 * Math.sqrt(average)) / mostLoad) + 1;

export class FingerprintTable {
  /** The first value that `seek` has found, with its note. */
  value = 0;
  note = 0;
  readonly #words: number;
  readonly #growth: number;
  readonly #parts: Uint32Array<ArrayBuffer>[];
  /** Slots in use in each part, including removed ones. */
  readonly #used = new Uint32Array(parts);
  readonly #live = new Uint32Array(parts);
  #size = 0;
  #bytes = 0;

  constructor(moved?: MovedTable, { hasNotes = false, expected = 0 }: TableOptions = {}) {
    this.#words = hasNotes ? 4 : 3;
    this.#growth = hasNotes ? growth.noted : growth.plain;
    const length = slotsFor(expected / parts) * this.#words;
    this.#parts = moved?.parts ?? Array.from({ length: parts }, () => new Uint32Array(length));
    for (const [index, part] of this.#parts.entries()) {
      this.#bytes += part.byteLength;
      for (let at = 2; at < part.length; at += this.#words) {
        if (part[at] === empty) continue;
        this.#used[index]!++;
        if (part[at] !== removed) this.#live[index]!++;
      }
      this.#size += this.#live[index]!;
    }
  }

  get size(): number {
    return this.#size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** This table must not be used afterwards. */
  move(): MovedTable {
    return { parts: this.#parts };
  }

  find(high: number, low: number): readonly number[] {
    const part = this.#parts[low & (parts - 1)]!;
    let found: number[] | undefined;
    for (let at = this.#placeOf(part, high); part[at + 2] !== empty; at = this.#next(part, at)) {
      const stored = part[at + 2]!;
      if (part[at] !== high || part[at + 1] !== low || stored === removed) continue;
      if (stored < shared) return [storedValue(stored)];
      found ??= [];
      found.push(storedValue(stored));
    }
    return found ?? none;
  }

  /** The same without a list: returns the number of values, and sets `value` and `note` to those of the first one. */
  seek(high: number, low: number): number {
    const part = this.#parts[low & (parts - 1)]!;
    let count = 0;
    for (let at = this.#placeOf(part, high); part[at + 2] !== empty; at = this.#next(part, at)) {
      const stored = part[at + 2]!;
      if (part[at] !== high || part[at + 1] !== low || stored === removed) continue;
      if (count++ > 0) continue;
      this.value = storedValue(stored);
      this.note = part[at + 3]!;
      if (stored < shared) break;
    }
    return count;
  }

  /**
   * For use before `seek` is called for many fingerprints (high and low of each): reads their places, so that they
   * are in the cache of the processor. The reads do not depend on each other, so that it waits for many of them at once.
   */
  prefetch(fingerprints: Uint32Array): void {
    let read = 0;
    for (let n = 0; n < fingerprints.length; n += 2) {
      const part = this.#parts[fingerprints[n + 1]! & (parts - 1)]!;
      read ^= part[this.#placeOf(part, fingerprints[n]!)]!;
    }
    // A result that nothing uses would not be computed.
    this.value = read;
  }

  /** Only in a table with notes. Adds the value if it is missing, unless the note is 0. */
  setNote(high: number, low: number, value: number, note: number): void {
    const part = this.#parts[low & (parts - 1)]!;
    for (let at = this.#placeOf(part, high); part[at + 2] !== empty; at = this.#next(part, at))
      if (part[at] === high && part[at + 1] === low && isValue(part[at + 2]!, value)) {
        part[at + 3] = note;
        return;
      }
    if (note === 0) return;
    this.add(high, low, value);
    this.setNote(high, low, value, note);
  }

  /** Only in a table with notes. Reads the whole table. */
  clearNotes(): void {
    for (const part of this.#parts) for (let at = 3; at < part.length; at += this.#words) part[at] = 0;
  }

  /** Returns false if the fingerprint has this value already. */
  add(high: number, low: number, value: number): boolean {
    const index = low & (parts - 1);
    if (this.#used[index]! + 1 > mostLoad * (this.#parts[index]!.length / this.#words)) this.#resize(index);
    const part = this.#parts[index]!;
    let at = this.#placeOf(part, high);
    let stored = value + 1;
    for (; part[at + 2] !== empty; at = this.#next(part, at)) {
      if (part[at] !== high || part[at + 1] !== low || part[at + 2] === removed) continue;
      if (isValue(part[at + 2]!, value)) return false;
      part[at + 2]! |= shared;
      stored |= shared;
    }
    part[at] = high;
    part[at + 1] = low;
    part[at + 2] = stored;
    this.#used[index]!++;
    this.#live[index]!++;
    this.#size++;
    return true;
  }

  /** Replaces all values of a fingerprint; calls `onAdd` for each that is new. */
  set(high: number, low: number, values: ReadonlySet<number>, onAdd?: (value: number) => void): void {
    const index = low & (parts - 1);
    const part = this.#parts[index]!;
    for (let at = this.#placeOf(part, high); part[at + 2] !== empty; at = this.#next(part, at))
      if (
        part[at] === high &&
        part[at + 1] === low &&
        part[at + 2] !== removed &&
        !values.has(storedValue(part[at + 2]!))
      )
        this.#remove(index, at);
    for (const value of values) if (this.add(high, low, value)) onAdd?.(value);
  }

  /** Removes these values from all fingerprints. Reads the whole table. */
  drop(values: ReadonlySet<number>): void {
    for (const [index, part] of this.#parts.entries())
      for (let at = 0; at < part.length; at += this.#words) {
        const stored = part[at + 2]!;
        if (stored !== empty && stored !== removed && values.has(storedValue(stored))) this.#remove(index, at);
      }
  }

  #remove(index: number, at: number): void {
    // The slot stays in use, so that the search for entries behind it does not end here.
    this.#parts[index]![at + 2] = removed;
    this.#live[index]!--;
    this.#size--;
  }

  /** Copies a part without its removed slots, into a larger array unless many were removed. */
  #resize(index: number): void {
    const old = this.#parts[index]!;
    const slots = old.length / this.#words;
    const live = this.#live[index]!;
    const isRoomy = (live + 1) * this.#growth < mostLoad * slots;
    const size = Math.max(smallestPart, isRoomy ? slots : Math.ceil(slots * this.#growth) + 1);
    const part = new Uint32Array(size * this.#words);
    for (let from = 0; from < old.length; from += this.#words) {
      if (old[from + 2] === empty || old[from + 2] === removed) continue;
      let at = this.#placeOf(part, old[from]!);
      while (part[at + 2] !== empty) at = this.#next(part, at);
      part[at] = old[from]!;
      part[at + 1] = old[from + 1]!;
      part[at + 2] = old[from + 2]!;
      if (this.#words === 4) part[at + 3] = old[from + 3]!;
    }
    this.#parts[index] = part;
    this.#used[index] = live;
    this.#bytes += part.byteLength - old.byteLength;
  }

  /** Parts have any size, so positions are taken in proportion and not modulo a power of two. */
  #placeOf(part: Uint32Array, high: number): number {
    return this.#words * Math.floor((high / 2 ** 32) * (part.length / this.#words));
  }

  #next(part: Uint32Array, at: number): number {
    return at + this.#words === part.length ? 0 : at + this.#words;
  }
}
