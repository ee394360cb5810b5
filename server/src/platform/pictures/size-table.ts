// The sizes of pictures in texts, in memory. Pages ask for a size and never wait: a size that is not known is looked up
// after the page is made, for the next page that shows the picture.
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Clock } from "#lib/clock.js";
import type { Cache } from "#platform/changes/cache.js";
import type { Size } from "#platform/images/measure.js";

const minute = 60_000;
/** Another process may have fetched the picture since, or fetched it again. */
const unknownMs = minute;
const knownMs = 60 * minute;
/** More pictures are looked up the next time that a page shows them. */
const mostWanted = 1000;
const atOnce = 100;
const sizeBytes = 64;

export interface Looked {
  size: Size | undefined;
  at: number;
}

interface Around {
  clock: Clock;
  cache: Cache<Looked>;
  /** Pictures that have no size are absent from the result. */
  load: (keys: readonly string[]) => Promise<ReadonlyMap<string, Size>>;
}

export class SizeTable {
  readonly #around: Around;
  readonly #wanted = new Set<string>();
  #isLooking = false;

  constructor(around: Around) {
    this.#around = around;
  }

  find(key: string): Size | undefined {
    const { cache, clock } = this.#around;
    const known = cache.get(key);
    const age = known ? clock.now() - known.at : Number.POSITIVE_INFINITY;
    if (age > (known?.size ? knownMs : unknownMs)) this.#look(key);
    return known?.size;
  }

  /** The picture exists now, whatever was found before. */
  note(key: string): void {
    if (!this.#around.cache.get(key)?.size) this.#look(key);
  }

  #look(key: string): void {
    if (this.#wanted.size < mostWanted) this.#wanted.add(key);
    if (!this.#isLooking) void this.#lookAll();
  }

  async #lookAll(): Promise<void> {
    const { cache, clock, load } = this.#around;
    this.#isLooking = true;
    // The page that asked is sent first.
    await nextTurn();
    while (this.#wanted.size > 0) {
      const keys = [...this.#wanted].slice(0, atOnce);
      for (const key of keys) this.#wanted.delete(key);
      // Sizes are a convenience: a failure leaves what was known.
      const sizes = await load(keys).catch(() => undefined);
      for (const key of keys)
        cache.set(key, { size: sizes ? sizes.get(key) : cache.get(key)?.size, at: clock.now() }, sizeBytes);
    }
    this.#isLooking = false;
  }
}
