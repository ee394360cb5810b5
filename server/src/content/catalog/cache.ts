// A bounded store of loaded entries, by id. A change that arrives while an entry is being loaded keeps the load's result
// out of the store: what is kept was read after the last change that this node has heard of.

/** No id looks like this. */
const everything = "*";

export class EntryCache<T> {
  readonly #entries = new Map<string, T>();
  readonly #loading = new Set<Set<string>>();
  readonly #maxEntries: number;

  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(id: string): T | undefined {
    return this.#entries.get(id);
  }

  values(): Iterable<T> {
    return this.#entries.values();
  }

  /** Entries for these ids, the missing ones loaded together. Ids that do not exist are left out. */
  async getAll(ids: readonly string[], load: (missing: string[]) => Promise<Map<string, T>>): Promise<Map<string, T>> {
    const found = new Map<string, T>();
    const missing: string[] = [];
    for (const id of ids) {
      const entry = this.#entries.get(id);
      if (entry === undefined) missing.push(id);
      else found.set(id, entry);
    }
    if (missing.length === 0) return found;
    const dropped = new Set<string>();
    this.#loading.add(dropped);
    try {
      for (const [id, entry] of await load(missing)) {
        found.set(id, entry);
        if (!dropped.has(id) && !dropped.has(everything)) this.#keep(id, entry);
      }
    } finally {
      this.#loading.delete(dropped);
    }
    return found;
  }

  drop(id: string): void {
    this.#entries.delete(id);
    for (const dropped of this.#loading) dropped.add(id);
  }

  dropAll(): void {
    this.#entries.clear();
    this.distrustLoads();
  }

  /** For news that names no entry: what is being loaded may hold the old state, and nobody can tell yet. */
  distrustLoads(): void {
    for (const dropped of this.#loading) dropped.add(everything);
  }

  /** Oldest first: hot entries come back with the next read, and a read costs little. */
  #keep(id: string, entry: T): void {
    if (this.#entries.size >= this.#maxEntries) this.#entries.delete(this.#entries.keys().next().value!);
    this.#entries.set(id, entry);
  }
}
