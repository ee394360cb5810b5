// A cache that is bounded by bytes. It evicts the oldest entries first, but passes over those that were used since.
// Anonymous callers choose many of the keys, so entries with a long key are not stored, and no single value may take more
// than a quarter of the space.

export interface CacheBounds {
  /** In bytes; it may change. */
  limit: () => number;
  /** In characters. */
  longestKey: number;
}

/** The approximate overhead of an entry besides its key and value. */
const entryBytes = 150;
/** The part of the space that values may fill by growing. */
const roomShare = 0.75;
/** So many used entries are passed over at a time; no call takes long even if all are in use. */
const mostPassed = 32;

export class ByteCache<V, K extends string | number = string> {
  readonly #bounds: CacheBounds;
  readonly #entries = new Map<K, { value: V; bytes: number; isUsed: boolean }>();
  #bytes = 0;
  /**
   * Everything before it is gone: entries are added at the end. A new iterator would pass over all entries that were deleted
   * since the map was last reorganized. But an iterator that does not move holds each table that the map has replaced since,
   * with all values in it, so it is made again after as many additions as there are entries.
   */
  #oldest = this.#entries.entries();
  /** Since the iterator was moved or made. */
  #added = 0;

  constructor(bounds: CacheBounds) {
    this.#bounds = bounds;
  }

  get size(): number {
    return this.#entries.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(key: K): V | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    entry.isUsed = true;
    return entry.value;
  }

  /** `valueBytes` is the memory that only this value holds. */
  set(key: K, value: V, valueBytes: number): void {
    this.delete(key);
    const bytes = this.#weigh(key, valueBytes);
    if (bytes === undefined) return;
    this.#entries.set(key, { value, bytes, isUsed: false });
    this.#bytes += bytes;
    this.#evict(this.#bounds.limit());
    if (++this.#added > this.#entries.size) this.#begin();
  }

  /** Whether there is room for so many bytes that are useful, but not worth the eviction of an entry. */
  hasRoom(bytes: number): boolean {
    return this.#bytes + bytes <= roomShare * this.#bounds.limit();
  }

  /** Notes that the value of this key holds so many more bytes. Returns false if there is no room: it must not hold them. */
  grow(key: K, bytes: number): boolean {
    const entry = this.#entries.get(key);
    if (!entry || !this.hasRoom(bytes)) return false;
    entry.bytes += bytes;
    this.#bytes += bytes;
    return true;
  }

  /**
   * Evicts entries until there is room for a value. Returns false if that is impossible or if the entry that is evicted next
   * is worth more: then the value should not be stored.
   */
  makeRoom(key: K, valueBytes: number, isWorthMore: (oldest: K) => boolean): boolean {
    const bytes = this.#weigh(key, valueBytes);
    return bytes !== undefined && this.#evict(this.#bounds.limit() - bytes, isWorthMore);
  }

  /** The bytes of an entry; undefined if it must not be stored. */
  #weigh(key: K, valueBytes: number): number | undefined {
    const keyLength = typeof key === "string" ? key.length : 0;
    const bytes = entryBytes + 2 * keyLength + valueBytes;
    return keyLength > this.#bounds.longestKey || bytes > this.#bounds.limit() / 4 ? undefined : bytes;
  }

  /** Returns false as soon as it would evict an entry that is worth more. */
  #evict(limit: number, isWorthMore?: (oldest: K) => boolean): boolean {
    let passed = 0;
    while (this.#bytes > limit && this.#entries.size > 0) {
      const next = this.#oldest.next();
      this.#added = 0;
      if (next.done) {
        this.#begin();
        continue;
      }
      const [oldest, entry] = next.value;
      this.delete(oldest);
      const isKept = isWorthMore?.(oldest) ?? false;
      if (!isKept && (!entry.isUsed || passed++ >= mostPassed)) continue;
      // It moves to the end, and is evicted there unless it is used again.
      entry.isUsed = false;
      this.#entries.set(oldest, entry);
      this.#bytes += entry.bytes;
      if (isKept) return false;
    }
    return true;
  }

  *entries(): Generator<[key: K, value: V]> {
    for (const [key, { value }] of this.#entries) yield [key, value];
  }

  delete(key: K): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0;
    this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
    this.#bytes = 0;
    this.#begin();
  }

  #begin(): void {
    this.#oldest = this.#entries.entries();
    this.#added = 0;
  }
}
