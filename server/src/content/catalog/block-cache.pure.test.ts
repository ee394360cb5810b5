import fc from "fast-check";
import { expect, test } from "vitest";
import { systemClock } from "#lib/clock.js";
import type { ChangeLog } from "#platform/changes/change-log.js";
import { ServerMemory } from "#platform/changes/server-memory.js";
import { BlockCache } from "./block-cache.js";

const MiB = 1024 * 1024;
const open = () =>
  new BlockCache({ memory: new ServerMemory({ changeLog: {} as ChangeLog, clock: systemClock, memoryBytes: 1 }) });

/** Any part has its key in each of its bytes. */
function read(cache: BlockCache, key: number, length: number): boolean {
  const isFound = cache.find(key, length);
  if (!isFound) {
    cache.reserve(length);
    cache.bytes.fill(key % 251, cache.at, cache.at + length);
    cache.keep(key, length);
  }
  return isFound;
}

test("gives back what was kept, whatever is overwritten in between", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.integer({ min: 1, max: 3000 }), fc.nat(70_000)), { maxLength: 2000 }), (asked) => {
      const cache = open();
      for (const [key, length] of asked) {
        read(cache, key, length);
        expect(cache.length).toBeGreaterThanOrEqual(length);
        const bytes = cache.bytes.subarray(cache.at, cache.at + cache.length);
        expect(bytes.every((byte) => byte === key % 251)).toBe(true);
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
    if (read(cache, 1 + (key % 5), 1000)) found++;
  }
  expect(found).toBe(99_990 - 5);
  expect(cache.find(10, 1000)).toBe(false);
  expect(cache.figures()).toMatchObject({ name: "blocks", hits: found });
  expect(cache.figures().entries).toBeLessThan(10_000);
});

test("takes new figures where a part is in memory, and reads a part again if more of it is needed", () => {
  const cache = open();
  read(cache, 7, 32);
  cache.setFigure(7, 8, 12.5);
  cache.setFigure(8, 8, 1);
  cache.setFigure(7, 32, 1);
  expect(cache.find(7, 32)).toBe(true);
  expect(cache.view.getFloat64(cache.at + 8, true)).toBe(12.5);
  expect(read(cache, 7, 64)).toBe(false);
  expect(read(cache, 7, 16)).toBe(true);
  expect(cache.length).toBe(64);
});
