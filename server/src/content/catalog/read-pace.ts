// Notes how long the main thread waits for the files of prepared projects. It reads them itself, because that is quickest while
// the system has them in its memory. While it has not, and the disk is slow or busy, a request for many versions would stop the
// server for as many reads; other threads read them first then.
import type { Clock } from "#lib/clock.js";

/** After so many reads it is decided again. */
const judgedReads = 256;
/** One of so many reads is timed: asking for the time twice takes a tenth of the time of a read from memory. */
const timedEach = 8;
/**
 * Reads are slow if these take so many milliseconds together, twice in a row, and many bytes came from the disk. Reads from
 * memory take less than one, but on a machine with too few cores the process is made to wait after many of them.
 */
const slowMs = 100;
/** In the unit of the system, which is 512 bytes: the system reads 4 to 16 KiB for each read that it cannot answer. */
const diskUnits = 1024;
/** Reads that other threads have done first are quick, so that after this time it is tried without them. */
const slowForMs = 10_000;

export class ReadPace {
  readonly #clock: Clock;
  readonly #readFromDisk: () => number;
  /** Asking for it takes as long as many reads, so that it is known only if the last reads took long. */
  #unitsBefore: number | undefined;
  #reads = 0;
  #waitedMs = 0;
  #slowUntil = 0;

  /** `readFromDisk` says how much this process has read from disks since it started. */
  constructor(clock: Clock, readFromDisk = () => process.resourceUsage().fsRead) {
    this.#clock = clock;
    this.#readFromDisk = readFromDisk;
  }

  get isSlow(): boolean {
    return this.#slowUntil > 0 && this.#clock.now() < this.#slowUntil;
  }

  /** The value for `end`. */
  begin(): number | undefined {
    return this.#reads++ % timedEach === 0 ? this.#clock.now() : undefined;
  }

  /** A read is much shorter than a millisecond, but the sum of many is right on average. */
  end(begunAt: number | undefined): void {
    if (begunAt === undefined) return;
    const now = this.#clock.now();
    this.#waitedMs += timedEach * (now - begunAt);
    if (this.#reads < judgedReads) return;
    const units = this.#waitedMs >= slowMs ? this.#readFromDisk() : undefined;
    const before = this.#unitsBefore;
    if (units !== undefined && before !== undefined && units - before >= diskUnits) this.#slowUntil = now + slowForMs;
    this.#unitsBefore = units;
    this.#reads = 0;
    this.#waitedMs = 0;
  }
}
