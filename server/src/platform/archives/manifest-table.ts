// The manifests that are looked for in archives: where they lie and where in them what is said. Data, so that a game or
// a loader more is a row more.

/** A way into a document: each step is a key, or 0 for the first of a list. */
export type Steps = readonly (string | 0)[];

export interface DependencyPlace {
  at: Steps;
  /** `map`: id → range, or id → {…}. `list`: ids or objects with an id. `lists`: such a list, or a map of them. */
  shape: "map" | "list" | "lists";
  required: boolean;
}

export interface ManifestRule {
  kind: string;
  file: string;
  format: "json" | "toml";
  loaders: readonly string[];
  /** The first place that holds a text counts. */
  id?: readonly Steps[];
  name?: readonly Steps[];
  version?: readonly Steps[];
  description?: readonly Steps[];
  dependencies: readonly DependencyPlace[];
}

const modsToml = {
  format: "toml",
  id: [["mods", 0, "modId"]],
  name: [["mods", 0, "displayName"]],
  version: [["mods", 0, "version"]],
  description: [["mods", 0, "description"]],
  dependencies: [{ at: ["dependencies"], shape: "lists", required: true }],
} as const;

/** The first that is found gives name, version and dependencies; loaders are gathered from all. */
export const manifestRules: readonly ManifestRule[] = [
  {
    kind: "puzzle",
    file: "puzzle.mod.json",
    format: "json",
    loaders: ["puzzle_loader"],
    id: [["id"]],
    name: [["name"], ["display-name"]],
    version: [["version"]],
    description: [["description"]],
    dependencies: [{ at: ["depends"], shape: "map", required: true }],
  },
  {
    kind: "quilt",
    file: "quilt.mod.json",
    format: "json",
    loaders: ["quilt"],
    id: [["quilt_loader", "id"]],
    name: [["quilt_loader", "metadata", "name"]],
    version: [["quilt_loader", "version"]],
    description: [["quilt_loader", "metadata", "description"]],
    dependencies: [{ at: ["quilt_loader", "depends"], shape: "list", required: true }],
  },
  {
    kind: "fabric",
    file: "fabric.mod.json",
    format: "json",
    loaders: ["fabric"],
    id: [["id"]],
    name: [["name"]],
    version: [["version"]],
    description: [["description"]],
    dependencies: [
      { at: ["depends"], shape: "map", required: true },
      { at: ["recommends"], shape: "map", required: false },
      { at: ["suggests"], shape: "map", required: false },
    ],
  },
  { kind: "neoforge", file: "META-INF/neoforge.mods.toml", loaders: ["neoforge"], ...modsToml },
  { kind: "forge", file: "META-INF/mods.toml", loaders: ["forge"], ...modsToml },
  {
    kind: "modrinth-pack",
    file: "modrinth.index.json",
    format: "json",
    loaders: [],
    name: [["name"]],
    version: [["versionId"]],
    description: [["summary"]],
    dependencies: [{ at: ["dependencies"], shape: "map", required: true }],
  },
  {
    kind: "pack",
    file: "pack.mcmeta",
    format: "json",
    loaders: [],
    description: [["pack", "description"]],
    dependencies: [],
  },
];

/** Dependencies on these say which versions of the game are meant. */
export const gameIds: readonly string[] = ["cosmic-reach", "cosmic_reach", "cosmicreach", "minecraft"];

/** Dependencies on these are no projects but what runs them, under the loader's name where it has one. */
export const platformIds: Readonly<Record<string, string | undefined>> = {
  java: undefined,
  "puzzle-loader": "puzzle_loader",
  "puzzle-loader-core": "puzzle_loader",
  "puzzle-loader-cosmic": "puzzle_loader",
  cosmicquilt: "quilt",
  quilt_loader: "quilt",
  "quilt-loader": "quilt",
  fabricloader: "fabric",
  "fabric-loader": "fabric",
  forge: "forge",
  neoforge: "neoforge",
};
