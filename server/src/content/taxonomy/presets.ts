// Taxonomies to start with, for several kinds of games. The operator then edits a copy of one.
import { parseTaxonomy, type TaxonomyDocument } from "./document.js";
import { readDefaultTaxonomyText } from "./taxonomy.js";

export const presetNames = ["included", "minecraft", "luanti", "factory", "blank"] as const;
export type PresetName = (typeof presetNames)[number];

/** Loaders, categories and types have the names of Modrinth's API, so that publishing tools need no translation. */
const minecraft = `
projectTypes:
  - { name: mod, label: Mod, primaryFileTypes: [jar] }
  - { name: plugin, label: Plugin, primaryFileTypes: [jar], clientSide: unsupported, serverSide: required }
  - { name: datapack, label: Data pack, primaryFileTypes: [zip], clientSide: optional, serverSide: required }
  - { name: resourcepack, label: Resource pack, primaryFileTypes: [zip], clientSide: required, serverSide: unsupported }
  - { name: shader, label: Shader, primaryFileTypes: [zip], clientSide: required, serverSide: unsupported }
  - { name: modpack, label: Modpack, primaryFileTypes: [mrpack, zip] }
combinations:
  - [mod, plugin]
  - [mod, datapack]
loaders:
  - { name: fabric, label: Fabric, projectTypes: [mod, modpack] }
  - { name: forge, label: Forge, projectTypes: [mod, modpack] }
  - { name: neoforge, label: NeoForge, projectTypes: [mod, modpack] }
  - { name: quilt, label: Quilt, projectTypes: [mod, modpack] }
  - { name: babric, label: Babric, projectTypes: [mod] }
  - { name: bta-babric, label: BTA (Babric), projectTypes: [mod] }
  - { name: java-agent, label: Java Agent, projectTypes: [mod] }
  - { name: liteloader, label: LiteLoader, projectTypes: [mod] }
  - { name: modloader, label: "Risugami's ModLoader", projectTypes: [mod] }
  - { name: rift, label: Rift, projectTypes: [mod] }
  - { name: legacy-fabric, label: Legacy Fabric, projectTypes: [mod] }
  - { name: nilloader, label: NilLoader, projectTypes: [mod] }
  - { name: ornithe, label: Ornithe, projectTypes: [mod] }
  - { name: bukkit, label: Bukkit, projectTypes: [plugin] }
  - { name: spigot, label: Spigot, projectTypes: [plugin] }
  - { name: paper, label: Paper, projectTypes: [plugin] }
  - { name: purpur, label: Purpur, projectTypes: [plugin] }
  - { name: folia, label: Folia, projectTypes: [plugin] }
  - { name: sponge, label: Sponge, projectTypes: [plugin] }
  - { name: geyser, label: Geyser Extension, projectTypes: [plugin] }
  - { name: bungeecord, label: BungeeCord, projectTypes: [plugin] }
  - { name: velocity, label: Velocity, projectTypes: [plugin] }
  - { name: waterfall, label: Waterfall, projectTypes: [plugin] }
  - { name: iris, label: Iris, projectTypes: [shader] }
  - { name: optifine, label: OptiFine, projectTypes: [shader] }
  - { name: canvas, label: Canvas, projectTypes: [shader] }
  - { name: vanilla, label: Vanilla shader, projectTypes: [shader] }
  - { name: datapack, label: Data pack, projectTypes: [datapack] }
  - { name: minecraft, label: Minecraft, projectTypes: [resourcepack] }
categories:
  - { name: adventure, projectTypes: [mod, plugin, datapack, modpack] }
  - { name: cartoon, projectTypes: [shader] }
  - { name: challenging, projectTypes: [modpack] }
  - { name: combat, projectTypes: [resourcepack, modpack] }
  - { name: cursed, projectTypes: [mod, plugin, datapack, resourcepack, shader] }
  - { name: decoration, projectTypes: [mod, plugin, datapack, resourcepack] }
  - { name: economy, projectTypes: [mod, plugin, datapack] }
  - { name: equipment, projectTypes: [mod, plugin, datapack, resourcepack] }
  - { name: fantasy, projectTypes: [shader] }
  - { name: food, projectTypes: [mod, plugin, datapack] }
  - { name: game-mechanics, projectTypes: [mod, plugin, datapack] }
  - { name: kitchen-sink, projectTypes: [modpack] }
  - { name: library, projectTypes: [mod, plugin, datapack] }
  - { name: lightweight, projectTypes: [modpack] }
  - { name: magic, projectTypes: [mod, plugin, datapack, modpack] }
  - { name: management, projectTypes: [mod, plugin, datapack] }
  - { name: minigame, projectTypes: [mod, plugin, datapack] }
  - { name: mobs, projectTypes: [mod, plugin, datapack] }
  - { name: modded, projectTypes: [resourcepack] }
  - { name: multiplayer, projectTypes: [modpack] }
  - { name: optimization, projectTypes: [mod, plugin, datapack, modpack] }
  - { name: quests, projectTypes: [modpack] }
  - { name: realistic, projectTypes: [resourcepack, shader] }
  - { name: semi-realistic, projectTypes: [shader] }
  - { name: simplistic, projectTypes: [resourcepack] }
  - { name: social, projectTypes: [mod, plugin, datapack] }
  - { name: storage, projectTypes: [mod, plugin, datapack] }
  - { name: technology, projectTypes: [mod, plugin, datapack, modpack] }
  - { name: themed, projectTypes: [resourcepack] }
  - { name: transportation, projectTypes: [mod, plugin, datapack] }
  - { name: tweaks, projectTypes: [resourcepack] }
  - { name: utility, projectTypes: [mod, plugin, datapack, resourcepack] }
  - { name: vanilla-like, projectTypes: [resourcepack, shader] }
  - { name: worldgen, projectTypes: [mod, plugin, datapack] }
  - { name: audio, projectTypes: [resourcepack], kind: feature }
  - { name: blocks, projectTypes: [resourcepack], kind: feature }
  - { name: core-shaders, projectTypes: [resourcepack], kind: feature }
  - { name: entities, projectTypes: [resourcepack], kind: feature }
  - { name: environment, projectTypes: [resourcepack], kind: feature }
  - { name: fonts, projectTypes: [resourcepack], kind: feature }
  - { name: gui, projectTypes: [resourcepack], kind: feature }
  - { name: items, projectTypes: [resourcepack], kind: feature }
  - { name: locale, projectTypes: [resourcepack], kind: feature }
  - { name: models, projectTypes: [resourcepack], kind: feature }
  - { name: atmosphere, projectTypes: [shader], kind: feature }
  - { name: bloom, projectTypes: [shader], kind: feature }
  - { name: colored-lighting, projectTypes: [shader], kind: feature }
  - { name: foliage, projectTypes: [shader], kind: feature }
  - { name: path-tracing, projectTypes: [shader], kind: feature }
  - { name: pbr, projectTypes: [shader], kind: feature }
  - { name: reflections, projectTypes: [shader], kind: feature }
  - { name: shadows, projectTypes: [shader], kind: feature }
  - { name: 8x-, projectTypes: [resourcepack], kind: resolution }
  - { name: 16x, projectTypes: [resourcepack], kind: resolution }
  - { name: 32x, projectTypes: [resourcepack], kind: resolution }
  - { name: 48x, projectTypes: [resourcepack], kind: resolution }
  - { name: 64x, projectTypes: [resourcepack], kind: resolution }
  - { name: 128x, projectTypes: [resourcepack], kind: resolution }
  - { name: 256x, projectTypes: [resourcepack], kind: resolution }
  - { name: 512x+, projectTypes: [resourcepack], kind: resolution }
  - { name: potato, projectTypes: [shader], kind: performance_impact }
  - { name: low, projectTypes: [shader], kind: performance_impact }
  - { name: medium, projectTypes: [shader], kind: performance_impact }
  - { name: high, projectTypes: [shader], kind: performance_impact }
  - { name: screenshot, projectTypes: [shader], kind: performance_impact }
gameVersions: [
  { value: "26.3", major: true }, { value: "26.2", major: true }, 26.1.2, 26.1.1, { value: "26.1", major: true },
  1.21.11, 1.21.10, 1.21.9, 1.21.8, 1.21.7, 1.21.6, 1.21.5, 1.21.4, 1.21.3, 1.21.2, 1.21.1,
  { value: "1.21", major: true }, 1.20.6, 1.20.5, 1.20.4, 1.20.3, 1.20.2, 1.20.1, { value: "1.20", major: true },
  1.19.4, 1.19.3, 1.19.2, 1.19.1, { value: "1.19", major: true }, 1.18.2, 1.18.1, { value: "1.18", major: true },
  1.17.1, { value: "1.17", major: true }, 1.16.5, 1.16.4, 1.16.3, 1.16.2, 1.16.1, { value: "1.16", major: true },
  1.15.2, 1.15.1, { value: "1.15", major: true }, 1.14.4, 1.14.3, 1.14.2, 1.14.1, { value: "1.14", major: true },
  1.13.2, 1.13.1, { value: "1.13", major: true }, 1.12.2, 1.12.1, { value: "1.12", major: true }, 1.11.2, 1.11.1,
  { value: "1.11", major: true }, 1.10.2, 1.10.1, { value: "1.10", major: true }, 1.9.4, 1.9.3, 1.9.2, 1.9.1,
  { value: "1.9", major: true }, 1.8.9, 1.8.8, 1.8.7, 1.8.6, 1.8.5, 1.8.4, 1.8.3, 1.8.2, 1.8.1,
  { value: "1.8", major: true }, 1.7.10, 1.7.9, 1.7.8, 1.7.7, 1.7.6, 1.7.5, 1.7.4, 1.7.3,
  { value: 1.7.2, major: true }, 1.6.4, 1.6.2, { value: 1.6.1, major: true }, 1.5.2, { value: 1.5.1, major: true },
  1.4.7, 1.4.6, 1.4.5, 1.4.4, { value: 1.4.2, major: true }, 1.3.2, { value: 1.3.1, major: true }, 1.2.5, 1.2.4,
  1.2.3, 1.2.2, { value: 1.2.1, major: true }, { value: "1.1", major: true }, { value: "1.0", major: true },
]
`;

