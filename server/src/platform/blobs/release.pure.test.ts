import { expect, test } from "vitest";
import { release } from "./release.js";

test("bytes that have their buffer for themselves are freed, others are not", () => {
  const own = Buffer.allocUnsafeSlow(100);
  release(own);
  expect(own.byteLength).toBe(0);
  const shared = Buffer.allocUnsafeSlow(100);
  release(shared.subarray(1));
  release(shared.subarray(0, 99));
  expect(shared.byteLength).toBe(100);
});
