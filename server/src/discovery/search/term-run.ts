// Words and their occurrences, packed: sorted words, and their occurrences in the same order. All words with the same
// beginning form one range, and a hundred thousand projects take a few megabytes.

import { ones } from "./bits.js";
import { countEdits } from "./edits.js";
import { grown } from "./slot-set.js";

/**
 * Occurrences of one or several words, from `start` to `end` (exclusive). An occurrence is a slot and some fields
 * (terms.ts).
 */
export interface Run {
  places: Uint32Array;
  start: number;
  end: number;
}

/** A word within a few typing errors. */
export interface NearRun extends Run {
  slips: number;
}

/** Words that a typing error can lead to, by length. */
interface Bucket {
  /** Numbers of the words. */
  words: Uint32Array;
  /** A fingerprint of the letters of each. */
  prints: Uint32Array;
}

/** One bit for each letter that occurs. A typing error changes at most two of them. */
function printOf(word: string): number {
  let print = 0;
  for (let at = 0; at < word.length; at++) print |= 1 << (word.charCodeAt(at) & 31);
  return print >>> 0;
}

export const onlyLetters = /^[\p{L}\p{M}]+$/u;

/** A string and its place in an array, without its characters. */
const wordBytes = 24;

export class TermRun {
  readonly words: readonly string[];
  /** The index of each word's first occurrence, plus one entry for the end. */
  readonly starts: Uint32Array;
  readonly places: Uint32Array;
  #buckets: Map<number, Bucket> | undefined;

  constructor(words: readonly string[], starts: Uint32Array, places: Uint32Array) {
    this.words = words;
    this.starts = starts;
    this.places = places;
  }

  /** Memory that it takes. */
  get bytes(): number {
    let characters = 0;
    for (const word of this.words) characters += word.length;
    let near = 0;
    for (const { words } of this.#buckets?.values() ?? []) near += 2 * words.byteLength;
    return characters + wordBytes * this.words.length + this.starts.byteLength + this.places.byteLength + near;
  }

  exactly(word: string): Run | undefined {
    const at = this.#firstFrom(word);
    return this.words[at] === word ? this.#run(at, at + 1) : undefined;
  }

  /** The occurrences of longer words that begin with this. */
  beginningWith(start: string): Run | undefined {
    let from = this.#firstFrom(start);
    if (this.words[from] === start) from++;
    // No word contains this letter, and it sorts after every other.
    const to = this.#firstFrom(`${start}\uffff`);
    return to > from ? this.#run(from, to) : undefined;
  }

  *near(word: string, mostSlips: number): Generator<NearRun> {
    this.#buckets ??= this.#sortByLength();
    const print = printOf(word);
    for (let length = word.length - mostSlips; length <= word.length + mostSlips; length++) {
      const bucket = this.#buckets.get(length);
      if (!bucket) continue;
      const { words, prints } = bucket;
      for (let at = 0; at < words.length; at++) {
        if (ones(print ^ prints[at]!) > 2 * mostSlips) continue;
        const slips = countEdits(word, this.words[words[at]!]!, mostSlips);
        if (slips) yield { ...this.#run(words[at]!, words[at]! + 1), slips };
      }
    }
  }

  #run(from: number, to: number): Run {
    return { places: this.places, start: this.starts[from]!, end: this.starts[to]! };
  }

  #sortByLength(): Map<number, Bucket> {
    const numbers = new Map<number, number[]>();
    for (let at = 0; at < this.words.length; at++) {
      const word = this.words[at]!;
      if (word.length < 2 || !onlyLetters.test(word)) continue;
      const list = numbers.get(word.length);
      if (list) list.push(at);
      else numbers.set(word.length, [at]);
    }
    const toBucket = (list: number[]): Bucket => ({
      words: Uint32Array.from(list),
      prints: Uint32Array.from(list, (at) => printOf(this.words[at]!)),
    });
    return new Map([...numbers].map(([length, list]) => [length, toBucket(list)]));
  }

  /** The number of the first word that is not below this one. */
  #firstFrom(word: string): number {
    let [low, high] = [0, this.words.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.words[middle]! < word) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Merges both. All slots of `later` are above those of `earlier`. */
export function mergeRuns(earlier: TermRun, later: TermRun): TermRun {
  const words: string[] = [];
  const starts = new Uint32Array(earlier.words.length + later.words.length + 1);
  const places = new Uint32Array(earlier.places.length + later.places.length);
  let [a, b, length] = [0, 0, 0];
  const take = (from: TermRun, at: number) => {
    const own = from.places.subarray(from.starts[at], from.starts[at + 1]);
    places.set(own, length);
    length += own.length;
  };
  while (a < earlier.words.length || b < later.words.length) {
    const [left, right] = [earlier.words[a], later.words[b]];
    const isLeft = right === undefined || (left !== undefined && left <= right);
    const isRight = left === undefined || (right !== undefined && right <= left);
    words.push(isLeft ? left! : right!);
    if (isLeft) take(earlier, a++);
    if (isRight) take(later, b++);
    starts[words.length] = length;
  }
  return new TermRun(words, starts.slice(0, words.length + 1), places);
}

/** Collects words and their occurrences and packs them. Slots must be ascending. */
export class TermGatherer {
  readonly #numbers = new Map<string, number>();
  #words = new Uint32Array(64);
  #places = new Uint32Array(64);
  #length = 0;

  add(word: string, place: number): void {
    let number = this.#numbers.get(word);
    if (number === undefined) {
      number = this.#numbers.size;
      this.#numbers.set(word, number);
    }
    if (this.#length === this.#words.length) {
      this.#words = grown(this.#words, this.#length * 2);
      this.#places = grown(this.#places, this.#length * 2);
    }
    this.#words[this.#length] = number;
    this.#places[this.#length++] = place;
  }

  pack(): TermRun {
    const words = [...this.#numbers.keys()].sort();
    const ranks = new Uint32Array(words.length);
    for (let rank = 0; rank < words.length; rank++) ranks[this.#numbers.get(words[rank]!)!] = rank;
    const starts = new Uint32Array(words.length + 1);
    for (let at = 0; at < this.#length; at++) starts[ranks[this.#words[at]!]! + 1]!++;
    for (let rank = 0; rank < words.length; rank++) starts[rank + 1]! += starts[rank]!;
    const next = starts.slice();
    const places = new Uint32Array(this.#length);
    for (let at = 0; at < this.#length; at++) places[next[ranks[this.#words[at]!]!]!++] = this.#places[at]!;
    return new TermRun(words, starts, places);
  }
}
