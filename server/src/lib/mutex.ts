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

  /**
   * For work that does not fit in one function. Call what it resolves to when done; calling it twice is harmless. Who
   * still waits when the signal comes is turned away.
   */
  async acquire(signal?: AbortSignal): Promise<() => void> {
    await this.#enter(signal);
    let held = true;
    return () => {
      if (held) this.#leave();
      held = false;
    };
  }

  async #enter(signal?: AbortSignal): Promise<void> {
    if (this.#free > 0) {
      this.#free--;
      return;
    }
    if (this.#waiting.length >= this.#maxWaiting || signal?.aborted) throw new Busy();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const giveUp = () => {
      const at = this.#waiting.indexOf(resolve);
      // It was this one's turn in the same moment.
      if (at === -1) return;
      this.#waiting.splice(at, 1);
      reject(new Busy());
    };
    this.#waiting.push(resolve);
    signal?.addEventListener("abort", giveUp);
    await promise.finally(() => signal?.removeEventListener("abort", giveUp));
  }

  // The place is handed over rather than given back: a newcomer cannot slip in between and make it one too many.
  #leave(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free++;
  }
}
