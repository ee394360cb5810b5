// The texts of a page that change although nothing was published: its downloads, and how long ago something happened. A page
// that is stored has gaps in their places, which are filled whenever it is sent.
import type { Resources } from "#platform/http/resources.js";
import type { Format } from "#web/context/format.js";

/** The downloads as digits, in full or in short notation; or a time in milliseconds, for how long ago that was. */
export type LiveText = "digits" | "number" | "count" | number;

/** HTML with gaps: each live text follows the text with the same number. */
export interface LiveHtml {
  texts: readonly string[];
  live: readonly LiveText[];
}

/** Authors cannot know it, so none of their texts can contain a mark. */
export interface Nonce {
  /** Letters and digits. */
  name: string;
  /** Stands for the downloads of the project: an integer with 16 digits. */
  downloads: number;
}

/** Sixteen digits, which is more than any number of downloads has. */
const leastNonce = 1e15;

export const newNonce = ({ random }: Pick<Resources, "random">): Nonce => ({
  name: random.bytes(12).toString("hex"),
  downloads: leastNonce + random.bytes(6).readUIntBE(0, 6),
});

/** Writes a mark wherever the text will be another one later. */
export const markingFormat = (format: Format, { name, downloads }: Nonce): Format => ({
  ...format,
  number: (value) => (value === downloads ? markOf(name, "number") : format.number(value)),
  count: (value) => (value === downloads ? markOf(name, "count") : format.count(value)),
  ago: (time) => markOf(name, time),
});

const startOf = (name: string): string => `live-${name}-`;
const markOf = (name: string, text: LiveText): string => `${startOf(name)}${text}-`;

export function toLiveHtml(html: string, { name, downloads }: Nonce): LiveHtml {
  // Structured data has the number as it is, without a mark.
  const marked = html.replaceAll(String(downloads), markOf(name, "digits"));
  const [first = "", ...others] = marked.split(startOf(name));
  const texts = [first];
  const live: LiveText[] = [];
  for (const part of others) {
    const end = part.indexOf("-");
    live.push(toLiveText(part.slice(0, end)));
    texts.push(part.slice(end + 1));
  }
  return { texts, live };
}

const toLiveText = (text: string): LiveText => (/^\d/.test(text) ? Number(text) : (text as LiveText));

/** Words beside the figure are those for several downloads, so that the page of a project with one cannot be stored. */
export const canFill = (downloads: number): boolean => downloads !== 1;

export function fillGap(text: LiveText, downloads: number, format: Format): string {
  if (typeof text === "number") return format.ago(text);
  return text === "digits" ? String(downloads) : format[text](downloads);
}
