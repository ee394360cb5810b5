// Projects whose records are stale, until this is in the journal.
import type { PreparingTasks } from "#content/records/preparing-tasks.js";

export class StaleNotes {
  #ids: string[] = [];
  #since = 0;

  /** Records of the project that were made before this position of the change log are stale. */
  add(id: string, since: number): void {
    this.#ids.push(id);
    this.#since = since;
  }

  async write(tasks: PreparingTasks | undefined): Promise<void> {
    const ids = this.#ids.splice(0);
    if (ids.length > 0) await tasks?.noteStale(ids, this.#since);
  }
}
