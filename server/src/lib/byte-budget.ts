// A bound on the bytes that many requests may hold in memory together.
import { Busy } from "./queue.js";

export class ByteBudget {
  readonly #most: number;
  #used = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Runs the work, which takes bytes as it needs them; they are given back when the work ends, also when it fails. */
  async share<T>(work: (take: (bytes: number) => void) => Promise<T>): Promise<T> {
    let mine = 0;
    try {
      return await work((bytes) => {
        // A request that runs alone may exceed the budget: the size of one request is limited elsewhere.
        if (this.#used > mine && this.#used + bytes > this.#most) throw new Busy();
        mine += bytes;
        this.#used += bytes;
      });
    } finally {
      this.#used -= mine;
    }
  }
}
