// Small parts of records in memory: those that are used often, within a budget. Most parts are asked for once in a long
// time, and keeping each of them would push out those that are asked for again and again. So a part is first kept for a
// short time; it gets a lasting place when it is read again soon, or while there is room.

import type { Block } from "#content/records/record-source.js";
import type { CacheFigures } from "#platform/changes/cache.js";
import type { Resources } from "#platform/http/resources.js";
import { BlockRing, chunkBytes } from "./block-ring.js";
import { LatelyRead } from "./lately-read.js";

/** Enough for all parts of a request, which may be used several times for it. */
const passingBytes = 2 * chunkBytes;

export class BlockCache {
  readonly #limit: () => number;
  readonly #lasting: BlockRing;
  readonly #passing = new BlockRing(() => passingBytes);
  /** About as many parts as have a lasting place. */
  readonly #read = new LatelyRead();
  #hits = 0;
  #misses = 0;

  constructor({ memory }: Pick<Resources, "memory">) {
    this.#limit = () => memory.limitOf("blocks");
    const others = () => Math.max(passingBytes, this.#passing.bytesHeld) + this.#read.bytes;
    this.#lasting = new BlockRing(() => this.#limit() - others());
    memory.show(this);
  }

  figures(): CacheFigures {
    const bytes = this.#lasting.bytesHeld + this.#passing.bytesHeld + this.#read.bytes;
    return {
      ...{ name: "blocks", bytes, limit: this.#limit(), hits: this.#hits, misses: this.#misses },
      entries: this.#lasting.countKept() + this.#passing.countKept(),
    };
  }

  /** The part with this key, if so many bytes of it are in memory. Keys are positive integers. */
  find(key: number, length: number): Block | undefined {
    const ring = this.#lasting.find(key, length)
      ? this.#lasting
      : this.#passing.find(key, length)
        ? this.#passing
        : undefined;
    if (ring) this.#hits++;
    else this.#misses++;
    return ring;
  }

  /** Makes room for a part that was not found: it must be written to `bytes` at `at`, and is found only after `keep`. */
  reserve(key: number, length: number): BlockRing {
    const { isFull, slots } = this.#lasting;
    const ring = isFull && !this.#read.wasRead(key, slots / 2) ? this.#passing : this.#lasting;
    ring.reserve(length);
    return ring;
  }

  /** Changes a figure in a part, where it is in memory. */
  setFigure(key: number, at: number, value: number): void {
    this.#lasting.setFigure(key, at, value);
    this.#passing.setFigure(key, at, value);
  }
}