/** Categories have the names of the tags of ContentDB, without those of past events. */
const luanti = `
projectTypes:
  - { name: mod, label: Mod, primaryFileTypes: [zip] }
  - { name: game, label: Game, primaryFileTypes: [zip] }
  - { name: texture-pack, label: Texture pack, primaryFileTypes: [zip], clientSide: required, serverSide: unsupported }
categories:
  - { name: adventure__rpg, projectTypes: [mod, game] }
  - { name: april_fools, projectTypes: [mod, game, texture-pack] }
  - { name: building, projectTypes: [mod, game] }
  - { name: building_mechanics, projectTypes: [mod, game] }
  - { name: chat, projectTypes: [mod] }
  - { name: commerce, projectTypes: [mod, game] }
  - { name: complex_installation, projectTypes: [mod, game] }
  - { name: crafting, projectTypes: [mod, game] }
  - { name: creative, projectTypes: [mod, game] }
  - { name: custom_mapgen, projectTypes: [mod, game] }
  - { name: decorative, projectTypes: [mod] }
  - { name: developer_tools, projectTypes: [mod] }
  - { name: education, projectTypes: [mod, game] }
  - { name: environment, projectTypes: [mod, game] }
  - { name: food, projectTypes: [mod, game] }
  - { name: gui, projectTypes: [mod, texture-pack] }
  - { name: hud, projectTypes: [mod, texture-pack] }
  - { name: inventory, projectTypes: [mod, texture-pack] }
  - { name: library, projectTypes: [mod] }
  - { name: magic, projectTypes: [mod, game] }
  - { name: mapgen, projectTypes: [mod, game] }
  - { name: mini-game, projectTypes: [mod, game] }
  - { name: mobs, projectTypes: [mod, game] }
  - { name: mtg, projectTypes: [game] }
  - { name: multiplayer, projectTypes: [mod, game] }
  - { name: oneofakind__original, projectTypes: [game] }
  - { name: plants_and_farming, projectTypes: [mod, game] }
  - { name: player_effects, projectTypes: [mod, game] }
  - { name: puzzle, projectTypes: [mod, game] }
  - { name: pve, projectTypes: [mod, game] }
  - { name: pvp, projectTypes: [mod, game] }
  - { name: seasonal, projectTypes: [mod, game, texture-pack] }
  - { name: server_tools, projectTypes: [mod] }
  - { name: shooter, projectTypes: [mod, game] }
  - { name: simulation, projectTypes: [mod, game] }
  - { name: singleplayer, projectTypes: [mod, game] }
  - { name: skins, projectTypes: [mod] }
  - { name: sound_music, projectTypes: [mod, game] }
  - { name: sports, projectTypes: [mod, game] }
  - { name: storage, projectTypes: [mod] }
  - { name: strategy_rts, projectTypes: [mod, game] }
  - { name: survival, projectTypes: [mod, game] }
  - { name: technology, projectTypes: [mod, game] }
  - { name: tools, projectTypes: [mod, game] }
  - { name: transport, projectTypes: [mod, game] }
  - { name: world_tools, projectTypes: [mod] }
  - { name: less_than_px, projectTypes: [texture-pack], kind: resolution }
  - { name: 16px, projectTypes: [texture-pack], kind: resolution }
  - { name: 32px, projectTypes: [texture-pack], kind: resolution }
  - { name: 64px, projectTypes: [texture-pack], kind: resolution }
  - { name: 128px, projectTypes: [texture-pack], kind: resolution }
gameVersions:
  - { value: "5.17", major: true }
  - { value: "5.16", major: true }
  - { value: "5.15", major: true }
  - { value: "5.14", major: true }
  - { value: "5.13", major: true }
  - { value: "5.12", major: true }
  - { value: "5.11", major: true }
  - { value: "5.10", major: true }
  - { value: "5.9", major: true }
  - { value: "5.8", major: true }
  - { value: "5.7", major: true }
  - { value: "5.6", major: true }
  - { value: "5.5", major: true }
  - { value: "5.4", major: true }
`;

