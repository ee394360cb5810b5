// In-memory state that lives as long as one server: its caches, and other parts of which each server has one (tests run
// several servers in a process).
import type { Clock } from "#lib/clock.js";
import { Cache, type CacheFigures, type CacheOptions } from "./cache.js";
import type { ChangeLog } from "./change-log.js";

export class ServerMemory {
  readonly #around: { changeLog: ChangeLog; clock: Clock };
  readonly #parts = new Map<unknown, unknown>();
  readonly #caches: { figures(): CacheFigures }[] = [];

  constructor(around: { changeLog: ChangeLog; clock: Clock }) {
    this.#around = around;
  }

  /** Creates a cache whose size operators can see. */
  createCache<V>(options: CacheOptions): Cache<V> {
    const cache = new Cache<V>(this.#around, options);
    this.#caches.push(cache);
    return cache;
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
