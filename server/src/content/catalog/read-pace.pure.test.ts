import { expect, test } from "vitest";
import { ReadPace } from "./read-pace.js";

/** Reads that take so many milliseconds each. */
function createReads() {
  let now = 1_000_000;
  const pace = new ReadPace({ now: () => Math.floor(now) });
  return {
    pace,
    pass(ms: number) {
      now += ms;
    },
    read(count: number, ms: number) {
      for (let n = 0; n < count; n++) {
        const begunAt = pace.begin();
        now += ms;
        pace.end(begunAt);
        now += 0.013;
      }
    },
  };
}

test("reads from memory are not slow, and a single long one does not make them so", () => {
  const { pace, read } = createReads();
  read(2000, 0.003);
  read(1, 15);
  read(2000, 0.003);
  expect(pace.isSlow).toBe(false);
});

test("many short waits for the disk are noticed, though each is shorter than what the clock can tell", () => {
  const { pace, read, pass } = createReads();
  read(1000, 0.2);
  expect(pace.isSlow).toBe(true);
  pass(10_000);
  expect(pace.isSlow).toBe(false);
});
