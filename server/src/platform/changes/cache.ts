// The cache of the service, bounded by bytes. Its name is shown to operators with its size. Values are dropped all at
// once when the edition (of the catalogue, or the position of the change log) changes, or each by its age.
import { ByteCache } from "#lib/byte-cache.js";
import type { Clock } from "#lib/clock.js";

/** All caches; the pages for administrators have a name for each in every language. */
export type CacheName =
  | "accountUse"
  | "blocks"
  | "cards"
  | "checksums"
  | "failedPictures"
  | "featuredCollections"
  | "fileFacts"
  | "files"
  | "hashIndex"
  | "modrinth"
  | "outcomes"
  | "pageParts"
  | "pages"
  | "pageShells"
  | "pictureSizes"
  | "plans"
  | "prepared"
  | "preparedIndex"
  | "projects"
  | "projectTiles"
  | "projectTypes"
  | "searches"
  | "searchIndex"
  | "searchWords"
  | "similarProjects"
  | "siteNotice"
  | "sitemapRanges"
  | "sitemaps"
  | "storageState"
  | "storageUse"
  | "taxonomy"
  | "versions"
  | "watchList";

/**
 * The part of the memory for caches that each of them may take, in percent. Caches that are not here are small and have a
 * fixed limit. Indexes must hold everything, so they have no limit.
 */
export const cacheShares = {
  prepared: 16,
  blocks: 28,
  files: 12,
  pages: 10,
  modrinth: 8,
  versions: 6,
  sitemaps: 3,
  plans: 4,
  projects: 4,
  checksums: 3,
  fileFacts: 3,
  outcomes: 3,
} satisfies Partial<Record<CacheName, number>>;

export type SharedCacheName = keyof typeof cacheShares;

export interface CacheOptions {
  name: CacheName;
  /** The limit; it may change. */
  limit: () => number;
  /** In characters. */
  longestKey?: number;
  /** All values are dropped as soon as this returns another number. */
  edition?: () => number;
  /** How long a value is valid. */
  ageMs?: number;
}

export interface CacheFigures {
  name: CacheName;
  bytes: number;
  limit: number;
  entries: number;
  hits: number;
  misses: number;
}

/** The figures of an index, which holds everything. */
export const indexFigures = (name: CacheName, bytes: number, entries: number): CacheFigures => ({
  ...{ name, bytes, limit: bytes, entries, hits: 0, misses: 0 },
});

interface Surroundings {
  clock: Clock;
  /** While it is not followed, the edition is meaningless and nothing is cached. */
  changeLog: { readonly isFollowing: boolean };
}

export class Cache<V, K extends string | number = string> {
  readonly #around: Surroundings;
  readonly #options: CacheOptions;
  readonly #values: ByteCache<{ value: V; since: number }, K>;
  readonly #loading = new Map<K, Promise<V | undefined>>();
  #edition: number | undefined;
  #hits = 0;
  #misses = 0;

  constructor(around: Surroundings, options: CacheOptions) {
    this.#around = around;
    this.#options = options;
    this.#values = new ByteCache({ limit: options.limit, longestKey: options.longestKey ?? 512 });
  }

  get(key: K): V | undefined {
    const value = this.#find(key);
    if (value === undefined) this.#misses++;
    else this.#hits++;
    return value;
  }

  /** Caches a value that was just computed from current data. `bytes` is the memory that only this value holds. */
  set(key: K, value: V, bytes: number): void {
    if (this.#isCurrent()) this.#values.set(key, { value, since: this.#now() }, bytes);
  }

  delete(key: K): void {
    this.#values.delete(key);
  }

  /** Whether there is room for so many bytes without the eviction of a value. */
  hasRoom(bytes: number): boolean {
    return this.#values.hasRoom(bytes);
  }

  /** Evicts values for a new one. Returns false if one that would have to go is worth more. */
  makeRoom(key: K, bytes: number, isWorthMore: (other: K) => boolean): boolean {
    return this.#values.makeRoom(key, bytes, isWorthMore);
  }

  /** Notes that the value of this key holds so many more bytes. Returns false if there is no room: it must not hold them. */
  grow(key: K, bytes: number): boolean {
    return this.#values.grow(key, bytes);
  }

  /**
   * Returns the cached value or loads it. Concurrent callers with the same key share one load. Failures and undefined
   * are not cached, nor is a value if the edition changed while it was loaded: it may be partly stale.
   */
  load<R extends V | undefined>(key: K, make: () => Promise<R>, weigh: (value: V) => number): Promise<V | R> {
    const known = this.get(key);
    if (known !== undefined) return Promise.resolve(known);
    if (!this.#isCurrent()) return make();
    const running = this.#loading.get(key) as Promise<R> | undefined;
    if (running) return running;
    const edition = this.#edition;
    const loading = make()
      .then((value) => {
        if (value !== undefined && this.#isCurrent() && this.#edition === edition) this.set(key, value, weigh(value));
        return value;
      })
      .finally(() => {
        if (this.#loading.get(key) === loading) this.#loading.delete(key);
      });
    this.#loading.set(key, loading);
    return loading;
  }

  figures(): CacheFigures {
    const { name } = this.#options;
    const limit = this.#options.limit();
    const { bytes, size: entries } = this.#values;
    return { name, bytes, limit, entries, hits: this.#hits, misses: this.#misses };
  }

  #find(key: K): V | undefined {
    if (!this.#isCurrent()) return undefined;
    const found = this.#values.get(key);
    if (!found) return undefined;
    const { ageMs } = this.#options;
    if (ageMs === undefined || this.#now() - found.since < ageMs) return found.value;
    this.#values.delete(key);
    return undefined;
  }

  #now = (): number => (this.#options.ageMs === undefined ? 0 : this.#around.clock.now());

  /** Drops everything that is out of date. Returns whether values may be cached now. */
  #isCurrent(): boolean {
    if (!this.#options.edition) return true;
    if (!this.#around.changeLog.isFollowing) return false;
    const edition = this.#options.edition();
    if (edition !== this.#edition) {
      this.#edition = edition;
      this.#values.clear();
      this.#loading.clear();
    }
    return true;
  }
}
