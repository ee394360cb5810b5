// German words of names of things: types of projects, categories.
import type { Words } from "#words/en/catalogue.js";

export const names: Words["names"] = {
  projectType: {
    mod: "Mod",
    modpack: "Modpack",
    shader: "Shader",
    "resource-pack": "Ressourcenpaket",
    datamod: "Datamod",
    plugin: "Plugin",
    world: "Welt",
  },
  projectTypes: {
    mod: "Mods",
    modpack: "Modpacks",
    shader: "Shader",
    "resource-pack": "Ressourcenpakete",
    datamod: "Datamods",
    plugin: "Plugins",
    world: "Welten",
  },
};
