import fc from "fast-check";
import { expect, test } from "vitest";
import type { Block } from "#content/records/record-source.js";
import { systemClock } from "#lib/clock.js";
import type { ChangeLog } from "#platform/changes/change-log.js";
import { ServerMemory } from "#platform/changes/server-memory.js";
import { BlockCache } from "./block-cache.js";

const MiB = 1024 * 1024;
const open = () =>
  new BlockCache({ memory: new ServerMemory({ changeLog: {} as ChangeLog, clock: systemClock, memoryBytes: 1 }) });

/** Any part has its key in each of its bytes. */
function read(cache: BlockCache, key: number, length: number): { block: Block; isFound: boolean } {
  const found = cache.find(key, length);
  if (found) return { block: found, isFound: true };
  const block = cache.reserve(key, length);
  block.bytes.fill(key % 251, block.at, block.at + length);
  block.keep(key, length);
  return { block, isFound: false };
}

test("gives back what was kept, whatever is overwritten in between", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.integer({ min: 1, max: 3000 }), fc.nat(70_000)), { maxLength: 2000 }), (asked) => {
      const cache = open();
      for (const [key, length] of asked) {
        const { block } = read(cache, key, length);
        expect(block.length).toBeGreaterThanOrEqual(length);
        const bytes = block.bytes.subarray(block.at, block.at + block.length);
        expect(Buffer.alloc(block.length, key % 251).equals(bytes)).toBe(true);
      }
      const { bytes, limit } = cache.figures();
      expect(bytes).toBeLessThan(limit + MiB);
    }),
    { numRuns: 5 },
  );
});

test("keeps parts that are used again and again, and drops the others", () => {
  const cache = open();
  let found = 0;
  for (let key = 10; key < 100_000; key++) {
    read(cache, key, 1000);
    if (read(cache, 1 + (key % 5), 1000).isFound) found++;
  }
  expect(found).toBe(99_990 - 5);
  expect(cache.find(50_000, 1000)).toBeUndefined();
  expect(cache.figures()).toMatchObject({ name: "blocks", hits: found });
  expect(cache.figures().entries).toBeLessThan(10_000);
});

test("stays within its limit with many small parts, for which its table is large", () => {
  const cache = open();
  for (let round = 0; round < 2; round++) for (let key = 1; key < 100_000; key++) read(cache, key, 92);
  const { bytes, limit, entries } = cache.figures();
  expect(bytes).toBeLessThan(limit + MiB);
  expect(entries).toBeGreaterThan(10_000);
});

test("parts that are read once do not push out others", () => {
  const cache = open();
  const once = (from: number, to: number) => {
    for (let key = from; key < to; key++) read(cache, key, 1000);
  };
  once(10_000, 30_000);
  const often = Array.from({ length: 3000 }, (_, index) => index + 1);
  for (const key of [...often, ...often]) read(cache, key, 1000);
  once(30_000, 50_000);
  const kept = often.filter((key) => cache.find(key, 1000));
  // Some keys have their place in the table of those that were read lately in common.
  expect(kept.length).toBeGreaterThan(1500);
  once(50_000, 200_000);
  expect(kept.filter((key) => !cache.find(key, 1000))).toEqual([]);
});

test("a full cache gives a place to parts that are read again soon", () => {
  const cache = open();
  for (let key = 10_000; key < 30_000; key++) read(cache, key, 1000);
  for (let round = 0; round < 2; round++) for (let key = 1; key <= 3000; key++) read(cache, key, 1000);
  for (let key = 30_000; key < 33_000; key++) read(cache, key, 1000);
  const kept = Array.from({ length: 3000 }, (_, index) => index + 1).filter((key) => cache.find(key, 1000));
  // Some keys have their place in the table of those that were read lately in common.
  expect(kept.length).toBeGreaterThan(1500);
});

test("a full cache still has the parts of the last request", () => {
  const cache = open();
  for (let key = 10_000; key < 30_000; key++) read(cache, key, 1000);
  for (let key = 1; key <= 500; key++) read(cache, key, 1000);
  for (let key = 1; key <= 500; key++) expect(read(cache, key, 1000).isFound).toBe(true);
});

test("takes new figures where a part is in memory, and reads a part again if more of it is needed", () => {
  for (const others of [0, 20_000]) {
    const cache = open();
    for (let key = 10_000; key < 10_000 + others; key++) read(cache, key, 1000);
    read(cache, 7, 32);
    cache.setFigure(7, 8, 12.5);
    cache.setFigure(8, 8, 1);
    cache.setFigure(7, 32, 1);
    const { view, at } = cache.find(7, 32)!;
    expect(view.getFloat64(at + 8, true)).toBe(12.5);
    expect(read(cache, 7, 64).isFound).toBe(false);
    expect(read(cache, 7, 16)).toMatchObject({ isFound: true, block: { length: 64 } });
    // The shorter part may still be in memory too.
    cache.setFigure(7, 8, 13.5);
    for (const length of [16, 64]) {
      const found = cache.find(7, length)!;
      expect(found.view.getFloat64(found.at + 8, true)).toBe(13.5);
    }
  }
});
