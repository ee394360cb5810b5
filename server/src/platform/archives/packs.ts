// Finds out whether an archive is a pack, and reads it. An .mrpack must be one; a ZIP archive is one if it has the files
// of packwiz.
import type { ArchiveType } from "./file-types.js";
import { modrinthIndex, readModrinthPack } from "./modrinth-pack.js";
import {
  type FoundPack,
  mostIndexBytes,
  mostPackFiles,
  type PackFault,
  PackRefused,
  type PackRules,
} from "./pack-parts.js";
import { findPackwizRoot, indexFile, metafile, mostMetafileBytes, packFile, readPackwizPack } from "./packwiz-pack.js";
import type { Walk } from "./walk.js";

export type PackReading = { pack: FoundPack } | { fault: PackFault };

/** Changes a walk so that it keeps what a pack consists of. */
export function withPack(walk: Walk, type: ArchiveType): Walk {
  if (type !== "mrpack" && type !== "zip") return walk;
  let metafiles = 0;
  const packBytes = (path: string): number => {
    if (type === "mrpack") return path === modrinthIndex ? mostIndexBytes : 0;
    if (path.endsWith(metafile)) return ++metafiles > mostPackFiles ? 0 : mostMetafileBytes;
    const [name, , deeper] = path.split("/").reverse();
    return deeper === undefined && (name === packFile || name === indexFile) ? mostIndexBytes : 0;
  };
  return { ...walk, outer: [], wanted: (path) => Math.max(packBytes(path), walk.wanted(path)) };
}

/** Undefined if the archive is no pack. */
export function readPack({ kept, outer, nested }: Walk, type: ArchiveType, rules: PackRules): PackReading | undefined {
  if (!outer) return undefined;
  const contents = { kept, outer, nested };
  try {
    if (type === "mrpack") return { pack: readModrinthPack(contents, rules) };
    const root = findPackwizRoot(outer);
    return root === undefined ? undefined : { pack: readPackwizPack(contents, root, rules) };
  } catch (error) {
    if (error instanceof PackRefused) return { fault: error.fault };
    throw error;
  }
}
