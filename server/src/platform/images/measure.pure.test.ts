// The size of a picture from its first bytes: every kind of WebP that the encoder writes, and badges.
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { headBytes, measure } from "./measure.js";

const draw = (channels: 3 | 4) =>
  sharp({ create: { width: 301, height: 47, channels, background: { r: 9, g: 90, b: 200, alpha: 0.5 } } });
const strip = sharp(
  Buffer.alloc(8 * 24 * 3).map((_byte, at) => at % 251),
  {
    raw: { width: 8, height: 24, channels: 3, pageHeight: 8 },
  },
);

describe("measure", () => {
  test.each([
    ["lossy", "VP8 ", draw(3).webp(), { width: 301, height: 47 }],
    ["lossless", "VP8L", draw(4).webp({ lossless: true }), { width: 301, height: 47 }],
    ["transparent", "VP8X", draw(4).webp({ quality: 50 }), { width: 301, height: 47 }],
    ["animated", "VP8X", strip.webp({ loop: 0 }), { width: 8, height: 8 }],
  ])("reads the size of a %s WebP", async (_what, kind, picture, size) => {
    const bytes = await picture.toBuffer();
    expect(bytes.toString("latin1", 12, 16)).toBe(kind);
    expect(measure(bytes.subarray(0, headBytes))).toEqual(size);
    expect(measure(bytes.subarray(0, 29))).toBeUndefined();
  });

  test.each([
    ['width="90" height="20"', { width: 90, height: 20 }],
    ['height="20px" role="img" width="90.25px"', { width: 90.25, height: 20 }],
    ['viewBox="0 0 9 9"', undefined],
    ['width="100%" height="20"', undefined],
    ['width="9em" height="2em"', undefined],
    ['width="90" height="0"', undefined],
    ['stroke-width="90" height="20"', undefined],
    ['width="90" height="20" style="width:50%"', undefined],
  ])("reads the size of an SVG with %s only if it is in pixels", (attributes, size) => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}><rect width="5" height="6"></rect></svg>`;
    expect(measure(Buffer.from(svg))).toEqual(size);
  });

  test("knows no size of other bytes", () => {
    for (const text of ["", "RIFF", "<svg", `RIFF${"x".repeat(60)}`])
      expect(measure(Buffer.from(text))).toBeUndefined();
  });
});
