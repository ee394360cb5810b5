// Prepares the formats of all languages before the first visitor needs them.
import { locales } from "#words/languages.js";
import { formatIn } from "./format.js";

/** The first use of a language's tables takes tens of milliseconds. */
export function prepareFormats(): void {
  for (const locale of locales) formatIn(locale, 0);
}
