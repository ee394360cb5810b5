// Taxonomies to start with, for several kinds of games. The operator then edits a copy of one.
import { parseTaxonomy, type TaxonomyDocument } from "./document.js";
import { readDefaultTaxonomyText } from "./taxonomy.js";

export const presetNames = ["included", "minecraft", "luanti", "blank"] as const;
export type PresetName = (typeof presetNames)[number];

const minecraft = `
projectTypes:
  - { name: mod, label: Mod, primaryFileTypes: [jar] }
  - { name: plugin, label: Plugin, primaryFileTypes: [jar], clientSide: unsupported, serverSide: required }
  - { name: datapack, label: Data pack, primaryFileTypes: [zip], clientSide: optional, serverSide: required }
  - { name: resource-pack, label: Resource pack, primaryFileTypes: [zip], clientSide: required, serverSide: unsupported }
  - { name: shader, label: Shader, primaryFileTypes: [zip], clientSide: required, serverSide: unsupported }
  - { name: modpack, label: Modpack, primaryFileTypes: [zip] }
  - { name: world, label: World, primaryFileTypes: [zip] }
combinations:
  - [mod, plugin]
  - [mod, datapack]
loaders:
  - { name: fabric, label: Fabric, projectTypes: [mod, modpack] }
  - { name: forge, label: Forge, projectTypes: [mod, modpack] }
  - { name: neoforge, label: NeoForge, projectTypes: [mod, modpack] }
  - { name: quilt, label: Quilt, projectTypes: [mod, modpack] }
  - { name: bukkit, label: Bukkit, projectTypes: [plugin] }
  - { name: spigot, label: Spigot, projectTypes: [plugin] }
  - { name: paper, label: Paper, projectTypes: [plugin] }
  - { name: folia, label: Folia, projectTypes: [plugin] }
  - { name: sponge, label: Sponge, projectTypes: [plugin] }
  - { name: velocity, label: Velocity, projectTypes: [plugin] }
  - { name: iris, label: Iris, projectTypes: [shader] }
  - { name: optifine, label: OptiFine, projectTypes: [shader] }
categories:
  - { name: adventure, projectTypes: [mod, plugin, datapack, modpack, world] }
  - { name: decoration, projectTypes: [mod, datapack, resource-pack] }
  - { name: economy, projectTypes: [mod, plugin, datapack] }
  - { name: equipment, projectTypes: [mod, datapack, resource-pack] }
  - { name: food, projectTypes: [mod, datapack] }
  - { name: game-mechanics, projectTypes: [mod, plugin, datapack] }
  - { name: library, projectTypes: [mod, plugin, datapack] }
  - { name: magic, projectTypes: [mod, plugin, datapack, modpack] }
  - { name: management, projectTypes: [mod, plugin] }
  - { name: minigame, projectTypes: [plugin, datapack, world] }
  - { name: mobs, projectTypes: [mod, plugin, datapack] }
  - { name: optimization, projectTypes: [mod, plugin, modpack] }
  - { name: realistic, projectTypes: [resource-pack, shader] }
  - { name: simplistic, projectTypes: [resource-pack] }
  - { name: social, projectTypes: [mod, plugin] }
  - { name: storage, projectTypes: [mod, datapack] }
  - { name: technology, projectTypes: [mod, datapack, modpack] }
  - { name: transportation, projectTypes: [mod, plugin, datapack] }
  - { name: utility, projectTypes: [mod, plugin, datapack, resource-pack] }
  - { name: vanilla-like, projectTypes: [resource-pack, shader] }
  - { name: worldgen, projectTypes: [mod, plugin, datapack] }
  - { name: 16x, projectTypes: [resource-pack], kind: resolution }
  - { name: 32x, projectTypes: [resource-pack], kind: resolution }
  - { name: 64x, projectTypes: [resource-pack], kind: resolution }
  - { name: 128x, projectTypes: [resource-pack], kind: resolution }
  - { name: low, projectTypes: [shader], kind: performance_impact }
  - { name: medium, projectTypes: [shader], kind: performance_impact }
  - { name: high, projectTypes: [shader], kind: performance_impact }
gameVersions:
  - { value: 1.21.1, major: true }
  - { value: "1.21", major: true }
  - 1.20.6
  - 1.20.4
  - 1.20.2
  - { value: 1.20.1, major: true }
  - 1.19.4
  - { value: 1.19.2, major: true }
  - { value: 1.18.2, major: true }
  - { value: 1.17.1, major: true }
  - { value: 1.16.5, major: true }
  - { value: 1.12.2, major: true }
  - { value: 1.8.9, major: true }
  - { value: 1.7.10, major: true }
`;

const luanti = `
projectTypes:
  - { name: mod, label: Mod, primaryFileTypes: [zip] }
  - { name: game, label: Game, primaryFileTypes: [zip] }
  - { name: texture-pack, label: Texture pack, primaryFileTypes: [zip], clientSide: required, serverSide: unsupported }
categories:
  - { name: building, projectTypes: [mod, game] }
  - { name: crafting, projectTypes: [mod] }
  - { name: creative, projectTypes: [mod, game] }
  - { name: decorative, projectTypes: [mod] }
  - { name: environment, projectTypes: [mod] }
  - { name: food, projectTypes: [mod] }
  - { name: hud, projectTypes: [mod, texture-pack] }
  - { name: inventory, projectTypes: [mod] }
  - { name: library, projectTypes: [mod] }
  - { name: magic, projectTypes: [mod, game] }
  - { name: mapgen, projectTypes: [mod] }
  - { name: mobs, projectTypes: [mod] }
  - { name: pvp, projectTypes: [mod, game] }
  - { name: puzzle, projectTypes: [game] }
  - { name: server-tools, projectTypes: [mod] }
  - { name: survival, projectTypes: [mod, game] }
  - { name: technology, projectTypes: [mod, game] }
  - { name: transport, projectTypes: [mod] }
  - { name: 16px, projectTypes: [texture-pack], kind: resolution }
  - { name: 32px, projectTypes: [texture-pack], kind: resolution }
  - { name: 64px, projectTypes: [texture-pack], kind: resolution }
gameVersions:
  - { value: "5.10", major: true }
  - { value: "5.9", major: true }
  - { value: "5.8", major: true }
  - { value: "5.7", major: true }
  - { value: "5.6", major: true }
  - { value: "5.5", major: true }
  - { value: "5.4", major: true }
`;

const blank = `
projectTypes: [mod]
gameVersions: ["1.0"]
`;

const texts: Record<Exclude<PresetName, "included">, string> = { minecraft, luanti, blank };

export function readPreset(name: PresetName): TaxonomyDocument {
  const parsed = parseTaxonomy(name === "included" ? readDefaultTaxonomyText() : texts[name], `${name}.yaml`);
  if (!parsed.ok) throw new Error(parsed.report);
  return parsed.document;
}
