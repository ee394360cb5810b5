import { availableParallelism } from "node:os";
import { expect, test } from "vitest";
import { readConfig } from "./config.js";

const countFor = (text?: string) =>
  readConfig(text === undefined ? {} : { MODSHELF_WORKERS: text }, "/nowhere").http.workers;

test("the number of workers is given, or found out: at most one for each core", () => {
  expect([countFor("1"), countFor("3"), countFor("64")]).toEqual([1, 3, 64]);
  for (const text of ["auto", "AUTO", undefined]) {
    expect(countFor(text)).toBeGreaterThanOrEqual(1);
    expect(countFor(text)).toBeLessThanOrEqual(Math.min(availableParallelism(), 16));
  }
});

test.each(["0", "65", "-1", "1.5", "all"])("the number of workers cannot be %s", (text) => {
  expect(() => countFor(text)).toThrow("MODSHELF_WORKERS");
});
