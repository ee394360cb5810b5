// The counts of facets for the choices of filters that were used last. Counting is the most expensive part of a query, and
// most lists are opened with the same few filters.

/** Number of projects by the parameter of a filter and its value. */
export type FacetCounts = Record<"type" | "l" | "v" | "ch" | "c" | "e" | "li" | "d", Record<string, number>>;

const mostChoices = 200;
/** An estimate for a choice with all its counts. */
const choiceBytes = 6000;

export class FacetMemory {
  readonly #counts = new Map<string, FacetCounts>();

  get bytes(): number {
    return choiceBytes * this.#counts.size;
  }

  get(key: string): FacetCounts | undefined {
    const known = this.#counts.get(key);
    if (!known) return undefined;
    // The choice that was used last is dropped last.
    this.#counts.delete(key);
    this.#counts.set(key, known);
    return known;
  }

  /** Returns the counts. */
  keep(key: string, counts: FacetCounts): FacetCounts {
    this.#counts.set(key, counts);
    for (const oldest of this.#counts.keys()) {
      if (this.#counts.size <= mostChoices) break;
      this.#counts.delete(oldest);
    }
    return counts;
  }

  /** A project has changed. */
  forget(): void {
    this.#counts.clear();
  }
}
