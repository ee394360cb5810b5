import { describe, expect, test } from "vitest";
import { toCsv } from "./csv.js";

describe("a table as text", () => {
  test("has one line per row, with the line endings of RFC 4180", () => {
    expect(
      toCsv([
        ["a", "b"],
        ["x", 5],
      ]),
    ).toBe("a,b\r\nx,5\r\n");
    expect(toCsv([])).toBe("");
  });

  test("keeps commas, quotes and line breaks inside their cell", () => {
    expect(toCsv([['say "hi"', "a,b", "c\nd"]])).toBe('"say ""hi""","a,b","c\nd"\r\n');
  });

  test.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1", "\n=1", "=cmd|'/C calc'!A0", "%0A", "|x"])(
    "keeps spreadsheets from evaluating %j",
    (text) => {
      const cell = toCsv([[text]]).slice(0, -2);
      expect(cell.replace(/^"/, "")[0]).toBe("'");
    },
  );

  test("leaves numbers as they are, also negative ones", () => {
    expect(toCsv([[-5, 0.5]])).toBe("-5,0.5\r\n");
  });
});
