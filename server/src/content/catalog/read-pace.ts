// Notes how long the main thread waits for the files of prepared projects. It reads them itself, because that is quickest while
// the system has them in its memory. While it has not, and the disk is slow or busy, a request for many versions would stop the
// server for as many reads; other threads read them first then.
import type { Clock } from "#lib/clock.js";

/** After so many reads it is decided again. */
const judgedReads = 256;
/** Reads are slow if these take so many milliseconds together: from memory they take less than one. */
const slowMs = 20;
/** Reads that other threads have done first are quick, so that after this time it is tried without them. */
const slowForMs = 10_000;

export class ReadPace {
  readonly #clock: Clock;
  #reads = 0;
  #waitedMs = 0;
  #slowUntil = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isSlow(): boolean {
    return this.#slowUntil > 0 && this.#clock.now() < this.#slowUntil;
  }

  /** The value for `end`. */
  begin(): number {
    return this.#clock.now();
  }

  /** A read is much shorter than a millisecond, but the sum of many is right on average. */
  end(begunAt: number): void {
    const now = this.#clock.now();
    this.#waitedMs += now - begunAt;
    if (++this.#reads < judgedReads) return;
    if (this.#waitedMs >= slowMs) this.#slowUntil = now + slowForMs;
    this.#reads = 0;
    this.#waitedMs = 0;
  }
}
