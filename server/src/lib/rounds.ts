// Runs the same work for many callers: each is served by a run that began after its call, and one run serves all callers
// that came while the previous one was running.

export class Rounds {
  readonly #work: () => Promise<void>;
  #running: Promise<void> | undefined;
  #queued: Promise<void> | undefined;

  constructor(work: () => Promise<void>) {
    this.#work = work;
  }

  /** The current run, if there is one. */
  get running(): Promise<void> | undefined {
    return this.#running;
  }

  /** Resolves when a run that began after this call has ended. */
  next(): Promise<void> {
    if (!this.#running) {
      this.#running = this.#work().finally(() => {
        this.#running = undefined;
      });
      return this.#running;
    }
    // The current run may have begun before the reason for this call; the next one cannot have.
    this.#queued ??= this.#running
      .catch(() => undefined)
      .then(() => {
        this.#queued = undefined;
        return this.next();
      });
    return this.#queued;
  }
}
