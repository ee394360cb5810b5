// Limits concurrent streamed uploads: each uses a connection, a file and disk space for as long as its sender wants. No
// account can take all places.

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

  /** Returns a function that releases the place. */
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
