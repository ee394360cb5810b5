// Badges: a label and a message side by side, drawn as SVG or as JSON for clients that draw them themselves (the
// endpoint format of shields.io). Pure.
import { element, textElement } from "#lib/xml.js";

export interface Badge {
  label: string;
  message: string;
  /** #rrggbb */
  color: string;
}

/** Widths in Verdana at 11 pixels, in tenths; other characters are as wide as the widest letters of their kind. */
const widths: Record<string, string> = {
  35: "ijlI|'.,:;!",
  43: "f t",
  50: "rJ()[]{}/\\-",
  57: "szcv",
  63: "aekxyFL?",
  70: "bdghnopquTPESZ0123456789_$",
  78: "KXYVARBC",
  86: "HNUDOGQ+=<>#",
  99: "wMmW@%&",
};
const widthOf = new Map(
  Object.entries(widths).flatMap(([width, letters]) => [...letters].map((letter) => [letter, Number(width) / 10])),
);
/** Letters beyond ASCII; and full-width letters. */
const [otherWidth, wideWidth] = [8, 11.5];
const wide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Extended_Pictographic}]/u;

export const textWidth = (text: string): number => {
  let width = 0;
  for (const letter of text) width += widthOf.get(letter) ?? (wide.test(letter) ? wideWidth : otherWidth);
  return Math.round(width);
};

const height = 20;
const padding = 6;
const labelColor = "#555";

/** The client may use another font: textLength makes the text fit anyway. */
export function toSvg({ label, message, color }: Badge): string {
  const [left, right] = [textWidth(label), textWidth(message)];
  const [leftBox, rightBox] = [left + 2 * padding, right + 2 * padding];
  const width = leftBox + rightBox;
  const spoken = `${label}: ${message}`;
  const box = (x: number, boxWidth: number, fill: string) => element("rect", { x, width: boxWidth, height, fill });
  const text = (x: number, length: number, content: string) =>
    textElement("text", content, { x, y: 14, textLength: length });
  const attributes = { xmlns: "http://www.w3.org/2000/svg", width, height, role: "img", "aria-label": spoken };
  return element("svg", attributes, [
    textElement("title", spoken),
    element("clipPath", { id: "r" }, [element("rect", { width, height, rx: 3, fill: "#fff" })]),
    element("g", { "clip-path": "url(#r)" }, [box(0, leftBox, labelColor), box(leftBox, rightBox, color)]),
    element("g", { fill: "#fff", "font-family": "Verdana,Geneva,DejaVu Sans,sans-serif", "font-size": 11 }, [
      text(padding, left, label),
      text(leftBox + padding, right, message),
    ]),
  ]);
}

export const toShieldsForm = ({ label, message, color }: Badge) => ({
  schemaVersion: 1,
  label,
  message,
  color,
  cacheSeconds: 300,
});

/** 999, 1.2k, 45k, 1.2M. */
export function shortNumber(value: number): string {
  for (const [size, unit] of [
    [1e9, "G"],
    [1e6, "M"],
    [1e3, "k"],
  ] as const) {
    // Rounded down, so that a million is shown only if it is reached.
    if (value >= size)
      return `${value >= 10 * size ? Math.floor(value / size) : Math.floor((value / size) * 10) / 10}${unit}`;
  }
  return String(value);
}

/** Takes the newest first and shows the oldest first: all if there are few, otherwise from the oldest to the newest. */
export function shortRange(newestFirst: readonly string[]): string {
  const names = newestFirst.toReversed();
  return names.length <= 3 ? names.join(" | ") : `${names[0]} – ${names.at(-1)}`;
}
