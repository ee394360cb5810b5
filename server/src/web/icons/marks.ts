// The drawing and color of each project type, loader and category. The operator's taxonomy comes first; names of the
// taxonomies that come with Modshelf, and other frequent ones, have marks here; all others get a plain one.
import type { Taxonomy } from "#content/taxonomy/taxonomy.js";
import { isShape, type ShapeName } from "./shapes.js";

export type TagKind = "type" | "loader" | "category";

/** Names of colors in icon.css, where each has a tone for the light and for the dark theme. */
type Hue = "red" | "orange" | "gold" | "green" | "teal" | "blue" | "violet" | "pink";

export interface Mark {
  shape: ShapeName;
  hue?: Hue;
  /** The operator's color, such as "#1a2b3c". */
  color?: string;
}

type Marks = Readonly<Record<string, `${ShapeName} ${Hue}` | ShapeName>>;

const types: Marks = {
  mod: "box green",
  modpack: "layers orange",
  "mod-pack": "layers orange",
  shader: "contrast violet",
  "resource-pack": "brush pink",
  resourcepack: "brush pink",
  "texture-pack": "brush pink",
  datamod: "braces blue",
  datapack: "braces blue",
  plugin: "plug gold",
  world: "globe teal",
  map: "map teal",
  scenario: "map blue",
  game: "gamepad violet",
};

const loaders: Marks = {
  babric: "weave gold",
  "bta-babric": "weave green",
  bukkit: "bucket blue",
  bungeecord: "link gold",
  canvas: "frame pink",
  datapack: "braces blue",
  fabric: "weave orange",
  folia: "leaf green",
  forge: "anvil blue",
  geyser: "drop teal",
  iris: "eye violet",
  "java-agent": "cup orange",
  "legacy-fabric": "weave blue",
  liteloader: "feather blue",
  minecraft: "box green",
  modloader: "box gold",
  neoforge: "anvil orange",
  nilloader: "eclipse red",
  optifine: "search gold",
  ornithe: "feather teal",
  paper: "plane red",
  paradox: "infinity pink",
  purpur: "blocks violet",
  puzzle_loader: "puzzle teal",
  quilt: "quilt violet",
  rift: "rift blue",
  simply_shaders: "sun gold",
  spigot: "tap orange",
  sponge: "sponge gold",
  vanilla: "box green",
  velocity: "wings blue",
  void: "eclipse violet",
  waterfall: "waves teal",
};

const categories: Marks = {
  adventure: "compass green",
  armor: "armor",
  atmosphere: "sun gold",
  audio: "music pink",
  bloom: "lamp gold",
  blocks: "blocks",
  blueprints: "ruler blue",
  "bug-fix": "bug red",
  building: "blocks orange",
  cartoon: "smile gold",
  challenging: "mountain red",
  character: "person",
  cheats: "star gold",
  christmas: "gift red",
  "circuit-network": "network green",
  city: "city",
  "colored-lighting": "lamp pink",
  combat: "swords red",
  content: "box green",
  "core-shaders": "contrast violet",
  crafting: "axe orange",
  creative: "brush pink",
  cursed: "skull violet",
  decoration: "lamp gold",
  decorative: "lamp gold",
  economy: "coins gold",
  enemies: "skull red",
  entities: "paw orange",
  environment: "tree green",
  equipment: "shield blue",
  escape: "run orange",
  fantasy: "sparkle violet",
  fluids: "pipe blue",
  foliage: "leaf green",
  food: "pot orange",
  fonts: "font",
  "game-mechanics": "gear",
  gui: "screen",
  halloween: "pumpkin orange",
  "hide-and-seek": "search teal",
  horror: "ghost red",
  hud: "crosshair teal",
  internal: "gear",
  inventory: "grid",
  island: "island teal",
  items: "pick orange",
  "kitchen-sink": "layers orange",
  library: "book blue",
  lightweight: "feather teal",
  locale: "words blue",
  localizations: "words blue",
  "logistic-network": "network blue",
  logistics: "truck orange",
  magic: "wand violet",
  management: "server blue",
  manufacturing: "factory",
  mapgen: "mountain green",
  maze: "maze orange",
  medieval: "castle",
  minigame: "die pink",
  mining: "pick orange",
  mobs: "paw orange",
  modded: "puzzle green",
  models: "box",
  multiplayer: "people blue",
  optimization: "bolt gold",
  overhaul: "tools red",
  parkour: "run green",
  "path-tracing": "ray gold",
  pbr: "layers",
  "pixel-art": "grid pink",
  planets: "planet violet",
  power: "bolt gold",
  puzzle: "puzzle teal",
  pvp: "swords red",
  quests: "scroll gold",
  realistic: "eye teal",
  reflections: "mirror blue",
  "semi-realistic": "eye",
  "server-tools": "server blue",
  shadows: "shadow",
  simplistic: "drop teal",
  skyblock: "island blue",
  social: "chat pink",
  storage: "chest orange",
  survival: "tent green",
  technology: "atom blue",
  themed: "castle violet",
  trains: "train red",
  transport: "truck orange",
  transportation: "truck orange",
  tweaks: "sliders",
  utilities: "tools",
  utility: "tools",
  "vanilla-like": "cup gold",
  worldgen: "mountain green",
  screenshot: "film",
  potato: "levels green",
  low: "levels teal",
  medium: "levels gold",
  high: "levels red",
};

const known: Record<TagKind, { marks: Marks; other: ShapeName }> = {
  type: { marks: types, other: "box" },
  loader: { marks: loaders, other: "plug" },
  category: { marks: categories, other: "tag" },
};

/** Sizes of textures: "16x", "512x+", "32px". */
const resolution = /^\d+(?:x[+-]?|px)$/;

export function markOf(kind: TagKind, name: string, { icon, color }: ReturnType<Taxonomy["tagLookOf"]> = {}): Mark {
  const { marks, other } = known[kind];
  const [shape, hue] = (Object.hasOwn(marks, name) ? marks[name]! : plain(name, other)).split(" ") as [ShapeName, Hue?];
  const chosen = icon !== undefined && isShape(icon) ? icon : shape;
  return color === undefined ? { shape: chosen, ...(hue && { hue }) } : { shape: chosen, color };
}

const plain = (name: string, other: ShapeName): ShapeName => (resolution.test(name) ? "grid" : other);
