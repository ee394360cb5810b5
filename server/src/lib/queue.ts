// A queue that limits how many things run at once and how many may wait. First come, first served; a caller who finds
// the queue full is refused.

/** Too many callers are waiting already; the HTTP layer answers 503. */
export class Busy extends Error {
  override name = "Busy";

  constructor() {
    super("The server is busy. Please try again shortly.");
  }
}

export class Queue {
  readonly #places: number;
  readonly #maxWaiting: number;
  readonly #waiting: (() => void)[] = [];
  readonly #whenIdle: (() => void)[] = [];
  #running = 0;

  constructor(places = 1, maxWaiting = 200) {
    this.#places = places;
    this.#maxWaiting = maxWaiting;
  }

  /** How many callers run or wait. */
  get length(): number {
    return this.#running + this.#waiting.length;
  }

  get isFull(): boolean {
    return this.length >= this.#places + this.#maxWaiting;
  }

  async run<T>(fn: () => T | Promise<T>): Promise<T> {
    const release = await this.acquire();
    try {
      return await fn();
    } finally {
      release();
    }
  }

  /**
   * For work that does not fit in one function. Call the returned function when done; calling it twice is harmless. A
   * caller whose signal is aborted while waiting is refused.
   */
  async acquire(signal?: AbortSignal): Promise<() => void> {
    const free = this.tryAcquire();
    if (free) return free;
    await this.#wait(signal);
    return this.#toRelease();
  }

  /** As acquire, but never waits: undefined if no place is free. */
  tryAcquire(): (() => void) | undefined {
    if (this.#running >= this.#places) return undefined;
    this.#running++;
    return this.#toRelease();
  }

  /** Resolves when nothing runs and nothing waits. */
  async idle(): Promise<void> {
    if (this.length > 0) await new Promise<void>((resolve) => this.#whenIdle.push(resolve));
  }

  async #wait(signal?: AbortSignal): Promise<void> {
    if (this.isFull || signal?.aborted) throw new Busy();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const giveUp = () => {
      const at = this.#waiting.indexOf(resolve);
      // The place was given at the same moment.
      if (at === -1) return;
      this.#waiting.splice(at, 1);
      reject(new Busy());
    };
    this.#waiting.push(resolve);
    signal?.addEventListener("abort", giveUp);
    await promise.finally(() => signal?.removeEventListener("abort", giveUp));
  }

  #toRelease(): () => void {
    let isHeld = true;
    return () => {
      if (isHeld) this.#leave();
      isHeld = false;
    };
  }

  // The place is handed over directly: a new caller cannot take it in between and exceed the limit.
  #leave(): void {
    const next = this.#waiting.shift();
    if (next) {
      next();
      return;
    }
    this.#running--;
    if (this.#running === 0) for (const resolve of this.#whenIdle.splice(0)) resolve();
  }
}

/** A queue for each key; a key takes no memory while it is not in use. */
export class QueueByKey {
  readonly #queues = new Map<string, Queue>();
  readonly #places: number;
  readonly #maxWaiting: number | undefined;

  constructor(places = 1, maxWaiting?: number) {
    this.#places = places;
    this.#maxWaiting = maxWaiting;
  }

  async run<T>(key: string, fn: () => T | Promise<T>): Promise<T> {
    const queue = this.#queueOf(key);
    try {
      return await queue.run(fn);
    } finally {
      this.#forget(key, queue);
    }
  }

  tryAcquire(key: string): (() => void) | undefined {
    const queue = this.#queueOf(key);
    const release = queue.tryAcquire();
    return (
      release &&
      (() => {
        release();
        this.#forget(key, queue);
      })
    );
  }

  #queueOf(key: string): Queue {
    const queue = this.#queues.get(key) ?? new Queue(this.#places, this.#maxWaiting);
    this.#queues.set(key, queue);
    return queue;
  }

  #forget(key: string, queue: Queue): void {
    if (queue.length === 0 && this.#queues.get(key) === queue) this.#queues.delete(key);
  }
}
