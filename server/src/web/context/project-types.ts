// The kinds of projects as the site names them: in addresses, in the singular and in the plural. A kind that an operator
// added to the taxonomy is shown as it is written there, with a capital letter.

import type { Locale } from "#words/languages.js";
import { texts, textsIn } from "#words/texts.js";
import { tagName } from "./tag-names.js";

/** In the order of the navigation. */
export const projectTypes = ["mod", "modpack", "shader", "resource-pack", "datamod", "plugin", "world"] as const;

export const typeName = (type: string, locale: Locale): string =>
  (textsIn(texts.names.projectType, locale) as Record<string, string>)[type] ?? tagName(type);
export const typeNames = (type: string, locale: Locale): string =>
  (textsIn(texts.names.projectTypes, locale) as Record<string, string>)[type] ?? tagName(type);

/** "/resource-packs"; kinds that an operator added have no address of their own. */
export const typePath = (type: string): string =>
  (projectTypes as readonly string[]).includes(type) ? `/${type}s` : `/projects?type=${encodeURIComponent(type)}`;
