// The table of picture sizes: it answers at once, looks up in the background, and stays small.
import { setImmediate as nextTurn } from "node:timers/promises";
import { beforeEach, expect, test } from "vitest";
import { Cache } from "#platform/changes/cache.js";
import type { Size } from "#platform/images/measure.js";
import { type Looked, SizeTable } from "./size-table.js";

const minute = 60_000;
let now = 0;
const clock = { now: () => now };
let asked: (readonly string[])[] = [];
let stored: Map<string, Size>;
let failure: Error | undefined;
let cache: Cache<Looked>;
let table: SizeTable;

beforeEach(() => {
  asked = [];
  stored = new Map([["a", { width: 3, height: 2 }]]);
  failure = undefined;
  cache = new Cache<Looked>(
    { clock, changeLog: { isFollowing: true } },
    { name: "pictureSizes", limit: () => 100 * 1024 },
  );
  table = new SizeTable({
    clock,
    cache,
    async load(keys) {
      asked.push(keys);
      if (failure) throw failure;
      return stored;
    },
  });
});

const settle = async () => {
  for (let turns = 0; turns < 20; turns++) await nextTurn();
};
/** The size for a page, and for the next one. */
const twice = async (key: string) => {
  const first = table.find(key);
  await settle();
  return [first, table.find(key)];
};

test("a size is known to the second page, and looked up once", async () => {
  table.find("a");
  expect(asked).toEqual([]);
  expect(await twice("a")).toEqual([undefined, { width: 3, height: 2 }]);
  await twice("a");
  expect(asked).toEqual([["a"]]);
});

test("a picture that is not there is looked up again after a minute, or when it was sent", async () => {
  for (let times = 0; times < 3; times++) expect(await twice("b")).toEqual([undefined, undefined]);
  expect(asked).toHaveLength(1);
  stored.set("b", { width: 5, height: 5 });
  table.note("b");
  await settle();
  expect(table.find("b")).toEqual({ width: 5, height: 5 });
  table.note("b");
  await twice("c");
  expect(asked).toEqual([["b"], ["b"], ["c"]]);
  now += 2 * minute;
  await twice("c");
  expect(asked).toHaveLength(4);
});

test("a known size is looked up again after an hour, and stays if that fails", async () => {
  await twice("a");
  stored.set("a", { width: 9, height: 9 });
  now += 61 * minute;
  expect(await twice("a")).toEqual([
    { width: 3, height: 2 },
    { width: 9, height: 9 },
  ]);
  failure = new Error("The disk is gone");
  now += 61 * minute;
  expect((await twice("a"))[1]).toEqual({ width: 9, height: 9 });
  failure = undefined;
  stored.clear();
  now += 61 * minute;
  expect((await twice("a"))[1]).toBeUndefined();
});

test("many pictures are looked up in parts, and a bounded number of them waits and is kept", async () => {
  for (let number = 0; number < 5000; number++) table.find(`p${number}`);
  await settle();
  expect(asked.map((keys) => keys.length)).toEqual(Array(10).fill(100));
  const { bytes, limit, entries } = cache.figures();
  expect(bytes).toBeLessThanOrEqual(limit);
  expect(entries).toBeGreaterThan(100);
});
