// The index in memory: every listed project in its own slot, by words, facets and figures. The entry in a slot never
// changes: an update uses a new slot, and the old one is dead. So all sets only grow, and the index is rebuilt when too
// many slots are dead (live-index.ts).

import { Bits, QueryBits } from "./bits.js";
import type { DescribedWords } from "./described.js";
import type { Figures, SearchEntry } from "./entry.js";
import { FacetMemory } from "./facet-memory.js";
import { Facets, type StoredFacets } from "./facets.js";
import { Orders } from "./orders.js";
import { QueryScores } from "./query-scores.js";
import { SlotIds, type StoredIds } from "./slot-ids.js";
import { grown } from "./slot-set.js";
import type { StoredTerms } from "./term-run.js";
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

/** In the form in which it is stored: everything but figures and the sets of words in descriptions. */
export interface StoredIndex {
  ids: StoredIds;
  terms: StoredTerms;
  names: StoredTerms;
  facets: StoredFacets;
  nameLengths: Uint8Array<ArrayBuffer>;
  slotsByDoc: Uint32Array<ArrayBuffer>;
  live: Uint32Array;
}

/** With fewer dead slots a rebuild is not worth the work. */
const fewDead = 1000;

/** The last number that was given: no two indexes of a process ever have the same edition. */
let editions = 0;

export class SearchIndex {
  /** Another number after every change. */
  edition = ++editions;
  readonly ids: SlotIds;
  readonly terms: Terms;
  /** Names and slugs as one word each. */
  readonly names: Terms;
  readonly facets: Facets;
  readonly facetCounts = new FacetMemory();
  readonly texts = new TextSets();
  /** Finds the words in descriptions, if there is a file of them; otherwise the database does. */
  described: DescribedWords | undefined;
  readonly orders: Orders;
  /** Lengths of names as one word; never 0. */
  nameLengths = new Uint8Array(64);
  /** Plus one; 0 if the document has no slot. */
  #slotsByDoc = new Uint32Array(64);
  #size = 0;
  #live = new Bits(2048);
  readonly bits = new QueryBits();
  readonly #scores: QueryScores[] = [];

  /** The figures of a stored index must be set afterwards. */
  constructor(stored?: StoredIndex) {
    this.ids = new SlotIds(stored?.ids);
    this.terms = new Terms(stored?.terms);
    this.names = new Terms(stored?.names);
    this.facets = new Facets(stored?.facets);
    if (stored) {
      this.nameLengths = stored.nameLengths;
      this.#slotsByDoc = stored.slotsByDoc;
      this.#live = new Bits(32 * stored.live.length);
      this.#live.orWords(stored.live);
      this.#size = this.#live.count();
    }
    this.orders = new Orders(this.ids, (slot) => this.#live.has(slot));
    if (stored) for (const slot of this.#live.list()) this.orders.touch(slot);
  }

  /** The number of slots, including dead ones. */
  get slots(): number {
    return this.ids.length;
  }

  get size(): number {
    return this.#size;
  }

  /** Memory that it takes, without the sets of words in descriptions (texts). Adds up all of its parts. */
  countBytes(): number {
    const scores = this.#scores.reduce((sum, { values }) => sum + values.byteLength, 0);
    const arrays =
      this.nameLengths.byteLength +
      this.#live.words.byteLength +
      this.#slotsByDoc.byteLength +
      scores +
      this.facetCounts.bytes +
      this.bits.bytes;
    return this.ids.bytes + this.terms.bytes + this.names.bytes + this.facets.bytes + this.orders.bytes + arrays;
  }

  get isMostlyDead(): boolean {
    return this.slots - this.size > Math.max(fewDead, this.size / 4);
  }

  /** Whether there are slots that are not live. */
  get hasDead(): boolean {
    return this.size < this.slots;
  }

  /** All live slots. The caller must not change it. */
  get live(): Bits {
    return this.#live;
  }

  findSlot(id: string): number | undefined {
    const slot = this.ids.find(id);
    return slot !== undefined && this.#live.has(slot) ? slot : undefined;
  }

  slotOfDoc(doc: number): number {
    return (this.#slotsByDoc[doc] ?? 0) - 1;
  }

  listIds(): string[] {
    return Array.from(this.#live.list(), (slot) => this.ids.at(slot));
  }

  /** Puts a project into a new slot, which is returned. */
  put({ doc, id, entry, figures }: IndexedProject): number {
    this.remove(doc, id);
    const slot = this.ids.push(id);
    if (doc >= this.#slotsByDoc.length) this.#slotsByDoc = grown(this.#slotsByDoc, Math.ceil(doc * 1.25) + 1);
    this.#slotsByDoc[doc] = slot + 1;
    if (slot >= this.#live.words.length * 32) this.#live = new Bits(2 * slot).or(this.#live);
    this.#live.add(slot);
    this.#size++;
    this.#forgetResults();
    this.#putName(slot, entry);
    this.terms.add(slot, wordsOf(entry));
    this.facets.add(slot, entry);
    this.orders.set(slot, figures);
    return slot;
  }

  /** It must be packed. */
  store(): StoredIndex {
    return {
      ...{ ids: this.ids.store(), terms: this.terms.store(), names: this.names.store(), facets: this.facets.store() },
      ...{ nameLengths: this.nameLengths, slotsByDoc: this.#slotsByDoc, live: this.#live.words },
    };
  }

  /** Packs everything after many insertions. */
  pack(): void {
    this.terms.pack();
    this.names.pack();
    this.facets.trim();
  }

  remove(doc: number, id: string): void {
    const slot = this.findSlot(id);
    if (slot === undefined) return;
    if (doc < this.#slotsByDoc.length) this.#slotsByDoc[doc] = 0;
    this.#live.delete(slot);
    this.#size--;
    this.#forgetResults();
    this.orders.touch(slot);
  }

  setFigures(id: string, figures: Figures): void {
    const slot = this.findSlot(id);
    if (slot === undefined) return;
    this.edition = ++editions;
    this.orders.change(slot, figures);
  }

  setDownloads(id: string, downloads: number): void {
    const slot = this.findSlot(id);
    if (slot === undefined) return;
    this.edition = ++editions;
    this.orders.setDownloads(slot, downloads);
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

  #forgetResults(): void {
    this.edition = ++editions;
    this.facetCounts.forget();
  }

  #putName(slot: number, { name, slug }: SearchEntry): void {
    const [nameKey, slugKey] = [toKey(name), toKey(slug)];
    const keys = new Map<string, number>([[slugKey, fields.slug]]);
    keys.set(nameKey, (keys.get(nameKey) ?? 0) | fields.name);
    this.names.add(slot, keys);
    if (slot >= this.nameLengths.length) this.nameLengths = grown(this.nameLengths, Math.ceil(slot * 1.25));
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
