import { expect, test } from "vitest";
import { ReadPace } from "./read-pace.js";

/** Reads that take so many milliseconds each; `units` of each come from the disk. */
function createReads() {
  let [now, fromDisk] = [1_000_000, 0];
  const pace = new ReadPace({ now: () => Math.floor(now) }, () => fromDisk);
  return {
    pace,
    pass(ms: number) {
      now += ms;
    },
    read(count: number, ms: number, units: number) {
      for (let n = 0; n < count; n++) {
        const begunAt = pace.begin();
        now += ms;
        fromDisk += units;
        pace.end(begunAt);
        now += 0.013;
      }
    },
  };
}

test("reads from memory are not slow, and a single long one does not make them so", () => {
  const { pace, read } = createReads();
  read(2000, 0.003, 0);
  read(1, 15, 8);
  read(2000, 0.003, 0);
  expect(pace.isSlow).toBe(false);
});

test("reads are not slow if only the processor was busy, or the disk was quick", () => {
  const { pace, read } = createReads();
  read(1000, 0.6, 0.5);
  read(1000, 0.05, 8);
  expect(pace.isSlow).toBe(false);
});

test("many short waits for the disk are noticed, though each is shorter than what the clock can tell", () => {
  const { pace, read, pass } = createReads();
  read(1000, 0.6, 8);
  expect(pace.isSlow).toBe(true);
  pass(10_000);
  expect(pace.isSlow).toBe(false);
});
