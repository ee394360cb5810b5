// Takes from the caller's quota. Ordinary classes are counted in the memory of this server's processes; those that protect
// passwords and mailboxes are counted in the database, so that neither a restart nor a second node resets them.
import type { Kysely } from "kysely";
import type { Clock } from "#lib/clock.js";
import type { Tables } from "#platform/db/tables.js";
import type { Loan, Peers, SharedLimit } from "#platform/workers/peers.js";
import { type RateClass, rateClasses, tokenShare } from "./rate-limit-fields.js";
import { SharedBuckets } from "./shared-buckets.js";
import { nextBucketState, type RatePolicy, type RateResult, refundedBucketState } from "./token-bucket.js";

const shared: ReadonlySet<RateClass> = new Set(["signIn", "accountFailure", "mail", "mailbox"]);
/** A class that is counted in memory. */
export type LocalRateClass = Exclude<RateClass, "signIn" | "accountFailure" | "mail" | "mailbox">;
export const isLocalRate = (name: RateClass): name is LocalRateClass => !shared.has(name);

export const bucketKey = (name: RateClass, caller: string): string => `${name}:${caller}`;

const unlimited: RateResult = { allowed: true, remaining: 1, resetSeconds: 0, retryAfterSeconds: 0 };

export class RateLimiter {
  readonly #db: Kysely<Tables>;
  readonly #clock: Clock;
  /** Asked at every request, because administrators can change the setting. */
  readonly #isEnabled: () => boolean;
  readonly #buckets: SharedBuckets;

  constructor(
    db: Kysely<Tables>,
    clock: Clock,
    { isEnabled, peers }: { isEnabled: () => boolean; peers: Pick<Peers, "count" | "number" | "borrow"> },
  ) {
    this.#db = db;
    this.#clock = clock;
    this.#isEnabled = isEnabled;
    this.#buckets = new SharedBuckets(clock, peers);
  }

  /** For another worker that has used up its share. */
  lend(limit: SharedLimit): Loan {
    return this.#buckets.lend(limit);
  }

  get enabled(): boolean {
    return this.#isEnabled();
  }

  async take(name: RateClass, caller: string): Promise<RateResult> {
    if (!this.enabled) return unlimited;
    const key = bucketKey(name, caller);
    if (shared.has(name)) return this.#takeShared(name, key);
    return this.#buckets.take(key, rateClasses[name]);
  }

  /**
   * Takes from the caller's quota, of which a token can use only a part. Returns the policy of the two that leaves
   * less. A call that is refused by either takes from none.
   */
  async takeFor(
    name: RateClass,
    caller: string,
    tokenId?: string,
  ): Promise<{ policy: RatePolicy; result: RateResult }> {
    const whole = rateClasses[name];
    if (!this.enabled || tokenId === undefined) return { policy: whole, result: await this.take(name, caller) };
    const key = `${name}:token ${tokenId}`;
    const policy = tokenShare(whole);
    const ofToken = await this.#buckets.take(key, policy);
    if (!ofToken.allowed) return { policy, result: ofToken };
    const ofUser = await this.take(name, caller);
    if (!ofUser.allowed) this.#buckets.refund(key, policy);
    const isTokenShort = ofUser.allowed && ofToken.remaining <= ofUser.remaining;
    return isTokenShort ? { policy, result: ofToken } : { policy: whole, result: ofUser };
  }

  /**
   * Synchronous, for classes that are counted in memory. If it refuses, the caller must use `take`: another worker may
   * have units left.
   */
  takeNow(name: LocalRateClass, caller: string): RateResult {
    return this.enabled ? this.#buckets.takeNow(bucketKey(name, caller), rateClasses[name]) : unlimited;
  }

  /** Gives one unit back: a correct password is not a guess. */
  async refund(name: RateClass, caller: string): Promise<void> {
    if (!this.enabled) return;
    const key = bucketKey(name, caller);
    if (!shared.has(name)) return this.#buckets.refund(key, rateClasses[name]);
    const now = this.#clock.now();
    await this.#db.transaction().execute(async (tx) => {
      // The row is written before it is read, as below: a guess that is counted at the same time must not be lost.
      const row = await tx
        .updateTable("rate_buckets")
        .set((bucket) => ({ state: bucket.ref("state") }))
        .where("key", "=", key)
        .returning("state")
        .executeTakeFirst();
      if (!row) return;
      const state = refundedBucketState(row.state, rateClasses[name], 1, now);
      await tx.updateTable("rate_buckets").set({ state }).where("key", "=", key).execute();
    });
  }

  async #takeShared(name: RateClass, key: string): Promise<RateResult> {
    const policy = rateClasses[name];
    const now = this.#clock.now();
    const date_expires = now + policy.windowSeconds * 1000;
    return this.#db.transaction().execute(async (tx) => {
      // The row is written before it is read: that locks it, so that concurrent guesses count one after the other.
      const { state: before } = await tx
        .insertInto("rate_buckets")
        .values({ key, state: 0, date_expires })
        .onConflict((conflict) => conflict.column("key").doUpdateSet({ date_expires }))
        .returning("state")
        .executeTakeFirstOrThrow();
      const { state, result } = nextBucketState(before, policy, 1, now);
      await tx.updateTable("rate_buckets").set({ state }).where("key", "=", key).execute();
      return result;
    });
  }
}
