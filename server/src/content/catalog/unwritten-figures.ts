// Download figures on their way into the files with prepared projects. Until they are there, they are applied to every
// header that is read from the files.
import type { Logger } from "pino";
import type { FigureChange } from "./answers-store.js";
import type { FiguresChange } from "./figures.js";
import type { PreparingTasks } from "./preparing-tasks.js";

const none: readonly FiguresChange[] = [];

export class UnwrittenFigures {
  readonly #log: Logger;
  /** By project, oldest first. */
  readonly #waiting = new Map<string, readonly FiguresChange[]>();
  /** Everything that is written while records are moved: it may be written to the old place. */
  #late: FiguresChange[] | undefined;
  #written: Promise<unknown> = Promise.resolve();

  constructor(log: Logger) {
    this.#log = log;
  }

  of(projectId: string): readonly FiguresChange[] {
    return this.#waiting.get(projectId) ?? none;
  }

  write(figures: readonly FiguresChange[], changes: readonly FigureChange[], tasks: PreparingTasks): void {
    this.#late?.push(...figures);
    // If another process writes them, it also writes those of records that this one does not know.
    if (figures.length === 0 || (tasks.ownsFiles && changes.length === 0)) return;
    for (const each of figures) this.#waiting.set(each.projectId, [...this.of(each.projectId), each]);
    this.#written = tasks
      .setFigures(changes)
      .catch((error) => this.#log.warn({ err: error }, "Download figures could not be written to prepared answers"))
      .finally(() => this.#forget(figures));
  }

  /** Resolves when everything is in the files that was given to `write` before. */
  get written(): Promise<unknown> {
    return this.#written;
  }

  /** Returns a list that grows until the end of the move. Its figures must be written again then. */
  beginMove(): readonly FiguresChange[] {
    this.#late = [...this.#waiting.values()].flat();
    return this.#late;
  }

  endMove(): void {
    this.#late = undefined;
  }

  #forget(figures: readonly FiguresChange[]): void {
    for (const each of figures) {
      const left = this.of(each.projectId).filter((other) => other !== each);
      if (left.length > 0) this.#waiting.set(each.projectId, left);
      else this.#waiting.delete(each.projectId);
    }
  }
}
