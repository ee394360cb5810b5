// The root folder of the project, and helpers to read files that may be missing.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Whether this is the repository, and not the package that is made of it (scripts/tarballs.mjs). */
export const isClone = () => existsSync(join(root, "server"));

export function readIfThere(path) {
  try {
    return readFileSync(path);
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw error;
  }
}

/** The packages of a lock file by path; undefined if the file does not exist or is damaged. */
export function readPackages(path) {
  try {
    return JSON.parse(readIfThere(path) ?? "{}").packages;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
