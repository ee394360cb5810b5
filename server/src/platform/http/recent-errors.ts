// The latest requests that failed with a server error, for administrators without access to the log. They are kept in
// memory, for this process only; the log has all of them.

export interface RecentError {
  at: number;
  requestId: string;
  /** A route template, without values that a caller chose. */
  route: string;
  reason: string;
}

const most = 20;
const longestReason = 300;

export class RecentErrors {
  readonly #latestFirst: RecentError[] = [];

  note(trouble: RecentError): void {
    this.#latestFirst.unshift({ ...trouble, reason: trouble.reason.slice(0, longestReason) });
    this.#latestFirst.length = Math.min(this.#latestFirst.length, most);
  }

  list(): readonly RecentError[] {
    return this.#latestFirst;
  }
}
