import { describe, expect, test } from "vitest";
import { allOf, parseXml } from "#test/callers/xml.js";
import { shortNumber, shortRange, textWidth, toShieldsForm, toSvg } from "./badge.js";

const read = (label: string, message: string) =>
  parseXml(`<?xml version="1.0" encoding="UTF-8"?>${toSvg({ label, message, color: "#0b6aa2" })}`);

describe("a badge", () => {
  test("is an image with an accessible text", () => {
    const svg = read("downloads", "1.2k");
    expect(svg.attributes).toMatchObject({ role: "img", "aria-label": "downloads: 1.2k", height: "20" });
    expect(allOf(svg, "title")[0]!.text).toBe("downloads: 1.2k");
  });

  test("is as wide as its two texts need, and each text fits into its half", () => {
    for (const message of ["1", "45k", "0.4.8 – 0.5.1", "MIT", "名前", "W".repeat(64)]) {
      const svg = read("game versions", message);
      const [left, right] = allOf(allOf(svg, "g")[0]!, "rect").map(({ attributes }) => attributes);
      const texts = allOf(allOf(svg, "g")[1]!, "text").map(({ attributes }) => attributes);
      expect(Number(left!.width) + Number(right!.width)).toBe(Number(svg.attributes.width));
      expect(Number(right!.x)).toBe(Number(left!.width));
      expect(Number(texts[0]!.textLength)).toBe(textWidth("game versions"));
      expect(Number(texts[1]!.x) + Number(texts[1]!.textLength)).toBeLessThan(Number(svg.attributes.width));
    }
    expect(textWidth("WWW")).toBeGreaterThan(textWidth("iii"));
    expect(textWidth("")).toBe(0);
  });

  test("escapes markup in its texts", () => {
    const svg = read("license", `"><script>alert(1)</script>&\u0000`);
    expect(allOf(allOf(svg, "g")[1]!, "text")[1]!.text).toBe(`"><script>alert(1)</script>&`);
    expect(JSON.stringify(svg)).not.toContain('"name":"script"');
  });

  test("has a format for clients that draw it themselves", () => {
    expect(toShieldsForm({ label: "a", message: "b", color: "#000000" })).toEqual({
      schemaVersion: 1,
      label: "a",
      message: "b",
      color: "#000000",
      cacheSeconds: 300,
    });
  });
});

describe("a number on a badge", () => {
  test.each([
    [0, "0"],
    [999, "999"],
    [1000, "1k"],
    [1234, "1.2k"],
    [9999, "9.9k"],
    [10_000, "10k"],
    [999_999, "999k"],
    [1_000_000, "1M"],
    [1_250_000_000, "1.2G"],
  ])("%i is %s", (value, text) => {
    expect(shortNumber(value)).toBe(text);
  });
});

describe("game versions on a badge", () => {
  test.each([
    [[], ""],
    [["0.5"], "0.5"],
    [["0.6", "0.5", "0.4"], "0.4 | 0.5 | 0.6"],
    [["0.7", "0.6", "0.5", "0.4"], "0.4 – 0.7"],
  ])("%j are written %j", (names, text) => {
    expect(shortRange(names)).toBe(text);
  });
});
