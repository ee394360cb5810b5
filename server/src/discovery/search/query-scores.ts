// A score for each slot, for the duration of a query. Only the scores that a query has set are cleared for the next one,
// because clearing all of them would cost more than most queries.
import type { Run } from "./term-run.js";
import { slotOf } from "./terms.js";

export class QueryScores {
  readonly values: Uint8Array;
  readonly #noted: Run[] = [];

  constructor(slots: number) {
    this.values = new Uint8Array(slots);
  }

  /** The values of the slots in this run may be set from now on. */
  note(run: Run): void {
    this.#noted.push(run);
  }

  clear(): void {
    const { values } = this;
    for (const { places, start, end } of this.#noted)
      if (end - start > values.length) values.fill(0);
      else for (let at = start; at < end; at++) values[slotOf(places[at]!)] = 0;
    this.#noted.length = 0;
  }
}
