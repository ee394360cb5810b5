// The order of version numbers, and ranges of them.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareVersionNumbers, looksLikeRange, parseRange } from "./version-ranges.js";

describe("version numbers", () => {
  test("are sorted as people read them", () => {
    const inOrder = [
      "0.9",
      "1.0-alpha",
      "1.0-alpha.2",
      "1.0b2",
      "1.0-beta",
      "1.0",
      "1.0.1",
      "1.2",
      "1.10",
      "2.0-rc.1",
      "2",
    ];
    expect([...inOrder].reverse().sort(compareVersionNumbers)).toEqual(inOrder);
  });

  test.each([
    ["1.0", "1.0.0"],
    ["1.0+0.4.8", "1.0+0.4.9"],
    ["1.01", "1.1"],
    ["1.0-BETA", "1.0-beta"],
  ])("%s and %s are equal in a range", (a, b) => {
    expect(compareVersionNumbers(a, b)).toBe(0);
  });

  test("have a total order, whatever their length", () => {
    const number = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._+-]{0,30}$/);
    fc.assert(
      fc.property(number, number, number, (a, b, c) => {
        expect(Math.sign(compareVersionNumbers(a, b))).toBe(-Math.sign(compareVersionNumbers(b, a)) + 0);
        if (compareVersionNumbers(a, b) <= 0 && compareVersionNumbers(b, c) <= 0)
          expect(compareVersionNumbers(a, c)).toBeLessThanOrEqual(0);
      }),
    );
  });
});

describe("a range", () => {
  test.each([
    [">=1.2", ["1.2", "1.2.0", "1.10", "2"], ["1.1.9", "1.2-beta"]],
    [">=1.2 <2", ["1.2", "1.99.99", "2-rc1"], ["2", "2.0.0", "1"]],
    ["> 1.0", ["1.0.1"], ["1.0", "1"]],
    ["=1.0", ["1", "1.0.0", "1.0+build"], ["1.0.1", "1.0-beta"]],
    ["<=0.9", ["0.9", "0.1"], ["0.9.1"]],
  ])("%s", (range, inside, outside) => {
    const isWithin = parseRange(range)!;
    for (const number of inside) expect(isWithin(number), number).toBe(true);
    for (const number of outside) expect(isWithin(number), number).toBe(false);
  });

  test.each([
    "",
    " ",
    ">",
    ">=",
    "1.2",
    ">=1.2 <",
    ">=1.2,<2",
    "^1.2",
    "~1",
    ">=1.2 || <1",
    "=>1",
    ">1 >1 >1 >1 >1 >1 >1 >1 >1",
  ])("is refused: %j", (text) => {
    expect(parseRange(text)).toBeUndefined();
  });

  test("is distinguished from a version number by its first character", () => {
    expect([">=1", " <2", "=3"].every(looksLikeRange)).toBe(true);
    expect(["1.0", "kX3vQ9aB", "latest", ""].some(looksLikeRange)).toBe(false);
  });
});
