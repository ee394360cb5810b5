// The taxonomy of the generated registry: 40 game versions, several types of projects and loaders.

const types = {
  mod: { share: 0.62, file: "jar", loaders: ["fabric", "forge", "neoforge", "quilt"] },
  "resource-pack": { share: 0.14, file: "zip", loaders: [] },
  modpack: { share: 0.1, file: "zip", loaders: ["fabric", "forge", "neoforge"] },
  plugin: { share: 0.06, file: "jar", loaders: ["paper", "spigot", "velocity"] },
  shader: { share: 0.04, file: "zip", loaders: ["iris", "optifine"] },
  datapack: { share: 0.04, file: "zip", loaders: [] },
};
const categories = [
  "adventure",
  "decoration",
  "economy",
  "equipment",
  "food",
  "library",
  "magic",
  "mobs",
  "storage",
].concat(["optimization", "social", "technology", "transportation", "utility", "worldgen"]);

/** Newest first: 1.21.4, 1.21.3 … */
export const makeGameVersions = (count) =>
  Array.from({ length: count }, (_, n) => {
    const at = count - 1 - n;
    return `1.${14 + Math.floor(at / 5)}${at % 5 === 0 ? "" : `.${at % 5}`}`;
  });

export const projectTypes = types;
export const typeShares = Object.entries(types).map(([name, { share }]) => [share, name]);
export { categories };

export function makeTaxonomy({ gameVersions }) {
  const names = Object.keys(types);
  const loaders = new Map();
  for (const [name, type] of Object.entries(types))
    for (const loader of type.loaders) loaders.set(loader, [...(loaders.get(loader) ?? []), name]);
  return {
    projectTypes: names.map((name) => ({ name, primaryFileTypes: [types[name].file] })),
    loaders: [...loaders].map(([name, projectTypes]) => ({ name, projectTypes })),
    categories: categories.map((name) => ({ name, projectTypes: names })),
    gameVersions: makeGameVersions(gameVersions),
    licenses: { spdx: true },
  };
}
