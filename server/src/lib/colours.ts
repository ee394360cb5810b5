// Colours as numbers: how to mix them, and the contrast between two of them (WCAG 2.2).

export type Colour = readonly [red: number, green: number, blue: number];

/** Parses "#0b6b63"; returns undefined for anything else. */
export function parseColour(text: string): Colour | undefined {
  const [, red, green, blue] = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text) ?? [];
  return red && green && blue
    ? [Number.parseInt(red, 16), Number.parseInt(green, 16), Number.parseInt(blue, 16)]
    : undefined;
}

export const toHex = (colour: Colour): string =>
  `#${colour.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;

/** `share` is the part of the second colour, from 0 to 1. */
export const mixed = (first: Colour, second: Colour, share: number): Colour => {
  const part = (at: 0 | 1 | 2): number => first[at] + (second[at] - first[at]) * share;
  return [part(0), part(1), part(2)];
};

/** From 1 (the same) to 21 (black on white). */
export function contrast(first: Colour, second: Colour): number {
  const [a, b] = [luminance(first), luminance(second)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

function luminance([red, green, blue]: Colour): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

const linear = (part: number): number => {
  const share = part / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
};
