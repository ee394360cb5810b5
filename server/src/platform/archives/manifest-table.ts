// The manifests that are read from archives: their paths, and where each value is found. It is a table, so that another
// game or loader needs only another row.

/** A path into a document: each step is a key, or 0 for the first item of a list. */
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
  /** The first path that leads to a text counts. */
  id?: readonly Steps[];
  name?: readonly Steps[];
  version?: readonly Steps[];
  description?: readonly Steps[];
  license?: readonly Steps[];
  dependencies: readonly DependencyPlace[];
}

const modsToml = {
  format: "toml",
  id: [["mods", 0, "modId"]],
  name: [["mods", 0, "displayName"]],
  version: [["mods", 0, "version"]],
  description: [["mods", 0, "description"]],
  license: [["license"]],
  dependencies: [{ at: ["dependencies"], shape: "lists", required: true }],
} as const;

/** The first manifest found provides name, version and dependencies; the loaders of all are combined. */
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
    license: [["license"], ["license", 0]],
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
    license: [
      ["quilt_loader", "metadata", "license"],
      ["quilt_loader", "metadata", "license", "id"],
      ["quilt_loader", "metadata", "license", 0],
      ["quilt_loader", "metadata", "license", 0, "id"],
    ],
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
    license: [["license"], ["license", 0]],
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

/** Dependencies on these give the range of game versions. */
export const gameIds: readonly string[] = ["cosmic-reach", "cosmic_reach", "cosmicreach", "minecraft"];

/** Dependencies on these are platforms, not projects; the value is the loader's name, if it has one. */
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
