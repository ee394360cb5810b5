// An operator's colour must be read as well as our own, in both themes.
import { describe, expect, test } from "vitest";
import { type Colour, contrast, parseColour } from "#lib/colours.js";
import { accentStyles } from "./accent.js";

const black: Colour = [0, 0, 0];
const white: Colour = [255, 255, 255];

describe("contrast", () => {
  test("is 21 between black and white, and 1 between the same", () => {
    expect(contrast(black, white)).toBeCloseTo(21, 5);
    expect(contrast(white, white)).toBe(1);
    expect(contrast(parseColour("#767676")!, white)).toBeCloseTo(4.54, 2);
  });
});

test.each(["#0b6b63", "#7a1f6b", "#000000", "#b3261e", "#0000ff", "#595959"])(
  "%s becomes a set of colours that can be read on each other",
  (text) => {
    const styles = accentStyles(parseColour(text)!);
    const pairs = new Map(
      [...styles.matchAll(/(--[\w-]+):light-dark\((#\w{6}),(#\w{6})\)/g)].map(([, name, light, dark]) => [
        name!,
        { light: parseColour(light!)!, dark: parseColour(dark!)! },
      ]),
    );
    const of = (name: string) => pairs.get(name)!;
    expect([...pairs.keys()]).toEqual(["--accent", "--accent-strong", "--on-accent", "--accent-soft"]);
    for (const theme of ["light", "dark"] as const) {
      expect(contrast(of("--accent")[theme], of("--on-accent")[theme]), theme).toBeGreaterThan(4.5);
      expect(contrast(of("--accent-strong")[theme], of("--accent-soft")[theme]), theme).toBeGreaterThan(4.5);
    }
    expect(contrast(of("--accent").dark, parseColour("#1a1f26")!)).toBeGreaterThan(4.5);
  },
);
