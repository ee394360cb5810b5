import { describe, expect, test } from "vitest";
import type { Loan } from "#platform/workers/peers.js";
import { SharedBuckets } from "./shared-buckets.js";

const policy = { quota: 100, windowSeconds: 100 };

/** Workers that borrow from each other, as through the primary process. */
function createWorkers(count: number, clock = { now: () => 1_000_000 }) {
  let loans = 0;
  const workers: SharedBuckets[] = Array.from(
    { length: count },
    (_, at) =>
      new SharedBuckets(clock, {
        count,
        number: at + 1,
        async borrow(limit) {
          loans++;
          const loan: Loan = { units: 0, left: 0, retryAfterSeconds: Number.POSITIVE_INFINITY };
          for (let step = 1; step < count && loan.units === 0; step++) {
            const lent = workers[(at + step) % count]!.lend(limit);
            loan.units += lent.units;
            loan.left += lent.left;
            loan.retryAfterSeconds = Math.min(loan.retryAfterSeconds, lent.retryAfterSeconds);
          }
          return loan;
        },
      }),
  );
  return { workers, countLoans: () => loans };
}

async function countAllowed(workers: readonly SharedBuckets[], calls: number, choose: (call: number) => number) {
  let allowed = 0;
  for (let call = 0; call < calls; call++) if ((await workers[choose(call)]!.take("k", policy)).allowed) allowed++;
  return allowed;
}

describe("buckets that workers share", () => {
  test.each([1, 2, 3, 7, 64])("allow exactly the quota with %i workers, wherever the calls arrive", async (count) => {
    for (const choose of [() => 0, (call: number) => call % count, (call: number) => (call * 7919) % count]) {
      const { workers } = createWorkers(count);
      expect(await countAllowed(workers, 150, choose)).toBe(100);
    }
  });

  test("allow exactly the quota also to concurrent calls", async () => {
    const { workers } = createWorkers(3);
    const results = await Promise.all(Array.from({ length: 300 }, (_, call) => workers[call % 3]!.take("k", policy)));
    expect(results.filter(({ allowed }) => allowed).length).toBe(100);
  });

  test("are refilled at the rate of the quota", async () => {
    let now = 1_000_000;
    const { workers } = createWorkers(2, { now: () => now });
    await countAllowed(workers, 150, (call) => call % 2);
    now += 20_000;
    expect(await countAllowed(workers, 50, () => 1)).toBe(20);
    now += 1_000_000;
    expect(await countAllowed(workers, 150, () => 0)).toBe(100);
  });

  test("need no message for a caller who stays below the share of a worker, and few above it", async () => {
    const { workers, countLoans } = createWorkers(4);
    expect(await countAllowed(workers, 25, () => 0)).toBe(25);
    expect(countLoans()).toBe(0);
    await countAllowed(workers, 75, () => 0);
    expect(countLoans()).toBeLessThan(20);
    // Refused calls do not ask again and again.
    const before = countLoans();
    await countAllowed(workers, 1000, () => 0);
    expect(countLoans()).toBeLessThanOrEqual(before + 1);
  });

  test("say how much is left in all workers, and when the next call is allowed", async () => {
    const { workers } = createWorkers(2);
    const [a, b] = workers as [SharedBuckets, SharedBuckets];
    expect(await a.take("k", policy)).toMatchObject({ allowed: true, remaining: 99 });
    for (let call = 0; call < 98; call++) await a.take("k", policy);
    expect(await a.take("k", policy)).toMatchObject({ allowed: true, remaining: 0 });
    expect(await b.take("k", policy)).toMatchObject({ allowed: false, remaining: 0, retryAfterSeconds: 2 });
    expect(a.takeNow("k", policy).allowed).toBe(false);
  });

  test("give a unit back to the worker that took it", async () => {
    const { workers } = createWorkers(2);
    await countAllowed(workers, 150, (call) => call % 2);
    workers[1]!.refund("k", policy);
    expect(workers[1]!.takeNow("k", policy).allowed).toBe(true);
    expect(workers[1]!.takeNow("k", policy).allowed).toBe(false);
  });
});
