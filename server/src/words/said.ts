// Sentences that the service says without knowing the language of the reader: an area and a key of the catalogues, and the
// parts that change. The API sends them in English, pages in the language of the page.
import type { Words } from "./en/catalogue.js";
import { type Locale, wordsIn } from "./languages.js";

const areas = [
  "archiveDetails",
  "archives",
  "bodies",
  "checkup",
  "deliveries",
  "files",
  "identity",
  "limits",
  "packs",
  "problems",
  "refusals",
  "states",
  "taxonomy",
] as const;
type Area = (typeof areas)[number];
type Part = string | number | Said;

/** One sentence. In JSON and in templates it is English. */
export class Said {
  readonly area: Area;
  readonly key: string;
  readonly parts: readonly Part[];

  constructor(area: Area, key: string, parts: readonly Part[] = []) {
    this.area = area;
    this.key = key;
    this.parts = parts;
  }

  in(locale: Locale): string {
    const words = (wordsIn(locale)[this.area] as Record<string, string | ((...parts: Part[]) => string)>)[this.key]!;
    return typeof words === "string" ? words : words(...this.parts.map((part) => sayIn(locale, part)));
  }

  toString(): string {
    return this.in("en");
  }

  toJSON(): string {
    return this.in("en");
  }
}

/** A plain text comes from elsewhere, such as a library, and is the same in every language. */
export type Sentence = Said | string;

export const sayIn = <T>(locale: Locale, part: T): Exclude<T, Said> | string =>
  part instanceof Said ? part.in(locale) : (part as Exclude<T, Said>);

type Parts<P extends unknown[]> = { [I in keyof P]: P[I] extends string ? Sentence : P[I] };
type Say = {
  readonly [A in Area]: {
    readonly [K in keyof Words[A]]: Words[A][K] extends (...parts: infer P) => string
      ? (...parts: Parts<P>) => Said
      : Said;
  };
};

const english = wordsIn("en") as unknown as Record<Area, Record<string, unknown>>;

/** `say.problems.missing`, `say.problems.atMost(5)` */
export const say = Object.fromEntries(
  areas.map((area) => [
    area,
    Object.fromEntries(
      Object.entries(english[area]).map(([key, words]) => [
        key,
        typeof words === "string" ? new Said(area, key) : (...parts: Part[]) => new Said(area, key, parts),
      ]),
    ),
  ]),
) as Say;

type Packed = [area: string, key: string, ...parts: unknown[]];

const pack = (part: Part): unknown => (part instanceof Said ? [part.area, part.key, ...part.parts.map(pack)] : part);

/** A sentence as text for the database, to be read in any language. */
export const packSentence = (sentence: Sentence): string =>
  typeof sentence === "string" ? sentence : JSON.stringify(pack(sentence));

/** Rows of earlier releases, and sentences that are no longer in the catalogues, are returned as they were stored. */
export function unpackSentence(stored: string): Sentence {
  if (!stored.startsWith("[")) return stored;
  try {
    return unpack(JSON.parse(stored)) as Sentence;
  } catch {
    return stored;
  }
}

function unpack(part: unknown): Part {
  if (typeof part === "string" || typeof part === "number") return part;
  const [area, key, ...parts] = part as Packed;
  if (!areas.includes(area as Area) || !Object.hasOwn(english[area as Area], key)) throw new Error("Unknown sentence");
  return new Said(area as Area, key, parts.map(unpack));
}
