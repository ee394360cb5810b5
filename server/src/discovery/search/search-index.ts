// The index in memory: every listed project in its own slot, by words, facets and figures. The entry in a slot never
// changes: an update uses a new slot, and the old one is dead. So all sets only grow, and the index is rebuilt when too
// many slots are dead (live-index.ts).

import { Bits, QueryBits } from "./bits.js";
import type { Figures, SearchEntry } from "./entry.js";
import { Facets } from "./facets.js";
import { Orders } from "./orders.js";
import { QueryScores } from "./query-scores.js";
import { grown } from "./slot-set.js";
import { fields, Terms } from "./terms.js";
import { TextSets } from "./text-sets.js";
import { toIndexedWords, toKey, toNameWords } from "./words.js";

export interface IndexedProject {
  /** The number of its row in the full text. */
  doc: number;
  id: string;
  entry: SearchEntry;
  figures: Figures;
}

/** With fewer dead slots a rebuild is not worth the work. */
const fewDead = 1000;
const none = -1;
/** An id, and its places in the list and in the map of ids. */
const idBytes = 80;

export class SearchIndex {
  readonly ids: string[] = [];
  readonly terms = new Terms();
  /** Names and slugs as one word each. */
  readonly names = new Terms();
  readonly facets = new Facets();
  readonly texts = new TextSets();
  readonly orders: Orders;
  /** Lengths of names as one word; never 0. */
  nameLengths = new Uint8Array(64);
  readonly #slotsById = new Map<string, number>();
  readonly #slotsByDoc: number[] = [];
  #live = new Bits(2048);
  readonly bits = new QueryBits();
  readonly #scores: QueryScores[] = [];

  constructor() {
    this.orders = new Orders(this.ids, (slot) => this.#live.has(slot));
  }

  /** The number of slots, including dead ones. */
  get slots(): number {
    return this.ids.length;
  }

  get size(): number {
    return this.#slotsById.size;
  }

  /** Memory that it takes, without the sets of words in descriptions (texts). Adds up all of its parts. */
  countBytes(): number {
    const scores = this.#scores.reduce((sum, { values }) => sum + values.byteLength, 0);
    const arrays =
      this.nameLengths.byteLength +
      this.#live.words.byteLength +
      8 * this.#slotsByDoc.length +
      scores +
      this.bits.bytes;
    const parts = this.terms.bytes + this.names.bytes + this.facets.bytes + this.orders.bytes;
    return parts + arrays + idBytes * this.slots;
  }

  get isMostlyDead(): boolean {
    return this.slots - this.size > Math.max(fewDead, this.size / 4);
  }

  /** All live slots. The caller must not change it. */
  get live(): Bits {
    return this.#live;
  }

  findSlot(id: string): number | undefined {
    return this.#slotsById.get(id);
  }

  slotOfDoc(doc: number): number {
    return this.#slotsByDoc[doc] ?? none;
  }

  listIds(): string[] {
    return [...this.#slotsById.keys()];
  }

  /** Puts a project into a new slot, which is returned. */
  put({ doc, id, entry, figures }: IndexedProject): number {
    this.remove(doc, id);
    const slot = this.ids.push(id) - 1;
    this.#slotsById.set(id, slot);
    this.#slotsByDoc[doc] = slot;
    if (slot >= this.#live.words.length * 32) this.#live = new Bits(2 * slot).or(this.#live);
    this.#live.add(slot);
    this.#putName(slot, entry);
    this.terms.add(slot, wordsOf(entry));
    this.facets.add(slot, entry);
    this.orders.set(slot, figures);
    return slot;
  }

  /** Packs the collected words after many insertions. */
  pack(): void {
    this.terms.pack();
    this.names.pack();
  }

  remove(doc: number, id: string): void {
    const slot = this.#slotsById.get(id);
    if (slot === undefined) return;
    this.#slotsById.delete(id);
    this.#slotsByDoc[doc] = none;
    this.#live.delete(slot);
    this.orders.touch(slot);
  }

  setFigures(id: string, figures: Figures): void {
    const slot = this.#slotsById.get(id);
    if (slot !== undefined) this.orders.set(slot, figures);
  }

  setDownloads(id: string, downloads: number): void {
    const slot = this.#slotsById.get(id);
    if (slot !== undefined) this.orders.setDownloads(slot, downloads);
  }

  /** Zeros for every slot, of which a query needs several. Valid until the next query. */
  scores(index: number): QueryScores {
    let scores = this.#scores[index];
    if (!scores || scores.values.length < this.slots) {
      scores = new QueryScores(Math.ceil(this.slots * 1.25));
      this.#scores[index] = scores;
    } else scores.clear();
    return scores;
  }

  #putName(slot: number, { name, slug }: SearchEntry): void {
    const [nameKey, slugKey] = [toKey(name), toKey(slug)];
    const keys = new Map<string, number>([[slugKey, fields.slug]]);
    keys.set(nameKey, (keys.get(nameKey) ?? 0) | fields.name);
    this.names.add(slot, keys);
    if (slot >= this.nameLengths.length) this.nameLengths = grown(this.nameLengths, 2 * slot);
    this.nameLengths[slot] = Math.min(255, Math.max(1, nameKey.length));
  }
}

function wordsOf({ name, slug, author, summary }: SearchEntry): Map<string, number> {
  const found = new Map<string, number>();
  const add = (words: Iterable<string>, field: number) => {
    for (const word of words) found.set(word, (found.get(word) ?? 0) | field);
  };
  add(toNameWords(name), fields.name);
  add(toIndexedWords(slug), fields.slug);
  add(toIndexedWords(author), fields.author);
  add(toIndexedWords(summary), fields.summary);
  return found;
}
