// The difference of two texts: right and shortest, and bounded for texts that are made to be hard to compare.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareLines } from "./line-diff.js";

const numbered = (count: number, word = "line") => Array.from({ length: count }, (_, at) => `${word} ${at}`);
const text = fc.array(fc.constantFrom("a", "b", "c", ""), { maxLength: 14 }).map((lines) => lines.join("\n"));

/** The length of the longest common subsequence, by the textbook. */
function countCommon(old: readonly string[], fresh: readonly string[]): number {
  const rows = Array.from({ length: old.length + 1 }, () => new Array<number>(fresh.length + 1).fill(0));
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = fresh.length - 1; j >= 0; j--)
      rows[i]![j] = old[i] === fresh[j] ? rows[i + 1]![j + 1]! + 1 : Math.max(rows[i + 1]![j]!, rows[i]![j + 1]!);
  return rows[0]![0]!;
}

describe("compareLines", () => {
  test("keeps some lines around a difference and leaves out the rest", () => {
    const before = numbered(40);
    const after = before.with(10, "another").toSpliced(30, 1);
    expect(compareLines(before.join("\n"), after.join("\n"))).toEqual({
      parts: [
        [
          { kind: "same", text: "line 8", line: 9 },
          { kind: "same", text: "line 9", line: 10 },
          { kind: "removed", text: "line 10", line: 11 },
          { kind: "added", text: "another", line: 11 },
          { kind: "same", text: "line 11", line: 12 },
          { kind: "same", text: "line 12", line: 13 },
        ],
        [
          { kind: "same", text: "line 28", line: 29 },
          { kind: "same", text: "line 29", line: 30 },
          { kind: "removed", text: "line 30", line: 31 },
          { kind: "same", text: "line 31", line: 31 },
          { kind: "same", text: "line 32", line: 32 },
        ],
      ],
      isRough: false,
    });
  });

  test("shows nothing of equal texts", () => {
    fc.assert(
      fc.property(text, (same) => {
        expect(compareLines(same, same)).toEqual({ parts: [], isRough: false });
      }),
    );
  });

  test("leads from the old text to the new one with as few lines as possible", () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const [old, fresh] = [before, after].map((each) => (each === "" ? [] : each.split("\n"))) as [
          string[],
          string[],
        ];
        const { parts, isRough } = compareLines(before, after, 100);
        const lines = before === after ? fresh.map((each) => ({ kind: "same", text: each })) : parts.flat();
        const without = (kind: string) => lines.filter((line) => line.kind !== kind).map((line) => line.text);
        expect(without("added")).toEqual(old);
        expect(without("removed")).toEqual(fresh);
        expect(lines.filter(({ kind }) => kind === "same")).toHaveLength(countCommon(old, fresh));
        expect(isRough).toBe(false);
        for (const { kind, text: each, line } of parts.flat())
          expect((kind === "removed" ? old : fresh)[line - 1]).toBe(each);
      }),
      { numRuns: 500 },
    );
  });

  test("shows both texts completely if they differ too much, within a bound on its work", () => {
    const lines = 60_000;
    const unlike = compareLines(numbered(lines, "old").join("\n"), numbered(lines, "new").join("\n"));
    expect(unlike.isRough).toBe(true);
    expect(unlike.parts.flat()).toHaveLength(2 * lines);
    const few = (words: string[]) =>
      Array.from({ length: lines }, (_, at) => words[(at * at) % words.length]).join("\n");
    const cpu = process.cpuUsage();
    compareLines(few(["a", "b", "c", "d", "e"]), few(["b", "a", "c", "c", "b", "d", "a"]));
    const { user } = process.cpuUsage(cpu);
    // It takes some tens of milliseconds. Comparing every pair of lines would take minutes.
    expect(user).toBeLessThan(5_000_000);
  });

  test("finds one changed line in a long text", () => {
    const long = numbered(50_000);
    const { parts, isRough } = compareLines(long.join("\n"), long.with(25_000, "other").join("\n"), 0);
    expect([parts.flat().map(({ kind }) => kind), isRough]).toEqual([["removed", "added"], false]);
  });
});
