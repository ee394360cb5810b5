// A bound on how many things run at once, and on how many may wait for that.

/** Too many are waiting already; the HTTP layer answers 503. */
export class Busy extends Error {
  override name = "Busy";

  constructor() {
    super("Too much of this is going on at the moment, please try again shortly");
  }
}

export class Semaphore {
  #free: number;
  readonly #maxWaiting: number;
  readonly #waiting: (() => void)[] = [];

  constructor(limit: number, maxWaiting = 200) {
    this.#free = limit;
    this.#maxWaiting = maxWaiting;
  }

  /** Runs `fn` when it is its turn, first come, first served. */
  async run<T>(fn: () => T | Promise<T>): Promise<T> {
    const release = await this.acquire();
    try {
      return await fn();
    } finally {
      release();
    }
  }

  /** For work that does not fit in one function. Call what it resolves to when done; calling it twice is harmless. */
  async acquire(): Promise<() => void> {
    await this.#enter();
    let held = true;
    return () => {
      if (held) this.#leave();
      held = false;
    };
  }

  async #enter(): Promise<void> {
    if (this.#free > 0) {
      this.#free--;
      return;
    }
    if (this.#waiting.length >= this.#maxWaiting) throw new Busy();
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  // The place is handed over rather than given back: a newcomer cannot slip in between and make it one too many.
  #leave(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free++;
  }
}
