// In-memory state that lives as long as one server: its caches, and other parts of which each server has one (tests run
// several servers in a process).
import type { Clock } from "#lib/clock.js";
import { Cache, type CacheFigures, type CacheOptions, cacheShares, type SharedCacheName } from "./cache.js";
import type { ChangeLog } from "./change-log.js";

const MiB = 1024 * 1024;
/** The memory of a server that answers requests, without its caches and indexes: with garbage, threads and child processes. */
const baseBytes = 390 * MiB;
/** Caches are useful even if the indexes need more than was expected. */
const leastForCaches = 32 * MiB;
/** The sizes of indexes are added up again after this time: every value that is cached needs their sum. */
const sumValidMs = 1000;

interface Surroundings {
  changeLog: ChangeLog;
  clock: Clock;
  /** The memory that this process should need at most (MODSHELF_MEMORY). */
  memoryBytes?: number;
}

/** Without `bytes`, the cache gets its share (cacheShares). */
type NewCache = Omit<CacheOptions, "limit"> & ({ name: SharedCacheName; bytes?: never } | { bytes: number });

export class ServerMemory {
  readonly #around: Surroundings;
  readonly #parts = new Map<unknown, unknown>();
  readonly #caches: { figures(): CacheFigures }[] = [];
  readonly #indexes: { readonly bytes: number }[] = [];
  #indexSum: { bytes: number; at: number } | undefined;

  constructor(around: Surroundings) {
    this.#around = around;
  }

  /** Creates a cache whose size operators can see: with a share of the memory for caches, or with a limit of its own. */
  createCache<V, K extends string | number = string>({ bytes, ...options }: NewCache): Cache<V, K> {
    const limit = () => bytes ?? this.limitOf(options.name as SharedCacheName);
    const cache = new Cache<V, K>(this.#around, { ...options, limit });
    this.#caches.push(cache);
    return cache;
  }

  /** Shows the size of a part that is no cache to operators, with the caches. */
  show(part: { figures(): CacheFigures }): void {
    this.#caches.push(part);
  }

  /** Shows the size of an index, which must hold everything: caches get the memory that it leaves. */
  showIndex(index: { readonly bytes: number; figures(): CacheFigures }): void {
    this.show(index);
    this.#indexes.push(index);
    this.#indexSum = undefined;
  }

  /** The limit of a cache in bytes. */
  limitOf(name: SharedCacheName): number {
    const { memoryBytes = 512 * MiB } = this.#around;
    const forCaches = Math.max(leastForCaches, memoryBytes - baseBytes - this.#indexBytes());
    return Math.floor((cacheShares[name] / 100) * forCaches);
  }

  #indexBytes(): number {
    const now = this.#around.clock.now();
    const known = this.#indexSum;
    if (known && Math.abs(now - known.at) < sumValidMs) return known.bytes;
    const bytes = this.#indexes.reduce((sum, index) => sum + index.bytes, 0);
    this.#indexSum = { bytes, at: now };
    return bytes;
  }

  /** The caches in the order of their names. */
  listCaches(): CacheFigures[] {
    return this.#caches.map((cache) => cache.figures()).sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** The part that `make` creates for this server at its first use. */
  part<F, T>(make: (from: F) => T, from: F): T {
    if (!this.#parts.has(make)) this.#parts.set(make, make(from));
    return this.#parts.get(make) as T;
  }
}

/** `resources`, or the object that a command uses instead. */
export interface HasMemory {
  memory: ServerMemory;
}

/** Creates a part once per server. */
export const perServer =
  <F extends HasMemory, T>(make: (from: F) => T): ((from: F) => T) =>
  (from) =>
    from.memory.part(make, from);
