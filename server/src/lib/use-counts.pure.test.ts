import { expect, test } from "vitest";
import { UseCounts } from "./use-counts.js";

test("uses are counted, up to a limit, and forgotten by halves", () => {
  const uses = new UseCounts();
  for (let times = 0; times < 40; times++) uses.note(7);
  for (let times = 0; times < 1000; times++) uses.note(8);
  expect([uses.of(7), uses.of(8), uses.of(9)]).toEqual([40, 255, 0]);
  // The numbers of hashes are larger than the table.
  uses.note(0xffff_ffff);
  expect(uses.of(0xffff_ffff)).toBe(1);
  for (let number = 0; number < 600_000; number++) uses.note(100_000 + (number % 10_000));
  expect([uses.of(7), uses.of(8)]).toEqual([20, 127]);
});
