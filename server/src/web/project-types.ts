// The kinds of projects as the site names them: in addresses, in the singular and in the plural. A kind that an operator
// added to the taxonomy is shown as it is written there, with a capital letter.

import type { Locale } from "./locale.js";
import { tagName } from "./tag-names.js";
import { defineTexts, textsIn } from "./texts.js";

const texts = defineTexts({
  en: {
    mod: "Mod",
    modpack: "Modpack",
    shader: "Shader",
    "resource-pack": "Resource pack",
    datamod: "Data mod",
    plugin: "Plugin",
    world: "World",
  },
  de: {
    mod: "Mod",
    modpack: "Modpack",
    shader: "Shader",
    "resource-pack": "Ressourcenpaket",
    datamod: "Datamod",
    plugin: "Plugin",
    world: "Welt",
  },
});

const plurals = defineTexts({
  en: {
    mod: "Mods",
    modpack: "Modpacks",
    shader: "Shaders",
    "resource-pack": "Resource packs",
    datamod: "Data mods",
    plugin: "Plugins",
    world: "Worlds",
  },
  de: {
    mod: "Mods",
    modpack: "Modpacks",
    shader: "Shader",
    "resource-pack": "Ressourcenpakete",
    datamod: "Datamods",
    plugin: "Plugins",
    world: "Welten",
  },
});

/** In the order of the navigation. */
export const projectTypes = ["mod", "modpack", "shader", "resource-pack", "datamod", "plugin", "world"] as const;

export const typeName = (type: string, locale: Locale): string =>
  (textsIn(texts, locale) as Record<string, string>)[type] ?? tagName(type);
export const typeNames = (type: string, locale: Locale): string =>
  (textsIn(plurals, locale) as Record<string, string>)[type] ?? tagName(type);

/** "/resource-packs"; kinds that an operator added have no address of their own. */
export const typePath = (type: string): string =>
  (projectTypes as readonly string[]).includes(type) ? `/${type}s` : `/projects?type=${encodeURIComponent(type)}`;
