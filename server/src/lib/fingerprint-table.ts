// A table from fingerprints (fingerprint-key.ts) to small numbers, in typed arrays: 12 bytes a slot, at most three
// quarters of the slots in use, no object per entry. A fingerprint may have several values. The table consists of many
// parts that grow separately, so that adding to a table of millions never takes longer than copying one small part.

const parts = 256;
const wordsPerSlot = 3;
const mostLoad = 0.75;
const growth = 1.25;
const smallestPart = 4;
/** Values are stored plus one. */
const empty = 0;
const removed = 0xffffffff;
const none: readonly number[] = [];

/** A table in the form in which a thread hands it over: the arrays are transferred, not copied. */
export interface MovedTable {
  parts: Uint32Array<ArrayBuffer>[];
}

export class FingerprintTable {
  readonly #parts: Uint32Array<ArrayBuffer>[];
  /** Slots in use in each part, including removed ones. */
  readonly #used = new Uint32Array(parts);
  readonly #live = new Uint32Array(parts);
  #size = 0;
  #bytes = 0;

  constructor(moved?: MovedTable) {
    this.#parts = moved?.parts ?? Array.from({ length: parts }, () => new Uint32Array(wordsPerSlot));
    for (const [index, part] of this.#parts.entries()) {
      this.#bytes += part.byteLength;
      for (let at = 2; at < part.length; at += wordsPerSlot) {
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
    const part = this.#parts[low % parts]!;
    let found: number[] | undefined;
    for (let at = placeOf(part, high); part[at + 2] !== empty; at = next(part, at)) {
      if (part[at] !== high || part[at + 1] !== low || part[at + 2] === removed) continue;
      const value = part[at + 2]! - 1;
      if (found) found.push(value);
      else found = [value];
    }
    return found ?? none;
  }

  /** Does nothing if the fingerprint has this value already. */
  add(high: number, low: number, value: number): void {
    const index = low % parts;
    if (this.#used[index]! + 1 > mostLoad * (this.#parts[index]!.length / wordsPerSlot)) this.#resize(index);
    const part = this.#parts[index]!;
    let at = placeOf(part, high);
    for (; part[at + 2] !== empty; at = next(part, at))
      if (part[at + 2] === value + 1 && part[at] === high && part[at + 1] === low) return;
    part[at] = high;
    part[at + 1] = low;
    part[at + 2] = value + 1;
    this.#used[index]!++;
    this.#live[index]!++;
    this.#size++;
  }

  /** Replaces all values of a fingerprint. */
  set(high: number, low: number, values: ReadonlySet<number>): void {
    const index = low % parts;
    const part = this.#parts[index]!;
    for (let at = placeOf(part, high); part[at + 2] !== empty; at = next(part, at))
      if (part[at] === high && part[at + 1] === low && part[at + 2] !== removed && !values.has(part[at + 2]! - 1))
        this.#remove(index, at);
    for (const value of values) this.add(high, low, value);
  }

  /** Removes these values from all fingerprints. Reads the whole table. */
  drop(values: ReadonlySet<number>): void {
    for (const [index, part] of this.#parts.entries())
      for (let at = 0; at < part.length; at += wordsPerSlot) {
        const stored = part[at + 2]!;
        if (stored !== empty && stored !== removed && values.has(stored - 1)) this.#remove(index, at);
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
    const slots = old.length / wordsPerSlot;
    const live = this.#live[index]!;
    const isRoomy = live * growth < mostLoad * slots;
    const size = Math.max(smallestPart, isRoomy ? slots : Math.ceil(slots * growth) + 1);
    const part = new Uint32Array(size * wordsPerSlot);
    for (let from = 0; from < old.length; from += wordsPerSlot) {
      if (old[from + 2] === empty || old[from + 2] === removed) continue;
      let at = placeOf(part, old[from]!);
      while (part[at + 2] !== empty) at = next(part, at);
      part[at] = old[from]!;
      part[at + 1] = old[from + 1]!;
      part[at + 2] = old[from + 2]!;
    }
    this.#parts[index] = part;
    this.#used[index] = live;
    this.#bytes += part.byteLength - old.byteLength;
  }
}

/** Parts have any size, so positions are taken in proportion and not modulo a power of two. */
const placeOf = (part: Uint32Array, high: number): number =>
  wordsPerSlot * Math.floor((high / 2 ** 32) * (part.length / wordsPerSlot));

const next = (part: Uint32Array, at: number): number => (at + wordsPerSlot === part.length ? 0 : at + wordsPerSlot);
