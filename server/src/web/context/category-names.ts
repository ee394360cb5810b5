// Names of categories for people. Operators choose their own: those of the taxonomy that comes with us are known in every
// language of the site, others read as they are called.

import type { Locale } from "#words/languages.js";
import { texts, textsIn } from "#words/texts.js";
import { tagName } from "./tag-names.js";

export function categoryName(name: string, locale: Locale): string {
  const known: Readonly<Record<string, string>> = textsIn(texts.names.categories, locale);
  return Object.hasOwn(known, name) ? known[name]! : tagName(name);
}
