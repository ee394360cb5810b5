// Reads a small text file named by the operator and describes in plain words what is wrong with it.
import { readFileSync, statSync } from "node:fs";

export type TextFile = { text: string; isOpenToAll: boolean } | { fault: string; isAbsent: boolean };

const largest = 64 * 1024;

/** Pipes and devices are refused: reading one could block the start forever. */
export function readTextFile(path: string): TextFile {
  try {
    const stat = statSync(path);
    if (!stat.isFile()) return { fault: "that path is not a file", isAbsent: false };
    if (stat.size > largest) return { fault: `that file is larger than ${largest / 1024} KiB`, isAbsent: false };
    const text = new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(path));
    // Windows has no such permission bits and reports all of them as set.
    return { text, isOpenToAll: process.platform !== "win32" && (stat.mode & 0o004) !== 0 };
  } catch (error) {
    return toFault(error instanceof Error && "code" in error ? error.code : undefined);
  }
}

function toFault(code: unknown): TextFile {
  if (code === "ENOENT" || code === "ENOTDIR") return { fault: "there is no file at that path", isAbsent: true };
  if (code === "EACCES" || code === "EPERM") return { fault: "this process may not read it", isAbsent: false };
  if (code === "ERR_ENCODING_INVALID_ENCODED_DATA") return { fault: "that file is not UTF-8 text", isAbsent: false };
  return { fault: "it cannot be read", isAbsent: false };
}
