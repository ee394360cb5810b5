import { expect, test } from "vitest";
import { cacheShares, type SharedCacheName } from "./cache.js";
import type { ChangeLog } from "./change-log.js";
import { ServerMemory } from "./server-memory.js";

const MiB = 1024 * 1024;
let now = 1_000_000;
const clock = { now: () => now };
const open = (memoryBytes: number) => new ServerMemory({ changeLog: {} as ChangeLog, clock, memoryBytes });
const names = Object.keys(cacheShares) as SharedCacheName[];
const sumOf = (memory: ServerMemory) => names.reduce((sum, name) => sum + memory.limitOf(name), 0);

test("all caches together get the memory that the server does not need itself", () => {
  expect(Object.values(cacheShares).reduce((sum, share) => sum + share)).toBe(100);
  expect(sumOf(open(512 * MiB)) / MiB).toBeCloseTo(122, 0);
  expect(sumOf(open(2048 * MiB)) / MiB).toBeCloseTo(1658, 0);
});

test("indexes take from the memory of the caches within a second, which keep a little in any case", () => {
  const memory = open(512 * MiB);
  const index = {
    bytes: 50 * MiB,
    figures: () => ({ name: "hashIndex", bytes: 0, limit: 0, entries: 0, hits: 0, misses: 0 }) as const,
  };
  memory.showIndex(index);
  expect(sumOf(memory) / MiB).toBeCloseTo(72, 0);
  index.bytes = 1000 * MiB;
  now += 1000;
  expect(sumOf(memory) / MiB).toBeCloseTo(32, 0);
  expect(memory.listCaches()).toHaveLength(1);
});
