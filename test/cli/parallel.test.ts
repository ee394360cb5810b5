// Work that runs a few at a time.
import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { inParallel } from "#shelf/parallel.js";

const list = Array.from({ length: 50 }, (_, n) => n);

test("results have the order of the list, and no more run at once than allowed", async () => {
  const seen = { now: 0, most: 0 };
  const results = await inParallel(list, 4, async (n) => {
    seen.most = Math.max(seen.most, ++seen.now);
    for (let turns = n % 3; turns >= 0; turns--) await turn();
    seen.now--;
    return 2 * n;
  });
  expect(results).toEqual(list.map((n) => 2 * n));
  expect(seen).toEqual({ now: 0, most: 4 });
});

test("work that leaves makes room for the next, but is waited for, and not too much of it ends at once", async () => {
  const seen = { inside: 0, mostInside: 0, all: 0, most: 0 };
  const results = await inParallel(list, 4, async (n, leave) => {
    seen.mostInside = Math.max(seen.mostInside, ++seen.inside);
    seen.most = Math.max(seen.most, ++seen.all);
    await turn();
    seen.inside--;
    leave();
    for (let turns = 0; turns < 20; turns++) await turn();
    seen.all--;
    return n;
  });
  expect(results).toEqual(list);
  expect(seen).toMatchObject({ inside: 0, mostInside: 4, all: 0 });
  expect(seen.most).toBeGreaterThan(4);
  expect(seen.most).toBeLessThan(12);
});

test.each([
  [
    "at once",
    () => {
      throw new Error("no");
    },
  ],
  ["later", async () => turn().then(() => Promise.reject(new Error("no")))],
])("work that fails %s lets nothing further begin, and what runs is waited for", async (_when, fail) => {
  const begun: number[] = [];
  const ended: number[] = [];
  const running = inParallel(list, 4, async (n, leave) => {
    begun.push(n);
    leave();
    if (n === 6) await fail();
    for (let turns = 0; turns < 10; turns++) await turn();
    ended.push(n);
  });
  await expect(running).rejects.toThrow("no");
  expect(begun.length).toBeLessThan(20);
  expect(ended.sort((a, b) => a - b)).toEqual(begun.filter((n) => n !== 6));
});
