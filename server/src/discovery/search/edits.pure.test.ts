import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { allowedEdits, countEdits } from "./edits.js";

/** Implements the definition directly. */
function slow(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (_, j) => (i === 0 ? j : j === 0 ? i : 0)),
  );
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++) {
      const ways = [rows[i - 1]![j]! + 1, rows[i]![j - 1]! + 1, rows[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)];
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) ways.push(rows[i - 2]![j - 2]! + 1);
      rows[i]![j] = Math.min(...ways);
    }
  return rows[a.length]![b.length]!;
}

describe("slips", () => {
  test.each([
    ["sodium", "sodium", 0],
    ["sodum", "sodium", 1],
    ["sodiium", "sodium", 1],
    ["sodlum", "sodium", 1],
    ["soduim", "sodium", 1],
    ["osdium", "sodium", 1],
    ["sdoimu", "sodium", 2],
    ["muidos", "sodium", undefined],
    ["complimentery", "complementary", 2],
    ["", "ab", 2],
    ["abc", "", undefined],
    ["x".repeat(100), "x".repeat(100), undefined],
  ])("between %j and %j are %j", (a, b, slips) => {
    expect(countEdits(a, b, 2)).toBe(slips);
  });

  test("are counted as their definition says", () => {
    const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 9 });
    fc.assert(
      fc.property(word, word, fc.integer({ min: 1, max: 3 }), (a, b, most) => {
        const slips = slow(a, b);
        expect(countEdits(a, b, most)).toBe(slips <= most ? slips : undefined);
      }),
      { numRuns: 2000 },
    );
  });

  test.each([
    [3, 0],
    [4, 1],
    [7, 1],
    [8, 2],
    [40, 2],
  ])("in a word of %i letters: %i tolerated", (letters, slips) => {
    expect(allowedEdits(letters)).toBe(slips);
  });
});
