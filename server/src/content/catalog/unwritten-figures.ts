// Download figures on their way into the files with prepared projects. Until they are there, they are applied to
// everything that is read from the files.
import type { Logger } from "pino";
import type { FigureChange } from "./answers-store.js";
import type { FiguresChange } from "./figures.js";
import type { PreparingTasks } from "./preparing-tasks.js";

/** A figure of a record. */
export interface RecordFigure extends FigureChange {
  /** Identifies the record (Places). */
  record: number;
  /** Its place in the record. */
  at: number;
}

export class UnwrittenFigures {
  readonly #log: Logger;
  /** By record, oldest first. */
  readonly #waiting = new Map<number, readonly RecordFigure[]>();
  /** Everything that is written while records are moved: it may be written to the old place. */
  #late: FiguresChange[] | undefined;
  readonly #writing = new Set<readonly FiguresChange[]>();

  constructor(log: Logger) {
    this.#log = log;
  }

  /** The number of records with such figures. */
  get size(): number {
    return this.#waiting.size;
  }

  /** Changes the figures among the bytes of a record that were read to `at` in `into`. */
  applyTo(record: number, into: Buffer, at: number, from: number, length: number): void {
    for (const figure of this.#waiting.get(record) ?? [])
      if (figure.at >= from && figure.at + 8 <= from + length) into.writeDoubleLE(figure.value, at + figure.at - from);
  }

  write(figures: readonly FiguresChange[], changes: readonly RecordFigure[], tasks: PreparingTasks): void {
    this.#late?.push(...figures);
    if (changes.length === 0) return;
    this.#writing.add(figures);
    for (const change of changes)
      this.#waiting.set(change.record, [...(this.#waiting.get(change.record) ?? []), change]);
    tasks
      .setFigures(changes.map(({ segment, position, value }) => ({ segment, position, value })))
      .catch((error) => this.#log.warn({ err: error }, "Download figures could not be written to prepared answers"))
      .finally(() => {
        this.#writing.delete(figures);
        this.#forget(changes);
      });
  }

  /** Returns a list that grows until the end of the move. Its figures must be written again then. */
  beginMove(): readonly FiguresChange[] {
    this.#late = [...this.#writing].flat();
    return this.#late;
  }

  endMove(): void {
    this.#late = undefined;
  }

  #forget(changes: readonly RecordFigure[]): void {
    const done = new Set(changes);
    for (const record of new Set(changes.map((change) => change.record))) {
      const left = this.#waiting.get(record)!.filter((change) => !done.has(change));
      if (left.length > 0) this.#waiting.set(record, left);
      else this.#waiting.delete(record);
    }
  }
}
