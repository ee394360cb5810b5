// The table of fingerprints, compared with a model of maps and sets, and its size with many entries.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FingerprintTable } from "./fingerprint-table.js";

const sorted = (values: Iterable<number>): number[] => [...values].sort((a, b) => a - b);
/** Few fingerprints in few parts, so that they meet; the largest halves lead to the last slot of a part. */
const half = fc.constantFrom(0, 1, 256, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff);
const value = fc.nat(6);
const steps = fc.array(
  fc.oneof(
    fc.record({ do: fc.constant("add" as const), high: half, low: half, value }),
    fc.record({ do: fc.constant("set" as const), high: half, low: half, values: fc.array(value, { maxLength: 3 }) }),
    fc.record({ do: fc.constant("drop" as const), values: fc.array(value, { maxLength: 2 }) }),
    fc.record({ do: fc.constant("move" as const) }),
  ),
  { maxLength: 150 },
);

describe("a table of fingerprints", () => {
  test("finds the same values as a map of sets, whatever was added, replaced, removed or moved", () => {
    fc.assert(
      fc.property(steps, fc.constantFrom(0, 1000), (all, expected) => {
        let table = new FingerprintTable(undefined, { expected });
        const model = new Map<string, Set<number>>();
        const nameOf = ({ high, low }: { high: number; low: number }) => `${high} ${low}`;
        for (const step of all) {
          if (step.do === "add") {
            table.add(step.high, step.low, step.value);
            model.set(nameOf(step), new Set(model.get(nameOf(step))).add(step.value));
          } else if (step.do === "set") {
            table.set(step.high, step.low, new Set(step.values));
            model.set(nameOf(step), new Set(step.values));
          } else if (step.do === "drop") {
            table.drop(new Set(step.values));
            for (const values of model.values()) for (const dropped of step.values) values.delete(dropped);
          } else table = new FingerprintTable(structuredClone(table.move()));
          for (const [name, values] of model) {
            const [high, low] = name.split(" ").map(Number) as [number, number];
            expect(sorted(table.find(high, low))).toEqual(sorted(values));
            table.prefetch(new Uint32Array([high, low]));
            expect(table.seek(high, low)).toBe(values.size);
            if (values.size > 0) expect(values).toContain(table.value);
          }
          expect(table.size).toBe([...model.values()].reduce((sum, { size }) => sum + size, 0));
        }
      }),
      { numRuns: 30 },
    );
  });

  test("needs at most 21 bytes an entry, and its parts do not grow by entries that come and go", () => {
    const table = new FingerprintTable();
    // A simple generator of evenly spread numbers.
    const highOf = (n: number) => Math.imul(n, 0x9e3779b1) >>> 0;
    const lowOf = (n: number) => Math.imul(n ^ 0x5bd1e995, 0x85ebca6b) >>> 0;
    const count = 300_000;
    for (let n = 0; n < count; n++) table.add(highOf(n), lowOf(n), n);
    expect(table.size).toBe(count);
    expect(table.bytes / count).toBeLessThan(21);
    for (let n = 0; n < count; n += 1000) expect(table.find(highOf(n), lowOf(n))).toEqual([n]);
    expect(table.find(highOf(count), lowOf(count))).toEqual([]);
    const before = table.bytes;
    for (let n = 0; n < count; n++) {
      table.set(highOf(n), lowOf(n), new Set());
      table.add(highOf(n + count), lowOf(n + count), n);
    }
    expect(table.size).toBe(count);
    expect(table.bytes).toBeLessThan(1.6 * before);
  });
});
