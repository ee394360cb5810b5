// The turn to write to a SQLite database, which its processes take one after the other. Without it, a process that
// writes again and again would win every race for the lock of the database against one that has to poll for it.
import { Busy } from "#lib/queue.js";

export interface TurnKeeper {
  lock(): Promise<void>;
  unlock(): void;
}

/**
 * The worker keeps the turn until another one wants it, so that a worker that writes alone sends no messages. At most
 * one caller takes it at a time (platform/db/sqlite.ts has a queue).
 */
export class WriteTurn {
  readonly #keeper: TurnKeeper;
  #isHeld = false;
  #isInUse = false;
  #isWanted = false;
  #coming: Promise<void> | undefined;

  constructor(keeper: TurnKeeper) {
    this.#keeper = keeper;
  }

  async take(patience: AbortSignal): Promise<void> {
    this.#isInUse = true;
    if (this.#isHeld) return;
    this.#coming ??= this.#keeper
      .lock()
      .then(() => {
        this.#isHeld = true;
        // The caller may have given up since.
        this.#passOn();
      })
      .finally(() => {
        this.#coming = undefined;
      });
    try {
      await orAborted(this.#coming, patience);
    } catch (error) {
      this.#isInUse = false;
      this.#passOn();
      throw error;
    }
  }

  done(): void {
    this.#isInUse = false;
    this.#passOn();
  }

  /** Another worker waits. */
  wanted(): void {
    this.#isWanted = true;
    this.#passOn();
  }

  #passOn(): void {
    if (!this.#isHeld || this.#isInUse || !this.#isWanted) return;
    this.#isHeld = false;
    this.#isWanted = false;
    this.#keeper.unlock();
  }
}

async function orAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) throw new Busy();
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(new Busy());
  signal.addEventListener("abort", abort);
  try {
    await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