const factory = `
projectTypes:
  - { name: mod, label: Mod, primaryFileTypes: [zip] }
  - { name: scenario, label: Scenario, primaryFileTypes: [zip] }
  - { name: mod-pack, label: Mod pack, primaryFileTypes: [zip] }
  - { name: world, label: World, primaryFileTypes: [zip] }
categories:
  - { name: content, projectTypes: [mod, mod-pack] }
  - { name: overhaul, projectTypes: [mod, mod-pack] }
  - { name: tweaks, projectTypes: [mod, mod-pack] }
  - { name: utilities, projectTypes: [mod, mod-pack] }
  - { name: localizations, projectTypes: [mod, mod-pack] }
  - { name: internal, projectTypes: [mod, mod-pack] }
  - { name: planets, projectTypes: [mod, scenario], kind: feature }
  - { name: transportation, projectTypes: [mod, scenario], kind: feature }
  - { name: logistics, projectTypes: [mod, scenario], kind: feature }
  - { name: trains, projectTypes: [mod, scenario], kind: feature }
  - { name: combat, projectTypes: [mod, scenario], kind: feature }
  - { name: armor, projectTypes: [mod, scenario], kind: feature }
  - { name: character, projectTypes: [mod, scenario], kind: feature }
  - { name: enemies, projectTypes: [mod, scenario], kind: feature }
  - { name: environment, projectTypes: [mod, scenario], kind: feature }
  - { name: mining, projectTypes: [mod, scenario], kind: feature }
  - { name: fluids, projectTypes: [mod, scenario], kind: feature }
  - { name: logistic-network, projectTypes: [mod, scenario], kind: feature }
  - { name: circuit-network, projectTypes: [mod, scenario], kind: feature }
  - { name: manufacturing, projectTypes: [mod, scenario], kind: feature }
  - { name: power, projectTypes: [mod, scenario], kind: feature }
  - { name: storage, projectTypes: [mod, scenario], kind: feature }
  - { name: blueprints, projectTypes: [mod, scenario], kind: feature }
  - { name: cheats, projectTypes: [mod, scenario], kind: feature }
gameVersions:
  - { value: "2.1", major: true }
  - { value: "2.0", major: true }
  - { value: "1.1", major: true }
  - { value: "1.0", major: true }
  - "0.18"
  - "0.17"
`;

const blank = `
projectTypes: [mod]
gameVersions: ["1.0"]
`;

const texts: Record<Exclude<PresetName, "included">, string> = { minecraft, luanti, factory, blank };

export function readPreset(name: PresetName): TaxonomyDocument {
  const parsed = parseTaxonomy(name === "included" ? readDefaultTaxonomyText() : texts[name], `${name}.yaml`);
  if (!parsed.ok) throw new Error(parsed.report);
  return parsed.document;
}
