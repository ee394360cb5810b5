// Display names of categories. Categories of the default taxonomy have a name in every language of the site; a category
// that an operator added is shown under its own name.

import type { Locale } from "#words/languages.js";
import { texts, textsIn } from "#words/texts.js";
import { tagName } from "./tag-names.js";

export function categoryName(name: string, locale: Locale): string {
  const known: Readonly<Record<string, string>> = textsIn(texts.names.categories, locale);
  return Object.hasOwn(known, name) ? known[name]! : tagName(name);
}
