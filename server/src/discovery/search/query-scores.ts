// A score for each slot, for the duration of a query. If a query has set few of them, only these are cleared for the next
// one.
import type { Run } from "./term-run.js";
import { slotOf } from "./terms.js";

/** Clearing everything costs as much as clearing one score in so many by itself. */
const allIsCheaper = 64;

export class QueryScores {
  readonly values: Uint8Array;
  readonly #noted: Run[] = [];
  #mostNoted = 0;

  constructor(slots: number) {
    this.values = new Uint8Array(slots);
  }

  /** The values of the slots in this run may be set from now on. */
  note(run: Run): void {
    this.#noted.push(run);
    this.#mostNoted += run.most;
  }

  clear(): void {
    const { values } = this;
    if (this.#mostNoted * allIsCheaper > values.length) values.fill(0);
    else
      for (const run of this.#noted) {
        const places = run.unpack();
        for (let at = 0; at < places.length; at++) values[slotOf(places[at]!)] = 0;
      }
    this.#noted.length = 0;
    this.#mostNoted = 0;
  }
}
