// The files that patterns such as "build/libs/lamps-*.jar" mean. A pattern must mean exactly one file: files of earlier
// builds must not be published by accident.
import { readdir } from "node:fs/promises";
import { join, resolve, sep } from "node:path";
import { Failure } from "#shelf/failures.js";
import { isFile } from "./texts.js";

/** Whether a name fits a pattern in which "*" stands for any characters. */
export function fits(name: string, pattern: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  const last = rest.pop();
  if (last === undefined) return name === pattern;
  if (!name.startsWith(first) || !name.endsWith(last)) return false;
  let at = first.length;
  for (const piece of rest) {
    const found = name.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return at + last.length <= name.length;
}

const isAbsent = (error: unknown): boolean => /^(?:ENOENT|ENOTDIR)$/.test((error as { code?: string }).code ?? "");

/** All paths that fit. Names that begin with a dot only fit patterns that do. */
async function expand(pattern: string): Promise<string[]> {
  if (await isFile(pattern)) return [pattern];
  const parts = (sep === "/" ? pattern : pattern.replaceAll(sep, "/")).split("/");
  let found = [""];
  for (const [n, part] of parts.entries()) {
    const isLast = n === parts.length - 1;
    const next: string[] = [];
    for (const path of found) {
      if (!part.includes("*")) next.push(`${path}${part}${isLast ? "" : "/"}`);
      else {
        const names = await readdir(path || ".").catch((error) => {
          if (isAbsent(error)) return [];
          throw error;
        });
        for (const name of names.sort())
          if (fits(name, part) && (!name.startsWith(".") || part.startsWith(".")))
            next.push(`${path}${name}${isLast ? "" : "/"}`);
      }
    }
    found = next;
  }
  const files: string[] = [];
  for (const path of found) if (await isFile(path)) files.push(path);
  return files;
}

/** The files of the patterns, in their order; a pattern with "!" before it takes files away. */
export async function findFiles(patterns: readonly string[], folder: string): Promise<string[]> {
  const inFolder = (pattern: string) => (folder === "." ? pattern : join(resolve(folder), pattern));
  const without = new Set<string>();
  for (const pattern of patterns)
    if (pattern.startsWith("!")) for (const path of await expand(inFolder(pattern.slice(1)))) without.add(path);
  const files: string[] = [];
  for (const pattern of patterns.filter((one) => !one.startsWith("!"))) {
    const found = (await expand(inFolder(pattern))).filter((path) => !without.has(path));
    if (found.length === 0)
      throw new Failure(`There is no file ${pattern}.`, {
        advice: "Build it first, or name the file: shelf publish FILE",
        code: "noFile",
      });
    if (found.length > 1)
      throw new Failure(`${pattern} means several files: ${found.slice(0, 5).join(", ")}.`, {
        advice:
          'Delete the files of earlier builds, or exclude some in shelf.json, such as "!build/libs/*-sources.jar".',
        code: "severalFiles",
      });
    files.push(found[0]!);
  }
  return [...new Set(files)];
}
