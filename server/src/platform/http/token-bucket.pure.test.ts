import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { nextBucketState, type RatePolicy, refundedBucketState, TokenBuckets } from "./token-bucket.js";

const start = Date.UTC(2027, 0, 1);
const tenAMinute: RatePolicy = { quota: 10, windowSeconds: 60 };

/** How many calls in a row are allowed. */
function drain(buckets: TokenBuckets, key: string, policy: RatePolicy, now: number): number {
  let allowed = 0;
  while (buckets.take(key, policy, 1, now).allowed) allowed++;
  return allowed;
}

describe("a bucket", () => {
  test("allows exactly the quota at once, then refuses and says when to retry", () => {
    const buckets = new TokenBuckets();
    expect(buckets.take("a", tenAMinute, 1, start)).toEqual({
      allowed: true,
      remaining: 9,
      resetSeconds: 6,
      retryAfterSeconds: 0,
    });
    expect(drain(buckets, "a", tenAMinute, start)).toBe(9);
    const refused = { allowed: false, remaining: 0, resetSeconds: 60, retryAfterSeconds: 6 };
    expect(buckets.take("a", tenAMinute, 1, start)).toEqual(refused);
  });

  test("refills continuously: one unit after a tenth of the window, not the whole quota at its end", () => {
    const buckets = new TokenBuckets();
    drain(buckets, "a", tenAMinute, start);
    expect(buckets.take("a", tenAMinute, 1, start + 5_999).allowed).toBe(false);
    expect(drain(buckets, "a", tenAMinute, start + 6_000)).toBe(1);
    expect(drain(buckets, "a", tenAMinute, start + 30_000)).toBe(4);
    expect(drain(buckets, "a", tenAMinute, start + 600_000)).toBe(10);
  });

  test("takes nothing for a refused call, also if it is repeated", () => {
    const buckets = new TokenBuckets();
    drain(buckets, "a", tenAMinute, start);
    for (let i = 0; i < 1000; i++) buckets.take("a", tenAMinute, 1, start + i);
    expect(buckets.take("a", tenAMinute, 1, start + 6_000).allowed).toBe(true);
  });

  test("is not affected by calls for another key", () => {
    const buckets = new TokenBuckets();
    drain(buckets, "attacker", tenAMinute, start);
    expect(drain(buckets, "victim", tenAMinute, start)).toBe(10);
  });

  test("can be read without taking anything", () => {
    const buckets = new TokenBuckets();
    expect(buckets.take("a", tenAMinute, 0, start).remaining).toBe(10);
    expect(buckets.size).toBe(0);
    buckets.take("a", tenAMinute, 4, start);
    expect(buckets.take("a", tenAMinute, 0, start).remaining).toBe(6);
  });

  test("allows a call that costs more than the quota when it is full", () => {
    const buckets = new TokenBuckets();
    expect(buckets.take("a", tenAMinute, 50, start)).toMatchObject({ allowed: true, remaining: 0 });
    expect(buckets.take("a", tenAMinute, 50, start + 59_999)).toMatchObject({ allowed: false, retryAfterSeconds: 1 });
    expect(buckets.take("a", tenAMinute, 50, start + 60_000).allowed).toBe(true);
  });

  test("gets refunds, but never exceeds its quota", () => {
    const buckets = new TokenBuckets();
    drain(buckets, "a", tenAMinute, start);
    buckets.refund("a", tenAMinute, 2, start);
    expect(drain(buckets, "a", tenAMinute, start)).toBe(2);
    buckets.refund("a", tenAMinute, 10, start);
    buckets.refund("a", tenAMinute, 10, start);
    buckets.refund("b", tenAMinute, 10, start);
    expect(drain(buckets, "a", tenAMinute, start)).toBe(10);
    expect(drain(buckets, "b", tenAMinute, start)).toBe(10);
  });

  test("recovers within one window when the clock is set back by a year", () => {
    const buckets = new TokenBuckets();
    drain(buckets, "a", tenAMinute, start);
    const yearBefore = start - 365 * 86_400_000;
    expect(buckets.take("a", tenAMinute, 1, yearBefore)).toMatchObject({ allowed: false, retryAfterSeconds: 6 });
    expect(drain(buckets, "a", tenAMinute, yearBefore + 60_000)).toBe(10);
  });

  test("allows the whole quota also if the window cannot be divided evenly", () => {
    for (const quota of [1, 3, 7, 11, 13, 999, 70_001]) {
      expect(drain(new TokenBuckets(), "a", { quota, windowSeconds: 60 }, start)).toBe(quota);
    }
  });

  test("refills no faster than promised if a unit takes a fraction of a microsecond more", () => {
    const buckets = new TokenBuckets();
    const fast = { quota: 700_000, windowSeconds: 1 };
    buckets.take("a", fast, 700_000, start);
    expect(buckets.take("a", fast, 0, start + 500).remaining).toBeLessThanOrEqual(350_000);
  });

  test("refuses calls while the clock is broken, and no longer", () => {
    const buckets = new TokenBuckets();
    expect(() => buckets.take("a", tenAMinute, 1, Number.NaN)).toThrow(RangeError);
    expect(drain(buckets, "a", tenAMinute, start)).toBe(10);
  });

  test.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])("rejects a cost of %d as an error", (cost) => {
    expect(() => new TokenBuckets().take("a", tenAMinute, cost, start)).toThrow(RangeError);
    expect(() => refundedBucketState(0, tenAMinute, cost, start)).toThrow(RangeError);
  });

  test.each([
    { quota: 0, windowSeconds: 60 },
    { quota: -5, windowSeconds: 60 },
    { quota: Number.NaN, windowSeconds: 60 },
    { quota: 10, windowSeconds: 0 },
    { quota: 10, windowSeconds: Number.NaN },
  ])("rejects the policy %j as an error", (policy) => {
    expect(() => new TokenBuckets().take("a", policy, 1, start)).toThrow(RangeError);
  });
});

