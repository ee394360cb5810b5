// Users, organizations or public collections in memory, by the words of their names. As in the index of projects, a change
// takes a new slot and the old one is dead; the index is loaded again when too many are dead (named.ts).
import { Bits } from "./bits.js";
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

interface Slot {
  id: string;
  keys: readonly string[];
  order: number;
}

/** With fewer dead slots, loading again is not worth the work. */
const fewDead = 1000;
/** One field is enough: every match of a word counts the same. */
const field = 1;
/** How well the text fits comes before the order. */
const perFit = 2 ** 44;
/** Objects, maps and the occurrences of words for each slot, besides the characters of its names: an estimate. */
const slotBytes = 220;

export class NamedIndex {
  readonly #terms = new Terms();
  readonly #slots: Slot[] = [];
  readonly #slotsById = new Map<string, number>();
  #characters = 0;

  get size(): number {
    return this.#slotsById.size;
  }

  get isMostlyDead(): boolean {
    return this.#slots.length - this.size > Math.max(fewDead, this.size / 4);
  }

  get bytes(): number {
    return slotBytes * this.#slots.length + 3 * this.#characters;
  }

  put({ id, name, alias, order }: NamedEntry): void {
    const names = alias === null ? [name] : [name, alias];
    const keys = [...new Set(names.map(toKey))];
    const words = new Map<string, number>();
    // A whole name counts as a word, so that "mothkeeper" finds "Moth_Keeper".
    for (const each of names)
      for (const word of [...toNameWords(each), ...toIndexedWords(toKey(each))]) words.set(word, field);
    const slot = this.#slots.push({ id, keys, order }) - 1;
    this.#slotsById.set(id, slot);
    this.#terms.add(slot, words);
    for (const key of keys) this.#characters += key.length;
  }

  /** Packs the collected words after many insertions. */
  pack(): void {
    this.#terms.pack();
  }

  remove(id: string): void {
    this.#slotsById.delete(id);
  }

  count(text: string): number {
    return this.#match(text).length;
  }

  /** Names that are the text come first, then names that begin with it, then the others. */
  list(text: string, { limit, offset }: { limit: number; offset: number }): string[] {
    const found = this.#match(text);
    const key = toKey(text);
    const ranks = Float64Array.from(found, ({ keys, order }) => fitOf(keys, key) * perFit + order);
    // Only those that reach into the page are sorted by their names.
    const last = ranks.toSorted()[Math.min(offset + limit, ranks.length) - 1];
    if (last === undefined) return [];
    return found
      .map((slot, at) => ({ slot, rank: ranks[at]! }))
      .filter(({ rank }) => rank <= last)
      .sort((a, b) => a.rank - b.rank || compare(a.slot, b.slot))
      .slice(offset, offset + limit)
      .map(({ slot }) => slot.id);
  }

  /** Every word of the text must be a word of the name or its beginning. */
  #match(text: string): Slot[] {
    let found: Bits | undefined;
    for (const { text: word, isPiece } of toQueryWords(text)) {
      const having = new Bits(this.#slots.length);
      for (const { places, start, end } of [
        ...this.#terms.exactly(word),
        ...(isPiece ? [] : this.#terms.beginningWith(word)),
      ])
        for (let at = start; at < end; at++) having.add(slotOf(places[at]!));
      found = found?.and(having) ?? having;
    }
    if (!found) return [];
    const slots = this.#slots;
    return Array.from(found.list(), (slot) => slots[slot]!).filter(this.#isLive);
  }

  #isLive = (slot: Slot): boolean => this.#slots[this.#slotsById.get(slot.id) ?? -1] === slot;
}

const fitOf = (keys: readonly string[], key: string): number =>
  keys.includes(key) ? 0 : keys.some((each) => each.startsWith(key)) ? 1 : 2;

const compare = (a: Slot, b: Slot): number =>
  a.keys[0]! === b.keys[0]! ? (a.id < b.id ? -1 : 1) : a.keys[0]! < b.keys[0]! ? -1 : 1;
