// The words of the pages: `texts.account.token` is one section of a catalogue in all languages. A page picks its language
// with useTexts (web/context/texts.ts), everything else with textsIn.
import type { Words } from "./en/catalogue.js";
import { type Locale, locales, wordsIn } from "./languages.js";

/** The same words in every language. */
export type Texts<T> = Readonly<Record<Locale, T>>;

export const textsIn = <T>(texts: Texts<T>, locale: Locale): T => texts[locale];

type Areas = { readonly [A in keyof Words]: { readonly [S in keyof Words[A]]: Texts<Words[A][S]> } };

const mapValues = (object: object, change: (key: string) => unknown): object =>
  Object.fromEntries(Object.keys(object).map((key) => [key, change(key)]));

type Tree = Record<string, Record<string, unknown>>;
const inAll = (area: string, section: string): unknown =>
  Object.fromEntries(locales.map((locale) => [locale, (wordsIn(locale) as unknown as Tree)[area]![section]]));

export const texts = mapValues(wordsIn("en"), (area) =>
  mapValues((wordsIn("en") as unknown as Tree)[area]!, (section) => inAll(area, section)),
) as Areas;
