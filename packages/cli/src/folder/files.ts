// Files on disk: the files of a folder with their hashes, and writes that survive a crash. Links are not followed.
import { createHash } from "node:crypto";
import { type BigIntStats, constants, lstatSync } from "node:fs";
import { mkdir, open, readdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Failure } from "#shelf/failures.js";
import { inParallel } from "#shelf/parallel.js";

export const disabledEnding = ".disabled";

export interface FoundFile {
  /** Its name in the folder. */
  name: string;
  /** The same without the ending of disabled files. */
  plainName: string;
  isDisabled: boolean;
  sha512: string;
  /** Changes when the file does. */
  stamp: string;
}

const { O_RDONLY, O_NOFOLLOW = 0 } = constants;
export const isMissing = (error: unknown): boolean => (error as { code?: string }).code === "ENOENT";

const stampOf = ({ ino, size, mtimeNs }: BigIntStats): string => `${ino} ${size} ${mtimeNs}`;

/** The facts of a file, a folder or a link; undefined where there is none. A direct call takes less time than waiting for it. */
export const find = (path: string): BigIntStats | undefined => lstatSync(path, { bigint: true, throwIfNoEntry: false });

export const findStamp = (path: string): string | undefined => {
  const found = find(path);
  return found?.isFile() ? stampOf(found) : undefined;
};

export async function hashFile(path: string): Promise<{ sha512: string; stamp: string }> {
  const handle = await open(path, O_RDONLY | O_NOFOLLOW);
  try {
    const stamp = stampOf(await handle.stat({ bigint: true }));
    const hash = createHash("sha512");
    for await (const piece of handle.createReadStream({ autoClose: false, highWaterMark: 1 << 18 })) hash.update(piece);
    return { sha512: hash.digest("hex"), stamp };
  } finally {
    await handle.close();
  }
}

/** The files of a folder in the order of their names, without hidden ones, and the names of links in it. */
export async function scan(folder: string): Promise<{ files: FoundFile[]; links: string[] }> {
  const entries = (await readdir(folder, { withFileTypes: true })).filter(
    ({ name }) => !name.startsWith(".") && name !== "shelf.lock",
  );
  const names = entries
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort();
  const files = await inParallel(names, 8, async (name) => {
    const plainName = name.endsWith(disabledEnding) ? name.slice(0, -disabledEnding.length) : name;
    return { name, plainName, isDisabled: plainName !== name, ...(await hashFile(join(folder, name))) };
  });
  return {
    files,
    links: entries
      .filter((entry) => entry.isSymbolicLink())
      .map(({ name }) => name)
      .sort(),
  };
}

const notAFolder = (path: string): Failure =>
  new Failure(`${path} is not a folder.`, { advice: "Move it away, and try again.", code: "notAFolder" });

/** Makes a folder of our own. A link in its place could lead anywhere. */
export async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true });
  if (!find(path)?.isDirectory()) throw notAFolder(path);
}

/** Makes the folders of a path below `base`, or only looks at those that exist. None of them may be a link. */
export async function makeFolders(base: string, path: string, isMade = true): Promise<void> {
  if (path === ".") return;
  let at = base;
  for (const part of path.split("/")) {
    at = join(at, part);
    const found = find(at);
    if (!found && !isMade) return;
    if (!found) await makeFolder(at);
    else if (!found.isDirectory()) throw notAFolder(at);
  }
}

/** Writes a file so that it is complete on disk, or not there under its name. */
export async function writeWhole(path: string, text: string): Promise<void> {
  const next = `${path}.new`;
  await writeFile(next, text, { flush: true });
  await rename(next, path);
}

/** Makes the names in a folder durable. Some systems cannot, and need not. */
export async function syncFolder(path: string): Promise<void> {
  let handle: Awaited<ReturnType<typeof open>>;
  try {
    handle = await open(path, "r");
  } catch {
    return;
  }
  await handle.sync().catch(() => undefined);
  await handle.close();
}
