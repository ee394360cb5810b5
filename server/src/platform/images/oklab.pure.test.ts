// Colour conversion against known values, and the average colour of an icon.
import { describe, expect, test } from "vitest";
import { averageColor, toHex, toOklab, toRgb } from "./oklab.js";

describe("OKLab", () => {
  test.each([
    [
      [255, 255, 255],
      [1, 0, 0],
    ],
    [
      [0, 0, 0],
      [0, 0, 0],
    ],
    [
      [255, 0, 0],
      [0.628, 0.2249, 0.1258],
    ],
    [
      [0, 255, 0],
      [0.8664, -0.2339, 0.1795],
    ],
    [
      [0, 0, 255],
      [0.452, -0.0325, -0.3115],
    ],
  ] as const)("sRGB %j has its published value", ([red, green, blue], [lightness, a, b]) => {
    const color = toOklab(red, green, blue);
    expect(color.lightness).toBeCloseTo(lightness, 3);
    expect(color.a).toBeCloseTo(a, 3);
    expect(color.b).toBeCloseTo(b, 3);
  });

  test("converting there and back gives the same colour, and colours beyond sRGB are clipped", () => {
    for (let value = 0; value < 256; value += 5) {
      const color = [value, 255 - value, (value * 7) % 256] as const;
      expect(toRgb(toOklab(...color))).toEqual([...color]);
    }
    expect(toHex({ lightness: 2, a: 0, b: 0 })).toBe("#ffffff");
    expect(toHex({ lightness: -1, a: 0.5, b: -0.5 })).toMatch(/^#[0-9a-f]{6}$/);
  });
});

describe("the colour of a picture", () => {
  const pixels = (...colors: [red: number, green: number, blue: number, alpha: number][]) =>
    Uint8Array.from(colors.flat());

  test("greys and transparent pixels are ignored if there is a hue", () => {
    const color = averageColor(pixels([200, 30, 30, 255], [255, 255, 255, 255], [0, 0, 0, 255], [0, 255, 0, 10]));
    expect(color).toBe("#c81e1e");
  });

  test("a grey picture has its plain average without transparent pixels", () => {
    expect(averageColor(pixels([90, 90, 90, 255], [90, 90, 90, 255], [255, 255, 255, 0]))).toBe("#5a5a5a");
  });

  test("a fully transparent or empty picture has a neutral colour", () => {
    expect(averageColor(pixels([1, 2, 3, 0]))).toBe("#808080");
    expect(averageColor(new Uint8Array())).toBe("#808080");
  });
});