describe("in any sequence of calls", () => {
  const policy = fc.record({
    quota: fc.integer({ min: 1, max: 700 }),
    windowSeconds: fc.integer({ min: 1, max: 3600 }),
  });
  const step = fc.record({ wait: fc.oneof(fc.constant(0), fc.nat(20_000)), cost: fc.integer({ min: 1, max: 40 }) });
  const steps = fc.array(step, { maxLength: 300 });

  test("no more than quota + rate × elapsed is taken in any interval", () => {
    fc.assert(
      fc.property(policy, steps, (limits, calls) => {
        const buckets = new TokenBuckets();
        const taken: { at: number; cost: number }[] = [];
        let now = start;
        for (const { wait, cost } of calls) {
          now += wait;
          const charged = Math.min(cost, limits.quota);
          if (buckets.take("a", limits, cost, now).allowed) taken.push({ at: now, cost: charged });
        }
        for (let from = 0; from < taken.length; from += 7) {
          let sum = 0;
          for (const { at, cost } of taken.slice(from)) {
            sum += cost;
            const elapsed = (at - taken[from]!.at) / 1000;
            expect(sum).toBeLessThanOrEqual(limits.quota + (limits.quota / limits.windowSeconds) * elapsed);
          }
        }
      }),
    );
  });

  test("a refused caller is allowed after the announced time, and at most a second earlier", () => {
    fc.assert(
      fc.property(policy, steps, (limits, calls) => {
        let state: number | undefined;
        let now = start;
        for (const { wait, cost } of calls) {
          now += wait;
          const { state: after, result } = nextBucketState(state, limits, cost, now);
          if (!result.allowed) {
            const told = now + result.retryAfterSeconds * 1000;
            expect(nextBucketState(after, limits, cost, told).result.allowed).toBe(true);
            expect(nextBucketState(after, limits, cost, told - 1001).result.allowed).toBe(false);
          }
          const full = nextBucketState(after, limits, 0, now + result.resetSeconds * 1000);
          expect(full.result.remaining).toBe(limits.quota);
          expect(Number.isSafeInteger(after)).toBe(true);
          state = after;
        }
      }),
    );
  });

  test("the reported rest is exactly what can still be taken", () => {
    fc.assert(
      fc.property(policy, steps, (limits, calls) => {
        let state: number | undefined;
        let now = start;
        for (const { wait, cost } of calls) {
          now += wait;
          const next = nextBucketState(state, limits, cost, now);
          state = next.state;
          const { remaining } = next.result;
          expect(nextBucketState(state, limits, remaining, now).result.allowed).toBe(true);
          if (remaining < limits.quota) {
            expect(nextBucketState(state, limits, remaining + 1, now).result.allowed).toBe(false);
          }
        }
      }),
    );
  });
});

