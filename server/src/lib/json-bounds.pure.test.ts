import { describe, expect, test } from "vitest";
import { isWithin } from "./json-bounds.js";

const nested = (depth: number): unknown => JSON.parse("[".repeat(depth) + "]".repeat(depth));

describe("the bounds of a JSON value", () => {
  test.each([
    [1, { levels: 0, values: 1 }, true],
    [[], { levels: 0, values: 1 }, true],
    [[1], { levels: 0, values: 2 }, false],
    [[1], { levels: 1, values: 2 }, true],
    [[1, 2], { levels: 1, values: 2 }, false],
    [{ a: { b: [null, "x"] } }, { levels: 3, values: 5 }, true],
    [{ a: { b: [null, "x"] } }, { levels: 2, values: 5 }, false],
    [{ a: { b: [null, "x"] } }, { levels: 3, values: 4 }, false],
  ])("%j is within %j: %s", (value, bounds, expected) => {
    expect(isWithin(value, bounds)).toBe(expected);
  });

  test("are checked without recursion, and the check stops at the bound", () => {
    expect(isWithin(nested(1_000_000), { levels: 10, values: 100 })).toBe(false);
    expect(isWithin(nested(1_000_000), { levels: 2_000_000, values: 2_000_000 })).toBe(true);
    let looked = 0;
    const counting = new Proxy(
      Array.from({ length: 1000 }, () => 0),
      {
        get: (list, key) => {
          looked++;
          return Reflect.get(list, key);
        },
      },
    );
    expect(isWithin(counting, { levels: 5, values: 10 })).toBe(false);
    expect(looked).toBeLessThan(20);
  });
});
