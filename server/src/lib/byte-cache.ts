// A cache that is bounded by bytes and evicts the oldest entries first. Anonymous callers choose many of the keys, so
// entries with a long key are not stored, and no single value may take more than a quarter of the space.

export interface CacheBounds {
  bytes: number;
  /** In characters. */
  longestKey: number;
}

/** The approximate overhead of an entry besides its key and value. */
const entryBytes = 150;

export class ByteCache<V> {
  readonly #bounds: CacheBounds;
  readonly #entries = new Map<string, { value: V; bytes: number }>();
  #bytes = 0;

  constructor(bounds: CacheBounds) {
    this.#bounds = bounds;
  }

  get size(): number {
    return this.#entries.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(key: string): V | undefined {
    return this.#entries.get(key)?.value;
  }

  /** `valueBytes` is the memory that only this value holds. */
  set(key: string, value: V, valueBytes: number): void {
    this.delete(key);
    const bytes = entryBytes + 2 * key.length + valueBytes;
    if (key.length > this.#bounds.longestKey || bytes > this.#bounds.bytes / 4) return;
    this.#entries.set(key, { value, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#bounds.bytes) return;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0;
    this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
    this.#bytes = 0;
  }
}
