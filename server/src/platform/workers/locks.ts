// Locks and places that all workers share. The primary process keeps them, so that those of a worker that has died can
// be released. A server without workers keeps its own.

interface Waiter<Owner> {
  owner: Owner;
  grant: () => void;
}

/** One owner at a time for each key, first come, first served. */
export class Locks<Owner> {
  readonly #held = new Map<string, { owner: Owner; waiting: Waiter<Owner>[] }>();
  readonly #onWanted: (holder: Owner, key: string) => void;

  /** `onWanted` is called when another owner waits for a lock. */
  constructor(onWanted: (holder: Owner, key: string) => void = () => {}) {
    this.#onWanted = onWanted;
  }

  acquire(owner: Owner, key: string): Promise<void> {
    const held = this.#held.get(key);
    if (!held) {
      this.#held.set(key, { owner, waiting: [] });
      return Promise.resolve();
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    held.waiting.push({ owner, grant: resolve });
    if (held.waiting.length === 1) this.#onWanted(held.owner, key);
    return promise;
  }

  release(owner: Owner, key: string): void {
    const held = this.#held.get(key);
    if (held?.owner === owner) this.#passOn(key, held.waiting);
  }

  /** For an owner that has ended. */
  forget(owner: Owner): void {
    for (const [key, held] of this.#held) {
      held.waiting = held.waiting.filter((waiter) => waiter.owner !== owner);
      if (held.owner === owner) this.#passOn(key, held.waiting);
    }
  }

  #passOn(key: string, waiting: Waiter<Owner>[]): void {
    const next = waiting.shift();
    if (!next) {
      this.#held.delete(key);
      return;
    }
    this.#held.set(key, { owner: next.owner, waiting });
    next.grant();
    if (waiting.length > 0) this.#onWanted(next.owner, key);
  }
}

/** A limited number of places for each key, for all owners together. A key takes no memory while no place is taken. */
export class Places<Owner> {
  readonly #taken = new Map<string, Map<Owner, number>>();

  /** False if all places are taken. */
  take(owner: Owner, key: string, limit: number): boolean {
    const owners = this.#taken.get(key) ?? new Map<Owner, number>();
    let sum = 0;
    for (const count of owners.values()) sum += count;
    if (sum >= limit) return false;
    owners.set(owner, (owners.get(owner) ?? 0) + 1);
    this.#taken.set(key, owners);
    return true;
  }

  giveBack(owner: Owner, key: string): void {
    const owners = this.#taken.get(key);
    const count = owners?.get(owner);
    if (!owners || count === undefined) return;
    if (count > 1) owners.set(owner, count - 1);
    else owners.delete(owner);
    if (owners.size === 0) this.#taken.delete(key);
  }

  /** For an owner that has ended. */
  forget(owner: Owner): void {
    for (const [key, owners] of this.#taken) {
      owners.delete(owner);
      if (owners.size === 0) this.#taken.delete(key);
    }
  }
}
