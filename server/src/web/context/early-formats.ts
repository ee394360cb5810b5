// Loads the number and date formats of all languages before the first request needs them.
import { locales } from "#words/languages.js";
import { formatIn } from "./format.js";

/** The first use of a language's formats takes tens of milliseconds. */
export function prepareFormats(): void {
  for (const locale of locales) formatIn(locale, 0);
}
