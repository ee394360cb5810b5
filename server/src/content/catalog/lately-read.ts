// Which keys were read lately, as far as a small table can tell. A value that is read once in a long time must not push out
// those that are read again and again, so a cache that is full takes a value only when it is read for the second time.
import { firstSlot } from "./block-ring.js";

export class LatelyRead {
  /** The keys without their upper halves. Each has one place, which it takes from another key. */
  #keys = new Uint32Array(0);

  get bytes(): number {
    return this.#keys.byteLength;
  }

  /** Whether a key was read lately; notes that it was. `size` is a power of two: so many keys are remembered at most. */
  wasRead(key: number, size: number): boolean {
    if (this.#keys.length !== size) this.#keys = new Uint32Array(size);
    const slot = firstSlot(key, size);
    // An empty place contains 0.
    const lower = (key + 1) >>> 0;
    if (this.#keys[slot] === lower) return true;
    this.#keys[slot] = lower;
    return false;
  }
}
