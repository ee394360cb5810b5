// Where the project is, and reading files that may be missing.
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

export function readIfThere(path) {
  try {
    return readFileSync(path);
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw error;
  }
}

/** The packages of a lock file by path; undefined when there is no such file or it is damaged. */
export function readPackages(path) {
  try {
    return JSON.parse(readIfThere(path) ?? "{}").packages;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
