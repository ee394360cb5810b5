import { expect, test } from "vitest";
import { isRangeWanted, parseRange } from "./byte-range.js";

test("accepts a single range in each of its forms", () => {
  expect(parseRange("bytes=0-0", 10)).toEqual({ kind: "part", start: 0, end: 0 });
  expect(parseRange("bytes=2-", 10)).toEqual({ kind: "part", start: 2, end: 9 });
  expect(parseRange("bytes=-3", 10)).toEqual({ kind: "part", start: 7, end: 9 });
  expect(parseRange("bytes=-30", 10)).toEqual({ kind: "part", start: 0, end: 9 });
  expect(parseRange("bytes=5-99", 10)).toEqual({ kind: "part", start: 5, end: 9 });
});

test("reports a range that contains no byte", () => {
  for (const header of ["bytes=10-", "bytes=99-100", "bytes=-0"])
    expect(parseRange(header, 10)).toEqual({ kind: "unsatisfiable" });
  expect(parseRange("bytes=0-", 0)).toEqual({ kind: "unsatisfiable" });
});

test("sends the whole file for a malformed range, another unit, or several ranges", () => {
  const odd = [
    undefined,
    "",
    "bytes",
    "bytes=",
    "bytes=-",
    "bytes=5-2",
    "bytes=a-b",
    "items=0-1",
    "bytes=0-1,3-4",
    "bytes=1e3-",
    `bytes=${"0-1,".repeat(1000)}5-6`,
    "bytes=--1",
  ];
  for (const header of odd) expect(parseRange(header, 10), header).toEqual({ kind: "whole" });
});

test("accepts huge numbers", () => {
  expect(parseRange(`bytes=0-${"9".repeat(400)}`, 10)).toEqual({ kind: "part", start: 0, end: 9 });
  expect(parseRange(`bytes=${"9".repeat(400)}-`, 10)).toEqual({ kind: "unsatisfiable" });
});

test("If-Range must be exactly the ETag", () => {
  expect(isRangeWanted(undefined, '"a"')).toBe(true);
  expect(isRangeWanted('"a"', '"a"')).toBe(true);
  for (const other of ['W/"a"', '"b"', "Sun, 15 Nov 2026 00:00:00 GMT", ""])
    expect(isRangeWanted(other, '"a"')).toBe(false);
});