describe("the memory of the buckets", () => {
  const hourly: RatePolicy = { quota: 10, windowSeconds: 3600 };

  test("takes no more memory for each call, also below its limit of keys", () => {
    setFlagsFromString("--expose-gc");
    const collectGarbage = runInNewContext("gc") as () => void;
    const buckets = new TokenBuckets();
    const callAll = (times: number) => {
      for (let n = 0; n < times; n++) buckets.take(`key ${n % 50}`, tenAMinute, 1, start + n);
      collectGarbage();
      collectGarbage();
      return process.memoryUsage().heapUsed;
    };
    const before = callAll(50_000);
    expect(callAll(200_000) - before).toBeLessThan(1_000_000);
    expect(buckets.size).toBe(50);
  });

  test("is bounded for any number of invented keys", () => {
    const buckets = new TokenBuckets(1000);
    for (let i = 0; i < 20_000; i++) buckets.take(`key${i}`, hourly, 1, start + i);
    expect(buckets.size).toBe(1000);
  });

  test("keeps the drained bucket of an attacked key during a flood of other keys", () => {
    const buckets = new TokenBuckets(1000);
    drain(buckets, "account", hourly, start);
    for (let i = 0; i < 20_000; i++) buckets.take(`key${i}`, hourly, 1, start);
    expect(buckets.take("account", hourly, 1, start).allowed).toBe(false);
  });

  test("keeps a bucket that is being drained during the flood", () => {
    const buckets = new TokenBuckets(100);
    for (let i = 0; i < 100; i++) buckets.take(`old${i}`, hourly, 3, start);
    let allowed = 0;
    for (let i = 0; i < 5_000; i++) {
      if (buckets.take("account", hourly, 1, start).allowed) allowed++;
      buckets.take(`key${i}`, hourly, 1, start);
    }
    expect(allowed).toBe(hourly.quota);
  });

  test("evicts full buckets before any other", () => {
    const buckets = new TokenBuckets(50);
    for (let i = 0; i < 25; i++) {
      buckets.take(`slow${i}`, hourly, 10, start);
      buckets.take(`quick${i}`, { quota: 10, windowSeconds: 1 }, 10, start);
    }
    for (let i = 0; i < 20; i++) buckets.take(`new${i}`, hourly, 1, start + 1000);
    for (let i = 0; i < 25; i++) expect(buckets.take(`slow${i}`, hourly, 1, start + 1000).allowed).toBe(false);
    for (let i = 0; i < 20; i++) expect(buckets.take(`new${i}`, hourly, 0, start + 1000).remaining).toBe(9);
  });

  test("keeps recently used buckets, even if all others are more drained", () => {
    const buckets = new TokenBuckets(10);
    for (let i = 0; i < 9; i++) buckets.take(`drained${i}`, hourly, 9, start);
    buckets.take("account", hourly, 10, start);
    for (let i = 0; i < 1000; i++) {
      expect(buckets.take("account", hourly, 1, start).allowed).toBe(false);
      buckets.take(`key${i}`, { quota: 10, windowSeconds: 86_400 }, 10, start);
    }
  });

  test("evicts the oldest of equally drained buckets", () => {
    const buckets = new TokenBuckets(10);
    for (let i = 0; i <= 10; i++) buckets.take(`key${i}`, hourly, 10, start + i);
    expect(buckets.take("key0", hourly, 0, start + 20).remaining).toBe(10);
    for (let i = 1; i <= 10; i++) expect(buckets.take(`key${i}`, hourly, 1, start + 20).allowed).toBe(false);
  });
});
