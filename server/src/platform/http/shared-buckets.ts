// Token buckets whose quota the workers of a server divide among themselves: each has its share of the units and of the
// refill, so that most requests are decided without a message. A worker that has used up its share borrows from the others,
// and refuses only when none of them has a unit left. Together they never allow more than the quota.
import type { Clock } from "#lib/clock.js";
import type { Loan, Peers, SharedLimit } from "#platform/workers/peers.js";
import { type RatePolicy, type RateResult, TokenBuckets } from "./token-bucket.js";

/** After a refusal by all workers they are not asked again for so long. */
const quietMs = 100;
const mostRefusals = 10_000;

/** For a worker without a share: it must borrow. */
const nothing: RateResult = {
  allowed: false,
  remaining: 0,
  resetSeconds: 0,
  retryAfterSeconds: Number.POSITIVE_INFINITY,
};

export class SharedBuckets {
  readonly #clock: Clock;
  readonly #peers: Pick<Peers, "count" | "number" | "borrow">;
  readonly #own = new TokenBuckets();
  /** The units that the other workers had left when one was last asked; those that were never asked are full. */
  readonly #others = new TokenBuckets();
  readonly #refusals = new Map<string, { until: number; retryAfterSeconds: number }>();

  constructor(clock: Clock, peers: Pick<Peers, "count" | "number" | "borrow">) {
    this.#clock = clock;
    this.#peers = peers;
  }

  /** From the share of this worker. If it refuses, another worker may still have units. */
  takeNow(key: string, policy: RatePolicy): RateResult {
    const now = this.#clock.now();
    if (this.#peers.count === 1) return this.#own.take(key, policy, 1, now);
    const own = this.#takeOwn(key, policy, 1, now);
    return own.allowed ? this.#withOthers(key, policy, own, now) : own;
  }

  async take(key: string, policy: RatePolicy): Promise<RateResult> {
    const own = this.takeNow(key, policy);
    if (own.allowed || this.#peers.count === 1) return own;
    const refusal = this.#refusals.get(key);
    if (refusal && refusal.until > this.#clock.now()) return { ...own, retryAfterSeconds: refusal.retryAfterSeconds };
    const { quota, windowSeconds } = policy;
    const { units, left, retryAfterSeconds } = await this.#peers.borrow({ key, quota, windowSeconds });
    const now = this.#clock.now();
    const others = othersOf(policy, this.#peers);
    if (others) this.#others.setRemaining(key, others, left, now);
    if (units === 0) return this.#refuse(key, own, Math.min(own.retryAfterSeconds, retryAfterSeconds));
    const share = this.#share(policy);
    if (units > 1 && share) this.#own.refund(key, share, units - 1, now);
    return { ...this.#withOthers(key, policy, this.#takeOwn(key, policy, 0, now), now), allowed: true };
  }

  #refuse(key: string, own: RateResult, retryAfterSeconds: number): RateResult {
    if (this.#refusals.size >= mostRefusals) this.#refusals.clear();
    this.#refusals.set(key, { until: this.#clock.now() + quietMs, retryAfterSeconds });
    return { ...own, retryAfterSeconds };
  }

  refund(key: string, policy: RatePolicy): void {
    const share = this.#share(policy);
    if (share) this.#own.refund(key, share, 1, this.#clock.now());
  }

  /** Gives half of the units that this worker has left to another one. */
  lend({ key, ...policy }: SharedLimit): Loan {
    const now = this.#clock.now();
    const units = Math.ceil(this.#takeOwn(key, policy, 0, now).remaining / 2);
    if (units > 0) return { units, left: this.#takeOwn(key, policy, units, now).remaining, retryAfterSeconds: 0 };
    // A refused attempt takes nothing.
    return { units, left: 0, retryAfterSeconds: this.#takeOwn(key, policy, 1, now).retryAfterSeconds };
  }

  #takeOwn(key: string, policy: RatePolicy, cost: number, now: number): RateResult {
    const share = this.#share(policy);
    return share ? this.#own.take(key, share, cost, now) : nothing;
  }

  #withOthers(key: string, policy: RatePolicy, own: RateResult, now: number): RateResult {
    const ofOthers = othersOf(policy, this.#peers);
    if (!ofOthers) return own;
    const others = this.#others.take(key, ofOthers, 0, now);
    return {
      ...own,
      remaining: own.remaining + others.remaining,
      resetSeconds: Math.max(own.resetSeconds, others.resetSeconds),
    };
  }

  /** Undefined if the quota is smaller than the number of workers and this one has no share. */
  #share(policy: RatePolicy): RatePolicy | undefined {
    const quota = shareOf(policy, this.#peers);
    return quota === 0 ? undefined : { quota, windowSeconds: policy.windowSeconds };
  }
}

/** Workers with low numbers have one unit more if the quota cannot be divided evenly. */
const shareOf = ({ quota }: RatePolicy, { count, number }: { count: number; number: number }): number =>
  Math.floor(quota / count) + (number <= quota % count ? 1 : 0);

/** Undefined if this worker has the whole quota. */
function othersOf(policy: RatePolicy, peers: { count: number; number: number }): RatePolicy | undefined {
  const quota = policy.quota - shareOf(policy, peers);
  return quota === 0 ? undefined : { quota, windowSeconds: policy.windowSeconds };
}
