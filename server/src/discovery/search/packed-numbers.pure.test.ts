// Looks for a few numbers in a packed list, and compares the result with a plain array.
import fc from "fast-check";
import { expect, test } from "vitest";
import { PackedNumbers } from "./packed-numbers.js";

/** Most sets have small gaps between their numbers; some of these take several bytes. */
const gaps = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 1, max: 127 }) },
    { weight: 2, arbitrary: fc.integer({ min: 128, max: 20_000 }) },
    fc.integer({ min: 1 << 14, max: 1 << 18 }),
  ),
  { maxLength: 600 },
);
/** Places in the list, and how far the numbers that are looked for are from those at these places. */
const sought = fc.array(fc.tuple(fc.nat(), fc.integer({ min: -1, max: 1 })), { maxLength: 12 });

test("a few numbers are looked for, also after the list has grown", () => {
  fc.assert(
    fc.property(gaps, gaps, sought, fc.boolean(), (first, more, places, startsAtZero) => {
      const list = new PackedNumbers();
      const numbers: number[] = [];
      const grow = (by: readonly number[]) => {
        for (const gap of by) {
          const number = numbers.length === 0 && startsAtZero ? 0 : list.last + gap;
          numbers.push(number);
          list.add(number);
        }
      };
      for (const each of [first, more]) {
        grow(each);
        const near = places.map(([at, by]) => Math.max(0, (numbers[at % numbers.length] ?? 0) + by));
        const wanted = Uint32Array.from(new Set(near)).sort();
        const missing = wanted.filter((number) => !numbers.includes(number));
        expect(wanted.slice(0, list.findMissing(wanted, wanted))).toEqual(missing);
      }
    }),
  );
});
