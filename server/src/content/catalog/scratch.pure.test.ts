import { describe, expect, test } from "vitest";
import { Scratch } from "./scratch.js";

describe("lent memory", () => {
  test("is at least as long as requested, and is not lent again until it is returned", () => {
    const scratch = new Scratch();
    const [one, other] = [scratch.lend(), scratch.lend()];
    const first = one.take(100_000);
    expect(first.length).toBeGreaterThanOrEqual(100_000);
    expect(other.take(100_000)).not.toBe(first);
    one.giveBack();
    expect(scratch.lend().take(90_000)).toBe(first);
  });

  test("that is returned twice is lent once", () => {
    const scratch = new Scratch();
    const loan = scratch.lend();
    const first = loan.take(10);
    loan.giveBack();
    loan.giveBack();
    expect(scratch.lend().take(10)).toBe(first);
    expect(scratch.lend().take(10)).not.toBe(first);
  });

  test("is kept up to a limit, and not at all if it is huge", () => {
    const scratch = new Scratch();
    const huge = scratch.lend();
    const bytes = huge.take(5_000_000);
    expect(bytes.length).toBe(5_000_000);
    huge.giveBack();
    expect(scratch.lend().take(5_000_000)).not.toBe(bytes);

    const loans = Array.from({ length: 40 }, () => scratch.lend());
    const taken = new Set(loans.map((loan) => loan.take(1024 * 1024)));
    for (const loan of loans) loan.giveBack();
    const again = Array.from({ length: 40 }, () => scratch.lend().take(1024 * 1024));
    expect(again.filter((buffer) => taken.has(buffer))).toHaveLength(32);
  });
});
