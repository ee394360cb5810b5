// Users, organizations or public collections in memory, by the words of their names. As in the index of projects, a change
// takes a new slot and the old one is dead; the index is loaded again when too many are dead (named.ts).
import { Bits } from "./bits.js";
import { SlotIds } from "./slot-ids.js";
import { grown } from "./slot-set.js";
import { slotOf, Terms } from "./terms.js";
import { toIndexedWords, toKey, toNameWords, toQueryWords } from "./words.js";

export interface NamedEntry {
  id: string;
  name: string;
  /** Another name: the slug or the display name. */
  alias: string | null;
  /** The place among equally good matches: lower numbers first, then by name. Below 2^44. */
  order: number;
}

/** With fewer dead slots, loading again is not worth the work. */
const fewDead = 1000;
/** One field is enough: every match of a word counts the same. */
const field = 1;
/** How well the text fits comes before the order. */
const perFit = 2 ** 44;
/** Between the keys of a slot. No key contains it. */
const separator = "\n";

export class NamedIndex {
  readonly #terms = new Terms();
  readonly #ids = new SlotIds();
  #live = new Bits(64);
  #size = 0;
  /** By slot. */
  #orders = new Float64Array(64);
  /** The names of each slot as one word each, one slot after the other, and where they end. */
  #keys = Buffer.alloc(1024);
  #keysEnd = new Uint32Array(64);

  get size(): number {
    return this.#size;
  }

  get isMostlyDead(): boolean {
    return this.#ids.length - this.size > Math.max(fewDead, this.size / 4);
  }

  get bytes(): number {
    const { byteLength } = this.#live.words;
    const arrays = byteLength + this.#orders.byteLength + this.#keys.byteLength + this.#keysEnd.byteLength;
    return this.#terms.bytes + this.#ids.bytes + arrays;
  }

  put({ id, name, alias, order }: NamedEntry): void {
    this.remove(id);
    const names = alias === null ? [name] : [name, alias];
    const words = new Map<string, number>();
    // A whole name counts as a word, so that "mothkeeper" finds "Moth_Keeper".
    for (const each of names)
      for (const word of [...toNameWords(each), ...toIndexedWords(toKey(each))]) words.set(word, field);
    const slot = this.#ids.push(id);
    this.#terms.add(slot, words);
    this.#store(slot, order, [...new Set(names.map(toKey))].join(separator));
    this.#live.add(slot);
    this.#size++;
  }

  /** Packs the collected words after many insertions. */
  pack(): void {
    this.#terms.pack();
  }

  remove(id: string): void {
    const slot = this.#ids.find(id);
    if (slot === undefined || !this.#live.has(slot)) return;
    this.#live.delete(slot);
    this.#size--;
  }

  count(text: string): number {
    return this.#match(text)?.count() ?? 0;
  }

  /** Names that are the text come first, then names that begin with it, then the others. */
  list(text: string, { limit, offset }: { limit: number; offset: number }): string[] {
    const found = this.#match(text)?.list() ?? new Uint32Array(0);
    const key = toKey(text);
    const ranks = Float64Array.from(found, (slot) => fitOf(this.#keysOf(slot), key) * perFit + this.#orders[slot]!);
    // Only those that reach into the page are sorted by their names.
    const last = ranks.toSorted()[Math.min(offset + limit, ranks.length) - 1];
    if (last === undefined) return [];
    return Array.from(found, (slot, at) => ({ slot, rank: ranks[at]! }))
      .filter(({ rank }) => rank <= last)
      .map(({ slot, rank }) => ({ rank, id: this.#ids.at(slot), name: this.#keysOf(slot)[0]! }))
      .sort((a, b) => a.rank - b.rank || compare(a.name, b.name) || compare(a.id, b.id))
      .slice(offset, offset + limit)
      .map(({ id }) => id);
  }

  /** Every word of the text must be a word of the name or its beginning. Undefined for a text without words. */
  #match(text: string): Bits | undefined {
    let found: Bits | undefined;
    for (const { text: word, isPiece } of toQueryWords(text)) {
      const having = new Bits(this.#ids.length);
      for (const run of [...this.#terms.exactly(word), ...(isPiece ? [] : this.#terms.beginningWith(word))])
        for (const place of run.unpack()) having.add(slotOf(place));
      found = found?.and(having) ?? having;
    }
    return found?.and(this.#live);
  }

  #store(slot: number, order: number, keys: string): void {
    if (slot >= this.#orders.length) {
      const length = Math.ceil(slot * 1.25) + 1;
      this.#orders = grown(this.#orders, length);
      this.#keysEnd = grown(this.#keysEnd, length);
    }
    if (slot >= this.#live.words.length * 32) this.#live = new Bits(2 * slot).or(this.#live);
    this.#orders[slot] = order;
    const start = this.#startOf(slot);
    const end = start + Buffer.byteLength(keys);
    if (end > this.#keys.length) this.#keys = Buffer.concat([this.#keys], Math.ceil(end * 1.25));
    this.#keys.write(keys, start);
    this.#keysEnd[slot] = end;
  }

  #startOf(slot: number): number {
    return slot === 0 ? 0 : this.#keysEnd[slot - 1]!;
  }

  #keysOf(slot: number): string[] {
    return this.#keys.toString("utf8", this.#startOf(slot), this.#keysEnd[slot]).split(separator);
  }
}

const fitOf = (keys: readonly string[], key: string): number =>
  keys.includes(key) ? 0 : keys.some((each) => each.startsWith(key)) ? 1 : 2;

const compare = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);
