// Ids that have changed and must be read again. An id that changes once more while it is read stays unread.

export interface Taken {
  id: string;
  change: number;
}

export class Unread {
  readonly #changes = new Map<string, number>();
  #last = 0;

  get size(): number {
    return this.#changes.size;
  }

  /** Returns whether it was not unread before. */
  add(id: string): boolean {
    const isNew = !this.#changes.has(id);
    this.#changes.set(id, ++this.#last);
    return isNew;
  }

  /** Some of them, which stay unread until `finish`. */
  take(most: number): Taken[] {
    const taken: Taken[] = [];
    for (const [id, change] of this.#changes) {
      if (taken.length === most) break;
      taken.push({ id, change });
    }
    return taken;
  }

  /** Returns whether it is not unread any more. */
  finish({ id, change }: Taken): boolean {
    return this.#changes.get(id) === change && this.#changes.delete(id);
  }
}
