// English words of names of things: types of projects, categories.

export const names = {
  projectType: {
    mod: "Mod",
    modpack: "Modpack",
    shader: "Shader",
    "resource-pack": "Resource pack",
    datamod: "Data mod",
    plugin: "Plugin",
    world: "World",
  },
  projectTypes: {
    mod: "Mods",
    modpack: "Modpacks",
    shader: "Shaders",
    "resource-pack": "Resource packs",
    datamod: "Data mods",
    plugin: "Plugins",
    world: "Worlds",
  },
};
