// How many streamed uploads may be under way at once: each holds a connection, a file and disk, for as long as its
// sender likes. No account can take all the places.

import { Busy, Queue, QueueByKey } from "#lib/queue.js";
import { type Failure, fail } from "#platform/errors.js";

const perAccount = 16;
const inAll = 256;
const retrySeconds = 30;

const tooMany = (): Failure => {
  const failure = fail.rateLimited(retrySeconds);
  failure.headers["retry-after"] = String(retrySeconds);
  return failure;
};

export class UploadSlots {
  readonly #own = new QueueByKey(perAccount);
  readonly #all = new Queue(inAll);

  /** Returns how to give the place back. */
  take(accountId: string): () => void {
    const releaseOwn = this.#own.tryAcquire(accountId);
    if (!releaseOwn) throw tooMany();
    const release = this.#all.tryAcquire();
    if (!release) {
      releaseOwn();
      throw new Busy();
    }
    return () => {
      releaseOwn();
      release();
    };
  }
}
