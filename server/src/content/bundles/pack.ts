// A pack independent of its format: where each file belongs in the game's folder, on which side it is installed, and
// which game and loader the pack is for. Packs name the files by URL and hash; they do not contain them.
import type { Environment, Taxonomy } from "#content/taxonomy/taxonomy.js";
import { storedFileName } from "#lib/file-names.js";
import { toEntryNames } from "./entry-names.js";

export interface PackFile {
  /** The slug of its project, which a pack has only once. */
  slug: string;
  title: string;
  /** In the game's folder, such as "mods". */
  folder: string;
  name: string;
  size: number;
  sha1: string;
  sha512: string;
  url: string;
  clientSide: Environment;
  serverSide: Environment;
}

export interface PackLoader {
  name: ModLoader;
  version: string;
}

export interface Pack {
  name: string;
  version: string;
  summary: string;
  /** Undefined if the site is not for Minecraft, the only game that these formats know. */
  minecraft: string | undefined;
  loader: PackLoader | undefined;
  files: readonly PackFile[];
}

/** The loaders that packs can name. Launchers install all others by hand, or not at all. */
export const modLoaders = ["fabric", "quilt", "forge", "neoforge"] as const;
export type ModLoader = (typeof modLoaders)[number];

export const isModLoader = (name: string): name is ModLoader => (modLoaders as readonly string[]).includes(name);

/** A taxonomy has no game. Other games have Quilt too, but none of these. */
export const isForMinecraft = ({ isLoader }: Pick<Taxonomy, "isLoader">): boolean =>
  ["fabric", "forge", "neoforge"].some(isLoader);

/** As launchers write them in an instance of the game. Every other type has the folder of its list. */
const folders: Readonly<Record<string, string>> = {
  mod: "mods",
  plugin: "plugins",
  datapack: "datapacks",
  resourcepack: "resourcepacks",
  "resource-pack": "resourcepacks",
  shader: "shaderpacks",
};

interface Placed {
  /** The types of the project. */
  types: readonly string[];
  /** The loaders of the version, or only that of the pack if it is among them. */
  loaders: readonly string[];
  fileType: string;
}

/** A plain path component. A project of several types is placed by the loaders of the version and by the kind of the file. */
export function folderOf(taxonomy: Taxonomy, { types, loaders, fileType }: Placed): string {
  const loadedBy = (type: string) =>
    loaders.length === 0 || taxonomy.loadersFor(type).some(({ name }) => loaders.includes(name));
  const canBe = (type: string) => taxonomy.primaryFileTypes([type]).some((each) => each === fileType);
  const type = types.find((each) => loadedBy(each) && canBe(each)) ?? types.find(canBe) ?? types[0] ?? "mod";
  const folder = Object.hasOwn(folders, type) ? folders[type] : taxonomy.findProjectType(type)?.path;
  return storedFileName(folder ?? type) ?? "files";
}

/** The path of each file: unique without regard to case, and harmless in every file system. */
export function toPaths(files: readonly Pick<PackFile, "folder" | "name" | "slug">[]): string[] {
  const paths = new Map<object, string>();
  for (const [folder, mine] of Map.groupBy(files, (file) => file.folder)) {
    // A slug may contain "..", or be the name of a device.
    const names = toEntryNames(mine.map(({ name, slug }) => ({ name, prefix: storedFileName(slug) ?? "file" })));
    for (const [at, file] of mine.entries()) paths.set(file, `${folder}/${names[at]}`);
  }
  return files.map((file) => paths.get(file)!);
}
