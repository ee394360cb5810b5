import { expect, test } from "vitest";
import { release, releaseChunk } from "./release.js";

test("bytes that have their buffer for themselves are freed, others are not", () => {
  const own = Buffer.allocUnsafeSlow(100);
  release(own);
  expect(own.byteLength).toBe(0);
  const shared = Buffer.allocUnsafeSlow(100);
  release(shared.subarray(1));
  release(shared.subarray(0, 99));
  expect(shared.byteLength).toBe(100);
});

test("chunks of one read are freed with the last of them", () => {
  const read = Buffer.allocUnsafeSlow(100);
  const [first, last] = [read.subarray(20, 50), read.subarray(55)];
  releaseChunk(first);
  expect([first.byteLength, last.byteLength]).toEqual([30, 45]);
  releaseChunk(last);
  expect([first.byteLength, last.byteLength, read.byteLength]).toEqual([0, 0, 0]);
});
