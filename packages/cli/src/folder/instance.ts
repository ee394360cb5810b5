// The files of an instance, which is the folder of a game with a pack in it: the files of the pack wherever they are, and
// what else is in the folders with its mods. All other files are no concern of shelf.
import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { LockedFile, LockedPack } from "#shelf/packs/locked-pack.js";
import { inParallel } from "#shelf/parallel.js";
import { disabledEnding, type FoundFile, find, hashFile, isMissing, makeFolders } from "./files.js";

interface Scanned {
  files: FoundFile[];
  links: string[];
}

/** The files at these paths, or beside them with the ending of disabled files. */
export async function scanPaths(folder: string, paths: Iterable<string>): Promise<Scanned> {
  const links: string[] = [];
  const all = [...new Set(paths)].sort();
  for (const place of new Set(all.map((path) => dirname(path)))) await makeFolders(folder, place, false);
  const found = await inParallel(all, 8, async (plainName): Promise<FoundFile[]> => {
    const files: FoundFile[] = [];
    for (const name of [plainName, plainName + disabledEnding]) {
      const facts = find(join(folder, name));
      if (facts?.isFile())
        files.push({ name, plainName, isDisabled: name !== plainName, ...(await hashFile(join(folder, name))) });
      else if (facts) links.push(name);
    }
    return files;
  });
  return { files: found.flat(), links };
}

/** Whether it is a mod or the like, and not a setting. */
export const isAddOn = ({ path, source }: LockedFile): boolean => source === "download" || /\.(?:jar|zip)$/i.test(path);

export async function scanInstance(folder: string, { files }: LockedPack): Promise<Scanned> {
  const paths = new Set(files.map(({ path }) => path));
  const places = new Set(files.filter(isAddOn).map(({ path }) => dirname(path)));
  for (const place of places) {
    const entries = await readdir(join(folder, place), { withFileTypes: true }).catch((error) => {
      if (isMissing(error)) return [];
      throw error;
    });
    for (const entry of entries) {
      if (!entry.isFile() || entry.name.startsWith(".") || entry.name === "shelf.lock") continue;
      const name = place === "." ? entry.name : `${place}/${entry.name}`;
      paths.add(name.endsWith(disabledEnding) ? name.slice(0, -disabledEnding.length) : name);
    }
  }
  return scanPaths(folder, paths);
}
