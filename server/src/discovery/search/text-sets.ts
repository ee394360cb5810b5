// The projects that have a word in their description, for recently searched words. The full text is in the database
// (full-text.ts), because it is too large for memory. Results are cached as sets, so that counting, filtering and
// ranking of common words cost the same on both databases.
import type { SlotSet } from "./slot-set.js";

const keptWords = 2000;

export class TextSets {
  readonly #sets = new Map<string, SlotSet>();
  /** Words that many projects have: these sets stay, because finding them takes longest. */
  readonly #common = new Map<string, SlotSet>();
  /** Changes whenever a description may have changed: results of earlier look-ups are not cached. */
  #edition = 0;

  /** Another one after everything was forgotten, the common words too. */
  generation = 0;

  get isEmpty(): boolean {
    return this.#sets.size + this.#common.size === 0;
  }

  /** Finds the projects that have this common word, and caches them permanently. */
  async keepCommon(word: string, find: (missing: string[]) => Promise<Map<string, SlotSet>>): Promise<void> {
    const edition = this.#edition;
    const set = (await find([word])).get(word);
    if (!set || edition !== this.#edition) return;
    this.#sets.delete(word);
    this.#common.set(word, set);
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
      else if (set) sets.set(word, this.#renew(word, set));
      else missing.push(word);
    }
    if (missing.length === 0) return sets;
    const edition = this.#edition;
    for (const [word, set] of await find(missing)) {
      sets.set(word, set);
      if (edition === this.#edition) this.#renew(word, set);
    }
    return sets;
  }

  /** A project came to this slot. */
  add(slot: number, words: ReadonlySet<string>): void {
    this.#edition++;
    for (const sets of [this.#sets, this.#common]) for (const [word, set] of sets) if (words.has(word)) set.add(slot);
  }

  forget(): void {
    this.#edition++;
    this.generation++;
    this.#sets.clear();
    this.#common.clear();
  }

  /** The last one used is the last to go. */
  #renew(word: string, set: SlotSet): SlotSet {
    this.#sets.delete(word);
    if (this.#sets.size >= keptWords) this.#sets.delete(this.#sets.keys().next().value!);
    this.#sets.set(word, set);
    return set;
  }
}
