// The projects that have a word in their description, for recently searched words. The full text is in the database
// (full-text.ts), because it is too large for memory. Results are cached as sets, so that counting, filtering and
// ranking of common words cost the same on both databases.
import type { CacheFigures } from "#platform/changes/cache.js";
import type { SlotSet } from "./slot-set.js";

/** For the words that were used last. Most words are rare, so that tens of thousands of them fit. */
const mostBytes = 16 * 1024 * 1024;
/** For common words. */
const mostCommonBytes = 12 * 1024 * 1024;

export class TextSets {
  readonly #sets = new Map<string, SlotSet>();
  /** Words that many projects have: these sets stay, because finding them takes longest. */
  readonly #common = new Map<string, SlotSet>();
  /** The sizes of both; those of the words that were used last are bounded. */
  #bytes = 0;
  #commonBytes = 0;
  #hits = 0;
  #misses = 0;
  /** Changes whenever a description may have changed: results of earlier look-ups are not cached. */
  #edition = 0;

  /** Changes after everything was dropped, including the common words. */
  generation = 0;

  get isEmpty(): boolean {
    return this.#sets.size + this.#common.size === 0;
  }

  figures(): CacheFigures {
    return {
      ...{ name: "searchWords", bytes: this.#bytes + this.#commonBytes, limit: mostBytes + mostCommonBytes },
      ...{ entries: this.#sets.size + this.#common.size, hits: this.#hits, misses: this.#misses },
    };
  }

  /** Finds the projects that have this common word, and caches them permanently. Returns false if there is no room. */
  async keepCommon(word: string, find: (missing: string[]) => Promise<Map<string, SlotSet>>): Promise<boolean> {
    const edition = this.#edition;
    const set = (await find([word])).get(word);
    if (!set || edition !== this.#edition) return true;
    const bytes = this.#commonBytes + set.bytes - (this.#common.get(word)?.bytes ?? 0);
    if (bytes > mostCommonBytes) return false;
    this.#drop(word);
    this.#commonBytes = bytes;
    this.#common.set(word, set);
    return true;
  }

  /** A set for each word, the missing ones found together. */
  async getAll(
    words: readonly string[],
    find: (missing: string[]) => Promise<Map<string, SlotSet>>,
  ): Promise<Map<string, SlotSet>> {
    const sets = new Map<string, SlotSet>();
    const missing: string[] = [];
    for (const word of words) {
      const [common, set] = [this.#common.get(word), this.#sets.get(word)];
      if (common) sets.set(word, common);
      else if (set) {
        sets.set(word, set);
        // The most recently used word is evicted last.
        this.#sets.delete(word);
        this.#sets.set(word, set);
      } else missing.push(word);
    }
    this.#hits += words.length - missing.length;
    this.#misses += missing.length;
    if (missing.length === 0) return sets;
    const edition = this.#edition;
    for (const [word, set] of await find(missing)) {
      sets.set(word, set);
      if (edition === this.#edition) this.#keep(word, set);
    }
    return sets;
  }

  /** A project was added in this slot. */
  add(slot: number, words: ReadonlySet<string>): void {
    this.#edition++;
    this.#bytes += addTo(this.#sets, slot, words);
    this.#commonBytes += addTo(this.#common, slot, words);
  }

  forget(): void {
    this.#edition++;
    this.generation++;
    this.#sets.clear();
    this.#common.clear();
    this.#bytes = 0;
    this.#commonBytes = 0;
  }

  #keep(word: string, set: SlotSet): void {
    this.#drop(word);
    this.#sets.set(word, set);
    this.#bytes += set.bytes;
    for (const oldest of this.#sets.keys()) {
      if (this.#bytes <= mostBytes) return;
      this.#drop(oldest);
    }
  }

  #drop(word: string): void {
    this.#bytes -= this.#sets.get(word)?.bytes ?? 0;
    this.#sets.delete(word);
  }
}

/** Returns the bytes by which the sets have grown. */
function addTo(sets: ReadonlyMap<string, SlotSet>, slot: number, words: ReadonlySet<string>): number {
  let bytes = 0;
  for (const word of words) {
    const set = sets.get(word);
    if (!set) continue;
    bytes -= set.bytes;
    set.add(slot);
    bytes += set.bytes;
  }
  return bytes;
}
