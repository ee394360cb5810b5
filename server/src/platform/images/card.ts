// The preview card of a project for other sites (1200 × 630): an SVG with space for its icon.
import { escapeXml } from "#lib/xml.js";

export interface CardWords {
  name: string;
  summary: string;
  /** "Mod · by Ada" */
  line: string;
  tags: readonly string[];
  /** #rrggbb */
  color: string;
  site: string;
}

export const cardSize = { width: 1200, height: 630 };
export const cardIcon = { left: 80, top: 80, side: 160 };

const sans = "system-ui, 'Segoe UI', Roboto, 'Noto Sans', 'DejaVu Sans', sans-serif";
const textWidth = cardSize.width - 160;

export function drawCard({ name, summary, line, tags, color, site }: CardWords): string {
  const nameLeft = cardIcon.left + cardIcon.side + 40;
  const names = wrapText(name, cardSize.width - nameLeft - 80, 64, 2);
  const summaries = wrapText(summary, textWidth, 36, 4);
  const spine = /^#[0-9a-f]{6}$/i.test(color) ? color : "#0b6b63";
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${cardSize.width}" height="${cardSize.height}" font-family="${sans}">`,
    `<rect width="100%" height="100%" fill="#f6f5f1"/>`,
    `<rect width="24" height="100%" fill="${spine}"/>`,
    ...names.map((text, at) => lineOf(text, { x: nameLeft, y: 140 + at * 74, size: 64, weight: 700, fill: "#1b1f23" })),
    lineOf(wrapText(line, cardSize.width - nameLeft - 80, 30, 1)[0] ?? "", {
      x: nameLeft,
      y: 140 + names.length * 74 - 14,
      size: 30,
      weight: 400,
      fill: "#525a63",
    }),
    ...summaries.map((text, at) => lineOf(text, { x: 80, y: 340 + at * 50, size: 36, weight: 400, fill: "#1b1f23" })),
    lineOf(wrapText(tags.join("  ·  "), textWidth - 260, 28, 1)[0] ?? "", {
      x: 80,
      y: 580,
      size: 28,
      weight: 600,
      fill: "#0b6b63",
    }),
    `<text x="${cardSize.width - 60}" y="580" font-size="28" font-weight="700" fill="#525a63" text-anchor="end">${escapeXml(site)}</text>`,
    "</svg>",
  ].join("");
}

interface Look {
  x: number;
  y: number;
  size: number;
  weight: number;
  fill: string;
}

const lineOf = (text: string, { x, y, size, weight, fill }: Look): string =>
  `<text x="${x}" y="${y}" font-size="${size}" font-weight="${weight}" fill="${fill}">${escapeXml(text)}</text>`;

/** Wide letters of Asian scripts and emoji take a whole square, most others about half of one. */
const widthOf = (letter: string): number => {
  if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Extended_Pictographic}]/u.test(letter))
    return 1.05;
  if (/\p{M}/u.test(letter)) return 0;
  return /[\p{Lu}MWmw@%]/u.test(letter) ? 0.72 : 0.56;
};

const measure = (text: string): number => [...text].reduce((sum, letter) => sum + widthOf(letter), 0);

/** Wraps between words if possible, otherwise inside them; the rest is replaced by an ellipsis. */
export function wrapText(text: string, width: number, size: number, maxLines: number): string[] {
  const room = width / size;
  const lines: string[] = [];
  let line = "";
  const words = text.split(/\s+/).filter((word) => word !== "");
  for (const word of words.flatMap((each) => splitWord(each, room))) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (measure(longer) <= room) {
      line = longer;
      continue;
    }
    lines.push(line);
    line = word;
    if (lines.length > maxLines) break;
  }
  if (line !== "") lines.push(line);
  if (lines.length <= maxLines) return lines;
  const kept = lines.slice(0, maxLines);
  const last = [...kept[maxLines - 1]!];
  while (last.length > 0 && measure(`${last.join("")}…`) > room) last.pop();
  return [...kept.slice(0, -1), `${last.join("")}…`];
}

function splitWord(word: string, room: number): string[] {
  if (measure(word) <= room) return [word];
  const parts: string[] = [];
  let part = "";
  for (const letter of word) {
    if (measure(part + letter) > room) {
      parts.push(part);
      part = "";
    }
    part += letter;
  }
  return [...parts, part];
}
