// How many streamed uploads may be under way at once: each holds a connection, a file and disk, for as long as its
// sender likes. No account can take all the places.

import { Busy } from "#lib/mutex.js";
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
  readonly #taken = new Map<string, number>();
  #total = 0;

  /** Returns how to give the place back. */
  take(accountId: string): () => void {
    const mine = this.#taken.get(accountId) ?? 0;
    if (mine >= perAccount) throw tooMany();
    if (this.#total >= inAll) throw new Busy();
    this.#taken.set(accountId, mine + 1);
    this.#total++;
    return () => this.#giveBack(accountId);
  }

  #giveBack(accountId: string): void {
    this.#total--;
    const left = (this.#taken.get(accountId) ?? 1) - 1;
    if (left === 0) this.#taken.delete(accountId);
    else this.#taken.set(accountId, left);
  }
}
