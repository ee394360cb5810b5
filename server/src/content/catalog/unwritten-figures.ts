// Download figures on their way into the files with prepared projects. Until they are there, they are applied to
// everything that is read from the files.
import type { Logger } from "pino";
import type { FigureChange } from "#content/records/answers-store.js";
import type { FiguresChange } from "#content/records/figures.js";
import type { PreparingTasks } from "#content/records/preparing-tasks.js";

/** A figure of a record. */
export interface RecordFigure extends FigureChange {
  /** Identifies the record (Places). */
  record: number;
  /** Its place in the record. */
  at: number;
}

/** Figures that are being written. */
interface Writing {
  readonly figures: readonly FiguresChange[];
  /** The same in the records that are known. */
  changes: RecordFigure[];
  readonly isWrittenHere: boolean;
}

export class UnwrittenFigures {
  readonly #log: Logger;
  /** By record, oldest first. */
  readonly #waiting = new Map<number, readonly RecordFigure[]>();
  /** Everything that is written while records are moved: it may be written to the old place. */
  #late: FiguresChange[] | undefined;
  /** Oldest first. */
  readonly #writing = new Set<Writing>();
  #written: Promise<unknown> = Promise.resolve();

  constructor(log: Logger) {
    this.#log = log;
  }

  /** The number of records with such figures. */
  get size(): number {
    return this.#waiting.size;
  }

  /** Resolves when everything is in the files that was given to `write` before. */
  get written(): Promise<unknown> {
    return this.#written;
  }

  /** Changes the figures among the bytes of a record that were read to `at` in `into`. */
  applyTo(record: number, into: Buffer, at: number, from: number, length: number): void {
    for (const figure of this.#waiting.get(record) ?? [])
      if (figure.at >= from && figure.at + 8 <= from + length) into.writeDoubleLE(figure.value, at + figure.at - from);
  }

  write(figures: readonly FiguresChange[], changes: readonly RecordFigure[], tasks: PreparingTasks): void {
    this.#late?.push(...figures);
    // If another process writes them, it also writes those of records that this one does not know.
    if (figures.length === 0 || (tasks.ownsFiles && changes.length === 0)) return;
    const writing: Writing = { figures, changes: [], isWrittenHere: tasks.ownsFiles };
    this.#writing.add(writing);
    this.#add(writing, changes);
    this.#written = tasks
      .setFigures(changes.map(({ segment, position, value }) => ({ segment, position, value })))
      .catch((error) => this.#log.warn({ err: error }, "Download figures could not be written to prepared answers"))
      .finally(() => {
        this.#writing.delete(writing);
        this.#forget(writing.changes);
      });
  }

  /** The project has a record at another place. `find` returns where figures are in it. */
  renew(projectId: string, find: (figures: FiguresChange) => readonly RecordFigure[]): void {
    for (const writing of this.#writing) {
      // Here, figures are written again after a move, and a new record is made with them.
      if (writing.isWrittenHere) continue;
      for (const figures of writing.figures) if (figures.projectId === projectId) this.#add(writing, find(figures));
    }
  }

  /** The same if all records are at other places. */
  renewAll(find: (figures: FiguresChange) => readonly RecordFigure[]): void {
    this.#waiting.clear();
    for (const writing of this.#writing) {
      writing.changes = [];
      for (const figures of writing.figures) this.#add(writing, find(figures));
    }
  }

  /** Returns a list that grows until the end of the move. Its figures must be written again then. */
  beginMove(): readonly FiguresChange[] {
    this.#late = [...this.#writing].flatMap(({ figures }) => figures);
    return this.#late;
  }

  endMove(): void {
    this.#late = undefined;
  }

  #add(writing: Writing, changes: readonly RecordFigure[]): void {
    writing.changes.push(...changes);
    for (const change of changes)
      this.#waiting.set(change.record, [...(this.#waiting.get(change.record) ?? []), change]);
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
