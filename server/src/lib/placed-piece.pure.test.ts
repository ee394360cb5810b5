// A text with changing places is the same after joining and unpacking, whatever is in its places.
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { GzipJoiner } from "./gzip-join.js";
import { fitsPlace, PlacedPiece, toPlace } from "./placed-piece.js";

const rows = Array.from({ length: 900 }, (_, at) => `</b></p><p title="Exclude version 1.${at}">Version 1.${at} <b>`);
const piece = new PlacedPiece([...rows, "</b></p>"]);
const textWith = (counts: readonly string[]) => `${rows.map((row, at) => row + toPlace(counts[at]!)).join("")}</b></p>`;

test.each([
  ["digits", rows.map((_, at) => String(at * at))],
  ["nothing", rows.map(() => "")],
  ["the longest texts", rows.map(() => "124.430")],
  ["other characters", rows.map((_, at) => (at % 2 === 0 ? "1,2万" : "12K"))],
  ["its own filler", rows.map(() => "\u0001".repeat(7))],
])("a piece with %s in its places is unpacked to the same text", (_name, counts) => {
  const joiner = new GzipJoiner(64);
  joiner.text("before ");
  piece.addTo(joiner, counts);
  joiner.text(" after");
  expect(gunzipSync(joiner.end()).toString()).toBe(`before ${textWith(counts)} after`);
  expect(piece.toText(counts)).toBe(textWith(counts));
});

test("a piece can be used several times in a stream", () => {
  const short = new PlacedPiece(["one ", " two"]);
  const joiner = new GzipJoiner(64);
  for (const count of ["1", "22,222", "3"]) short.addTo(joiner, [count]);
  expect(gunzipSync(joiner.end()).toString()).toBe("one 1       twoone 22,222  twoone 3       two");
});

test("places have the same width in bytes", () => {
  expect(Buffer.byteLength(toPlace("1.2万"))).toBe(7);
  expect(fitsPlace("1.2万")).toBe(true);
  expect(fitsPlace("12.34万")).toBe(false);
  expect(toPlace("123,456,789")).toBe("123,456,789");
});
