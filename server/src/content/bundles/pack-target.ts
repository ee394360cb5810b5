// The game version and loader that a pack names, or the reason why a plan cannot be exported as a pack.
import type { Taxonomy } from "#content/taxonomy/taxonomy.js";
import { invalid } from "#platform/errors.js";
import { say } from "#words/said.js";
import { isForMinecraft, isModLoader, type ModLoader, type PackLoader } from "./pack.js";

export const packFormats = ["mrpack", "packwiz"] as const;
export type PackFormat = (typeof packFormats)[number];

/** In the order in which a visitor can solve them. */
export type PackProblem = "private" | "gameVersion" | "loader" | "oneLoader";

export interface PackTarget {
  /** Undefined on sites for other games. */
  minecraft: string | undefined;
  /** The loader whose version the pack must name; undefined if no file needs one. */
  loader: ModLoader | undefined;
}

interface Wish {
  taxonomy: Taxonomy;
  gameVersion: string | undefined;
  loaders: readonly string[];
  /** The loaders of each version in the plan. */
  files: readonly { loaders: readonly string[] }[];
  /** Launchers have no session. */
  isPublic: boolean;
}

/** The formats that this site can export: .mrpack knows no other game than Minecraft. */
export const packFormatsOf = (taxonomy: Pick<Taxonomy, "isLoader">): readonly PackFormat[] =>
  isForMinecraft(taxonomy) ? packFormats : ["packwiz"];

export function findPackTarget({ taxonomy, gameVersion, loaders, files, isPublic }: Wish): PackTarget | PackProblem {
  if (!isPublic) return "private";
  if (!isForMinecraft(taxonomy)) return { minecraft: undefined, loader: undefined };
  if (!gameVersion) return "gameVersion";
  const isLoaded = files.some((file) => file.loaders.some(isModLoader));
  if (!isLoaded) return { minecraft: gameVersion, loader: undefined };
  const [loader, ...others] = loaders.filter(isModLoader);
  if (others.length > 0) return "oneLoader";
  return loader ? { minecraft: gameVersion, loader } : "loader";
}

/** Loaders have numbers such as 0.16.10, 47.4.0, 21.1.77-beta and 0.20.0-beta.9+build.1. */
const isLoaderVersion = /^[0-9A-Za-z][\w.+\-]{0,63}$/v;

/** Browsers read the pattern of an input with the flag v, too. */
export const loaderVersionPattern = isLoaderVersion.source;

/** A pack must name the exact version of its loader, which no registry knows. */
export function toPackLoader(loader: ModLoader | undefined, version: string): PackLoader | undefined {
  if (!loader) return undefined;
  if (!isLoaderVersion.test(version))
    throw invalid({ path: "loaderVersion", message: say.problems.loaderVersion(loader) });
  return { name: loader, version };
}
