// Words and their occurrences, packed: the bytes of all sorted words one after the other, and their occurrences in the same
// order (packed-numbers.ts). All words with the same beginning form one range, and a hundred thousand projects take a few
// megabytes.

import { ones } from "./bits.js";
import { countEdits } from "./edits.js";
import { PackedNumbers, spaceFor, unpackNumbers } from "./packed-numbers.js";
import { grown } from "./slot-set.js";

/** Occurrences of one or several words. An occurrence is a slot and some fields (terms.ts). */
export interface Run {
  /** At least as many as it has. */
  most: number;
  /** The occurrences of each word in ascending order. Valid until the next run is unpacked. */
  unpack(): Uint32Array;
  /** The same, packed (packed-numbers.ts): those of the words from `from` to `to`, each of which begins at its place. */
  packed: { bytes: Uint8Array; starts: Uint32Array; from: number; to: number };
}

/** A word within a few typing errors. */
export interface NearRun extends Run {
  slips: number;
  /** The word that was found. */
  text: string;
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

export interface StoredTerms {
  text: Uint8Array;
  wordsAt: Uint32Array;
  places: Uint8Array;
  placesAt: Uint32Array;
}

export const onlyLetters = /^[\p{L}\p{M}]+$/u;
/** In the order of their bytes these come after all other letters, in the order of strings they do not. */
const pairs = /[\ud800-\udfff]/;

export class TermRun {
  /** The words in the order of their bytes (UTF-8), one after the other. */
  readonly #text: Buffer;
  /** Where each word begins, plus one entry for the end. */
  readonly #wordsAt: Uint32Array;
  readonly #places: Uint8Array;
  /** Where the occurrences of each word begin, plus one entry for the end. */
  readonly #placesAt: Uint32Array;
  #buckets: Map<number, Bucket> | undefined;

  constructor(text: Buffer, wordsAt: Uint32Array, places: Uint8Array, placesAt: Uint32Array) {
    this.#text = text;
    this.#wordsAt = wordsAt;
    this.#places = places;
    this.#placesAt = placesAt;
  }

