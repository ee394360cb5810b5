// The latest requests that failed through a fault of ours, for administrators to see without a log at hand. In memory and
// of this node alone: the log has all of them.

export interface Trouble {
  at: number;
  requestId: string;
  /** A template: nothing that a caller chose. */
  route: string;
  reason: string;
}

const most = 20;
const longestReason = 300;

export class RecentTroubles {
  readonly #latestFirst: Trouble[] = [];

  note(trouble: Trouble): void {
    this.#latestFirst.unshift({ ...trouble, reason: trouble.reason.slice(0, longestReason) });
    this.#latestFirst.length = Math.min(this.#latestFirst.length, most);
  }

  list(): readonly Trouble[] {
    return this.#latestFirst;
  }
}
