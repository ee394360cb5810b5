// Token buckets with continuous refill. The state of a bucket is one number, the time at which it will be full again
// (GCRA), so that it can also be stored in a database: buckets in memory and in a table use the same arithmetic.

export interface RatePolicy {
  readonly quota: number;
  readonly windowSeconds: number;
}

export interface RateResult {
  allowed: boolean;
  /** Whole units left. */
  remaining: number;
  /** Seconds until the bucket is full. */
  resetSeconds: number;
  /** Seconds until the refused call would be allowed; 0 if it was allowed. */
  retryAfterSeconds: number;
}

/**
 * Microseconds since 1970 at which the bucket is full again. An integer: sums stay exact, and it fits an integer
 * column.
 */
export type BucketState = number;

const microsPerSecond = 1_000_000;

/** The new state and the result of a call at `now` (milliseconds). A refused call takes nothing. */
export function nextBucketState(
  state: BucketState | undefined,
  policy: RatePolicy,
  cost: number,
  now: number,
): { state: BucketState; result: RateResult } {
  // NaN would stay in the state and lock the key forever.
  if (!Number.isFinite(now)) throw new RangeError("not a time");
  const perUnit = microsPerUnit(policy);
  const capacity = perUnit * policy.quota;
  const nowMicros = Math.floor(now * 1000);
  // A bucket lacks at most its capacity, so a clock that was set back locks no one out for longer than one window.
  const fullAt = Math.min(Math.max(state ?? nowMicros, nowMicros), nowMicros + capacity);
  const fullAtAfter = fullAt + priceOf(cost, policy);
  const missing = fullAtAfter - (nowMicros + capacity);
  const allowed = missing <= 0;
  const kept = allowed ? fullAtAfter : fullAt;
  const result = {
    allowed,
    remaining: Math.floor((nowMicros + capacity - kept) / perUnit),
    resetSeconds: Math.ceil((kept - nowMicros) / microsPerSecond),
    retryAfterSeconds: allowed ? 0 : Math.ceil(missing / microsPerSecond),
  };
  return { state: kept, result };
}

/** The state after a refund. A bucket never contains more than its quota. */
export function refundedBucketState(state: BucketState, policy: RatePolicy, cost: number, now: number): BucketState {
  return Math.max(state - priceOf(cost, policy), Math.floor(now * 1000));
}

// Rounded up: if the window does not divide evenly, the refill is slower than promised by a millionth, never faster.
function microsPerUnit({ quota, windowSeconds }: RatePolicy): number {
  if (!Number.isInteger(quota) || quota < 1 || !(windowSeconds > 0)) throw new RangeError("not a rate policy");
  return Math.ceil((windowSeconds * microsPerSecond) / quota);
}

// A call that costs more than the quota takes a full bucket; otherwise it could never succeed.
function priceOf(cost: number, policy: RatePolicy): number {
  if (!Number.isInteger(cost) || cost < 0) throw new RangeError("a cost is a whole number, 0 or more");
  return Math.min(cost, policy.quota) * microsPerUnit(policy);
}

// How many buckets are examined to find one to evict: enough for a good choice, cheap enough for a flood.
const candidates = 64;

/** Buckets in this process's memory. Methods are synchronous, hence atomic. A key names the class and the caller. */
export class TokenBuckets {
  // In the order of last use, including refused calls.
  readonly #fullAt = new Map<string, BucketState>();
  readonly #maxKeys: number;
  // Iterates over the less recently used half, then starts again. Starting at the front for every new key would iterate
  // over all gaps that moved and deleted entries leave there (measured: 67 µs instead of 5 µs per key). But an iterator that
  // does not move holds each table that the map has replaced since, so it is made again after as many additions as there are
  // buckets.
  #hand = this.#fullAt.entries();
  #handSteps = 0;
  /** Since the iterator was moved or made. */
  #added = 0;

  constructor(maxKeys = 100_000) {
    this.#maxKeys = maxKeys;
  }

  get size(): number {
    return this.#fullAt.size;
  }

  take(key: string, policy: RatePolicy, cost: number, now: number): RateResult {
    const before = this.#fullAt.get(key);
    const { state, result } = nextBucketState(before, policy, cost, now);
    if (before !== undefined) this.#fullAt.delete(key);
    else if (cost > 0) this.#makeRoom(now);
    else return result;
    this.#add(key, state);
    return result;
  }

  refund(key: string, policy: RatePolicy, cost: number, now: number): void {
    const state = this.#fullAt.get(key);
    if (state !== undefined) this.#fullAt.set(key, refundedBucketState(state, policy, cost, now));
  }

  /** Replaces the content of a bucket. */
  setRemaining(key: string, policy: RatePolicy, remaining: number, now: number): void {
    const missing = Math.max(0, policy.quota - remaining);
    this.#fullAt.delete(key);
    this.#makeRoom(now);
    this.#add(key, Math.floor(now * 1000) + priceOf(missing, policy));
  }

  #add(key: string, state: BucketState): void {
    this.#fullAt.set(key, state);
    if (++this.#added <= this.#fullAt.size) return;
    this.#hand = this.#fullAt.entries();
    this.#handSteps = 0;
    this.#added = 0;
  }

  /**
   * Evicts one bucket if there is no space. Evicting a bucket means filling it, so a full one is chosen first,
   * otherwise the one that would be full soonest: a flood of new keys evicts its own buckets, not the drained bucket of
   * an attacked key. The more recently used half is safe, so that no caller can have its bucket evicted while draining
   * it.
   */
  #makeRoom(now: number): void {
    if (this.#fullAt.size < this.#maxKeys) return;
    const nowMicros = Math.floor(now * 1000);
    const olderHalf = Math.ceil(this.#fullAt.size / 2);
    let [victim, victimFullAt] = this.#nextOld(olderHalf);
    for (let seen = 1; seen < Math.min(candidates, olderHalf) && victimFullAt > nowMicros; seen++) {
      const [key, fullAt] = this.#nextOld(olderHalf);
      if (fullAt < victimFullAt) [victim, victimFullAt] = [key, fullAt];
    }
    this.#fullAt.delete(victim);
  }

  #nextOld(olderHalf: number): [string, BucketState] {
    this.#added = 0;
    const next = this.#handSteps < olderHalf ? this.#hand.next() : undefined;
    this.#handSteps++;
    if (next && !next.done) return next.value;
    this.#hand = this.#fullAt.entries();
    this.#handSteps = 1;
    return this.#hand.next().value as [string, BucketState];
  }
}