  /** In the form in which it is stored. */
  store(): StoredTerms {
    const { buffer, byteOffset, length } = this.#text;
    const text = new Uint8Array(buffer, byteOffset, length);
    return { text, wordsAt: this.#wordsAt, places: this.#places, placesAt: this.#placesAt };
  }

  static restore = ({ text, wordsAt, places, placesAt }: StoredTerms): TermRun =>
    new TermRun(Buffer.from(text.buffer, text.byteOffset, text.length), wordsAt, places, placesAt);

  static empty = (): TermRun => new TermRun(Buffer.alloc(0), new Uint32Array(1), new Uint8Array(0), new Uint32Array(1));

  /** The number of words. */
  get size(): number {
    return this.#wordsAt.length - 1;
  }

  /** The bytes of the word with this number; undefined after the last one. */
  bytesOf = (word: number): Buffer | undefined =>
    word < this.size ? this.#text.subarray(this.#wordsAt[word], this.#wordsAt[word + 1]) : undefined;

  /** The occurrences of the word with this number. Valid until the next ones are unpacked. */
  placesOf = (word: number): Uint32Array => this.#run(word, word + 1).unpack();

  /** Memory that it takes. */
  get bytes(): number {
    let near = 0;
    for (const { words } of this.#buckets?.values() ?? []) near += 2 * words.byteLength;
    const packed = this.#text.byteLength + this.#places.byteLength;
    return packed + this.#wordsAt.byteLength + this.#placesAt.byteLength + near;
  }

  exactly(word: string): Run | undefined {
    const bytes = Buffer.from(word);
    const at = this.#firstFrom(bytes);
    return this.#isAt(at, bytes) ? this.#run(at, at + 1) : undefined;
  }

  /** The occurrences of longer words that begin with this. */
  beginningWith(start: string): Run | undefined {
    const bytes = Buffer.from(start);
    let from = this.#firstFrom(bytes);
    if (this.#isAt(from, bytes)) from++;
    // No word contains this byte.
    const to = this.#firstFrom(Buffer.concat([bytes, lastByte]));
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
        const text = this.#wordAt(words[at]!);
        const slips = countEdits(word, text, mostSlips);
        if (slips) yield { ...this.#run(words[at]!, words[at]! + 1), slips, text };
      }
    }
  }

  /** The words that more projects than this have, the most common first. */
  commonerThan(projects: number): string[] {
    const found: { word: number; count: number }[] = [];
    for (let word = 0; word < this.size; word++) {
      // Each occurrence takes at least a byte.
      if (this.#placesAt[word + 1]! - this.#placesAt[word]! <= projects) continue;
      const count = this.placesOf(word).length;
      if (count > projects) found.push({ word, count });
    }
    return found.sort((a, b) => b.count - a.count).map(({ word }) => this.#wordAt(word));
  }

  /** This and a later one together. All slots of `later` are above those of this one. */
  merged(later: TermRun): TermRun {
    const text = Buffer.allocUnsafeSlow(this.#text.length + later.#text.length);
    const most = this.size + later.size + 1;
    const [wordsAt, placesAt] = [new Uint32Array(most), new Uint32Array(most)];
    // A number takes at most a byte more when it follows another list than by itself.
    const places = new PackedNumbers(this.#places.length + later.#places.length);
    let [count, textEnd, next] = [0, 0, 0];
    /** Copies all words up to this one. */
    const copy = (until: number) => {
      const [from, placesFrom] = [this.#wordsAt[next]!, this.#placesAt[next]!];
      const [moved, placesMoved] = [textEnd - from, places.length - placesFrom];
      for (; next < until; next++) {
        wordsAt[count] = this.#wordsAt[next]! + moved;
        placesAt[count++] = this.#placesAt[next]! + placesMoved;
      }
      textEnd += this.#text.copy(text, textEnd, from, this.#wordsAt[until]!);
      places.append(this.#places.subarray(placesFrom, this.#placesAt[until]));
    };
    for (let word = 0; word < later.size; word++) {
      const bytes = later.bytesOf(word)!;
      const at = this.#firstFrom(bytes, next);
      copy(at);
      wordsAt[count] = textEnd;
      placesAt[count++] = places.length;
      textEnd += bytes.copy(text, textEnd);
      const packed = later.#places.subarray(later.#placesAt[word], later.#placesAt[word + 1]);
      if (this.#isAt(at, bytes)) {
        for (const place of this.placesOf(at)) places.add(place);
        for (const place of later.placesOf(word)) places.add(place);
        places.restart();
        next = at + 1;
      } else places.append(packed);
    }
    copy(this.size);
    wordsAt[count] = textEnd;
    placesAt[count] = places.length;
    places.trim();
    const exact = textEnd === text.length ? text : Buffer.from(text.subarray(0, textEnd));
    return new TermRun(exact, wordsAt.slice(0, count + 1), places.content, placesAt.slice(0, count + 1));
  }

  #wordAt(word: number): string {
    return this.#text.toString("utf8", this.#wordsAt[word], this.#wordsAt[word + 1]);
  }

  #run(from: number, to: number): Run {
    const most = this.#placesAt[to]! - this.#placesAt[from]!;
    return {
      most,
      packed: { bytes: this.#places, starts: this.#placesAt, from, to },
      unpack: () => {
        const into = spaceFor(most);
        let length = 0;
        for (let word = from; word < to; word++)
          length = unpackNumbers(this.#places, this.#placesAt[word]!, this.#placesAt[word + 1]!, into, length);
        return into.subarray(0, length);
      },
    };
  }

  #sortByLength(): Map<number, Bucket> {
    const numbers = new Map<number, number[]>();
    for (let at = 0; at < this.size; at++) {
      const word = this.#wordAt(at);
      if (word.length < 2 || !onlyLetters.test(word)) continue;
      const list = numbers.get(word.length);
      if (list) list.push(at);
      else numbers.set(word.length, [at]);
    }
    const toBucket = (list: number[]): Bucket => ({
      words: Uint32Array.from(list),
      prints: Uint32Array.from(list, (at) => printOf(this.#wordAt(at))),
    });
    return new Map([...numbers].map(([length, list]) => [length, toBucket(list)]));
  }

  #isAt(word: number, bytes: Uint8Array): boolean {
    return word < this.size && this.#compare(word, bytes) === 0;
  }

  /** Below 0 if the word comes before these bytes, 0 if it has the same. */
  #compare(word: number, bytes: Uint8Array): number {
    const [text, start] = [this.#text, this.#wordsAt[word]!];
    const length = this.#wordsAt[word + 1]! - start;
    const shared = Math.min(length, bytes.length);
    for (let at = 0; at < shared; at++) {
      const difference = text[start + at]! - bytes[at]!;
      if (difference !== 0) return difference;
    }
    return length - bytes.length;
  }

  /** The number of the first word that does not come before these bytes. */
  #firstFrom(bytes: Uint8Array, from = 0): number {
    let [low, high] = [from, this.size];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compare(middle, bytes) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

const lastByte = Buffer.from([0xff]);

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
    if (words.some((word) => pairs.test(word))) words.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    const ranks = new Uint32Array(words.length);
    for (let rank = 0; rank < words.length; rank++) ranks[this.#numbers.get(words[rank]!)!] = rank;
    const starts = new Uint32Array(words.length + 1);
    for (let at = 0; at < this.#length; at++) starts[ranks[this.#words[at]!]! + 1]!++;
    for (let rank = 0; rank < words.length; rank++) starts[rank + 1]! += starts[rank]!;
    const next = starts.slice();
    const places = new Uint32Array(this.#length);
    for (let at = 0; at < this.#length; at++) places[next[ranks[this.#words[at]!]!]!++] = this.#places[at]!;
    return packed(words, starts, places);
  }
}

function packed(words: readonly string[], starts: Uint32Array, places: Uint32Array): TermRun {
  const [wordsAt, placesAt] = [new Uint32Array(words.length + 1), new Uint32Array(words.length + 1)];
  const list = new PackedNumbers(2 * places.length);
  for (let word = 0; word < words.length; word++) {
    wordsAt[word + 1] = wordsAt[word]! + Buffer.byteLength(words[word]!);
    for (let at = starts[word]!; at < starts[word + 1]!; at++) list.add(places[at]!);
    list.restart();
    placesAt[word + 1] = list.length;
  }
  list.trim();
  return new TermRun(Buffer.from(words.join("")), wordsAt, list.content, placesAt);
}
