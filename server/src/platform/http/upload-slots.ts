// Limits concurrent streamed uploads: each uses a connection, a file and disk space for as long as its sender wants. No
// account can take all places. The workers of a server share them.

import { Busy } from "#lib/queue.js";
import { type Failure, fail } from "#platform/errors.js";
import type { Peers } from "#platform/workers/peers.js";

const perAccount = 16;
const inAll = 256;
const retrySeconds = 30;

const tooMany = (): Failure => {
  const failure = fail.rateLimited(retrySeconds);
  failure.headers["retry-after"] = String(retrySeconds);
  return failure;
};

export class UploadSlots {
  readonly #peers: Pick<Peers, "takePlace">;

  constructor(peers: Pick<Peers, "takePlace">) {
    this.#peers = peers;
  }

  /** Returns a function that releases the place. */
  async take(accountId: string): Promise<() => void> {
    const releaseOwn = await this.#peers.takePlace(`uploads of ${accountId}`, perAccount);
    if (!releaseOwn) throw tooMany();
    const release = await this.#peers.takePlace("uploads", inAll);
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
