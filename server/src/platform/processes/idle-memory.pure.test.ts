// Garbage is collected when a process becomes idle, and only then.
import { afterEach, expect, test, vi } from "vitest";
import { collectWhenIdle } from "./idle-memory.js";

const everyMs = 5;
let stop = () => {};
afterEach(() => stop());

/** Keeps the main thread busy for a whole period, which is seen at the next one. */
function work(): void {
  for (const until = performance.now() + 4 * everyMs; performance.now() < until; );
}

/** Resolves after the timers of a few periods have run. */
async function periods(): Promise<void> {
  for (let times = 0; times < 3; times++) await new Promise((resolve) => setTimeout(resolve, everyMs));
}

test("garbage is collected once when the main thread is idle", async () => {
  const collect = vi.fn();
  stop = collectWhenIdle(collect, { everyMs, between: 0, idleShare: 1 });
  await periods();
  expect(collect).toHaveBeenCalledTimes(1);
});

test("garbage is collected again after memory has grown", async () => {
  const collect = vi.fn();
  stop = collectWhenIdle(collect, { everyMs, between: 0, idleShare: 1 });
  await expect.poll(() => collect.mock.calls.length).toBe(1);
  const buffers = Buffer.alloc(64 * 2 ** 20);
  await expect.poll(() => collect.mock.calls.length).toBe(2);
  expect(buffers.length).toBeGreaterThan(0);
});

test("garbage is not collected again and again", async () => {
  const collect = vi.fn();
  stop = collectWhenIdle(collect, { everyMs, between: 1000, growth: 0, idleShare: 1 });
  await expect.poll(() => collect.mock.calls.length).toBe(1);
  await periods();
  await periods();
  expect(collect).toHaveBeenCalledTimes(1);
});

test("garbage is not collected while the main thread works", async () => {
  const collect = vi.fn();
  stop = collectWhenIdle(collect, { everyMs, idleShare: 0 });
  for (let times = 0; times < 3; times++) {
    work();
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  expect(collect).not.toHaveBeenCalled();
});

test("without the function of V8 nothing happens", () => {
  expect(collectWhenIdle(undefined)).not.toThrow();
});
