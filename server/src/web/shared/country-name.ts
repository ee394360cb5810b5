// The name of a country in the reader's language.
import type { Locale } from "#words/languages.js";

const namesIn = new Map<Locale, Intl.DisplayNames>();

/** `code`: two capital letters. */
export function countryName(code: string, locale: Locale): string {
  let names = namesIn.get(locale);
  if (!names) {
    names = new Intl.DisplayNames(locale, { type: "region", fallback: "code" });
    namesIn.set(locale, names);
  }
  return names.of(code) ?? code;
}
