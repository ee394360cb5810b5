// The file system calls that durability depends on, as a value: tests pass one that records their order or makes them
// fail.
import * as nodeFileSystem from "node:fs/promises";
import { dirname } from "node:path";

export type FileSystem = Pick<
  typeof nodeFileSystem,
  "mkdir" | "open" | "readdir" | "readFile" | "rename" | "stat" | "unlink"
>;

export const systemFileSystem: FileSystem = nodeFileSystem;

/** A new name in a folder survives a power failure only after the folder itself was fsynced. */
export async function syncFolder(fs: FileSystem, path: string): Promise<void> {
  // Windows cannot open a folder for fsync; its file systems log name changes themselves.
  if (process.platform === "win32") return;
  const folder = await fs.open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Creates the folder and its parents, and makes every new name durable. */
export async function createFolder(fs: FileSystem, path: string): Promise<void> {
  const firstNew = await fs.mkdir(path, { recursive: true, mode: 0o700 });
  if (firstNew === undefined) return;
  const top = dirname(firstNew);
  for (let folder = dirname(path); folder.length >= top.length; folder = dirname(folder)) {
    await syncFolder(fs, folder);
    if (folder === dirname(folder)) return;
  }
}

export async function removeFile(fs: FileSystem, path: string): Promise<void> {
  try {
    await fs.unlink(path);
  } catch (error) {
    if (!hasErrorCode(error, "ENOENT")) throw error;
  }
}

export function hasErrorCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}
