// Every preset is a valid taxonomy that can be exported and imported again.
import { expect, test } from "vitest";
import { locales, wordsIn } from "#words/languages.js";
import { parseTaxonomy } from "./document.js";
import { presetNames, readPreset } from "./presets.js";
import { toYaml } from "./to-yaml.js";

test.each(presetNames)("%s has project types and game versions, and every name that it refers to exists", (name) => {
  const document = readPreset(name);
  expect(document.projectTypes.length).toBeGreaterThan(0);
  expect(document.gameVersions.length).toBeGreaterThan(0);
});

test.each(presetNames)("%s is the same after an export as YAML or JSON and an import", (name) => {
  const document = readPreset(name);
  for (const text of [toYaml(document), JSON.stringify(document)])
    expect(parseTaxonomy(text, "taxonomy")).toEqual({ ok: true, document });
});

test.each(presetNames)("%s has no name twice, in any case", (name) => {
  const { projectTypes, loaders, categories, gameVersions } = readPreset(name);
  const lists = [projectTypes, loaders, categories].map((list) => list.map((entry) => entry.name));
  for (const names of [...lists, gameVersions.map(({ value }) => value)])
    expect(new Set(names.map((each) => each.toLowerCase())).size).toBe(names.length);
});

test("the preset for Minecraft has the names that Modrinth uses", () => {
  const { projectTypes, loaders, categories, gameVersions } = readPreset("minecraft");
  const namesOf = (list: readonly { name: string }[]) => list.map(({ name }) => name).sort();
  expect(namesOf(projectTypes)).toEqual(["datapack", "mod", "modpack", "plugin", "resourcepack", "shader"]);
  const loadersFor = (type: string) => namesOf(loaders.filter((loader) => loader.projectTypes.includes(type)));
  expect(loadersFor("mod")).toEqual([
    ...["babric", "bta-babric", "fabric", "forge", "java-agent", "legacy-fabric", "liteloader", "modloader"],
    ...["neoforge", "nilloader", "ornithe", "quilt", "rift"],
  ]);
  expect(loadersFor("plugin")).toEqual([
    ...["bukkit", "bungeecord", "folia", "geyser", "paper", "purpur", "spigot", "sponge", "velocity", "waterfall"],
  ]);
  expect(loadersFor("modpack")).toEqual(["fabric", "forge", "neoforge", "quilt"]);
  expect(loadersFor("shader")).toEqual(["canvas", "iris", "optifine", "vanilla"]);
  expect(loadersFor("resourcepack")).toEqual(["minecraft"]);
  expect(loadersFor("datapack")).toEqual(["datapack"]);
  const categoriesFor = (type: string) => namesOf(categories.filter((each) => each.projectTypes.includes(type)));
  const ofMods = [
    ...["adventure", "cursed", "decoration", "economy", "equipment", "food", "game-mechanics", "library", "magic"],
    ...["management", "minigame", "mobs", "optimization", "social", "storage", "technology", "transportation"],
    ...["utility", "worldgen"],
  ];
  for (const type of ["mod", "plugin", "datapack"]) expect(categoriesFor(type)).toEqual(ofMods);
  expect(categoriesFor("modpack")).toEqual([
    ...["adventure", "challenging", "combat", "kitchen-sink", "lightweight", "magic", "multiplayer"],
    ...["optimization", "quests", "technology"],
  ]);
  expect(categoriesFor("shader")).toEqual([
    ...["atmosphere", "bloom", "cartoon", "colored-lighting", "cursed", "fantasy", "foliage", "high", "low", "medium"],
    ...["path-tracing", "pbr", "potato", "realistic", "reflections", "screenshot", "semi-realistic", "shadows"],
    "vanilla-like",
  ]);
  expect(categoriesFor("resourcepack")).toEqual([
    ...["128x", "16x", "256x", "32x", "48x", "512x+", "64x", "8x-", "audio", "blocks", "combat", "core-shaders"],
    ...["cursed", "decoration", "entities", "environment", "equipment", "fonts", "gui", "items", "locale", "modded"],
    ...["models", "realistic", "simplistic", "themed", "tweaks", "utility", "vanilla-like"],
  ]);
  expect(gameVersions[0]?.value).toBe("26.3");
  expect(gameVersions.at(-1)?.value).toBe("1.0");
});

test.each(presetNames)("the project types of %s have a name in every language, in English their label", (name) => {
  for (const type of readPreset(name).projectTypes) {
    for (const { projectType, projectTypes } of locales.map((locale) => wordsIn(locale).names))
      for (const known of [projectType, projectTypes]) expect(Object.keys(known)).toContain(type.name);
    const inEnglish: Readonly<Record<string, string>> = wordsIn("en").names.projectType;
    expect(type.label ?? inEnglish[type.name]).toBe(inEnglish[type.name]);
  }
});

/** Sizes such as "16x" and "32px" are the same in every language. */
const isSize = (name: string): boolean => /^\d/.test(name);

test.each(presetNames)("the categories of %s have a name in every language, in English much like their own", (name) => {
  const names = readPreset(name).categories.flatMap((category) => (isSize(category.name) ? [] : category.name));
  for (const locale of locales)
    expect(names.filter((each) => !Object.hasOwn(wordsIn(locale).names.categories, each))).toEqual([]);
  const inEnglish: Readonly<Record<string, string>> = wordsIn("en").names.categories;
  const isLike = (each: string) => inEnglish[each]!.toLowerCase().startsWith(each.slice(0, 3));
  const free = ["april_fools", "less_than_px", "mtg"];
  expect(names.filter((each) => !isLike(each) && !free.includes(each))).toEqual([]);
});

test("the preset for Luanti has the tags of ContentDB, and every release since 5.4", () => {
  const { categories, gameVersions } = readPreset("luanti");
  expect(categories).toHaveLength(51);
  expect(categories.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["adventure__rpg", "mini-game", "plants_and_farming", "server_tools", "128px"]),
  );
  expect(gameVersions.map(({ value }) => value)).toEqual(
    Array.from({ length: gameVersions.length }, (_, at) => `5.${17 - at}`),
  );
});
