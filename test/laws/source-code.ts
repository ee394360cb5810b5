// The program's own source, for laws about it: every file of a folder, with its comments separated from its code.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

export interface SourceFile {
  /** From the top of the repository: "server/src/app.ts". */
  path: string;
  text: string;
  /** The text with every comment blanked. Lines stay where they are. */
  code: string;
  /** The code with the content of strings and patterns blanked too; code in `${}` stays. */
  bare: string;
}

export const top = fileURLToPath(new URL("../..", import.meta.url));

/** All files below the folder that end in one of these, in a fixed order. */
export function listFiles(folder: string, endings: readonly string[]): string[] {
  return readdirSync(join(top, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && endings.some((ending) => entry.name.endsWith(ending)))
    .map((entry) => relative(top, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .sort();
}

export const isTest = (path: string): boolean => /\.test\.tsx?$/.test(path);

export const readText = (path: string): string => readFileSync(join(top, path), "utf8");

const known = new Map<string, SourceFile>();

/** Each file is read and split once: several laws look at it. */
export function readSource(path: string): SourceFile {
  const before = known.get(path);
  if (before) return before;
  const text = readText(path);
  const source = { path, text, ...splitCode(text) };
  known.set(path, source);
  return source;
}

/** The server's own files, without its tests. */
export const serverFiles = (): SourceFile[] =>
  listFiles("server/src", [".ts", ".tsx"])
    .filter((path) => !isTest(path))
    .map(readSource);

/** The line number and text of each match. */
export function findInCode(text: string, pattern: RegExp): { line: number; match: string }[] {
  return [...text.matchAll(new RegExp(pattern, "g"))].map((match) => ({
    line: text.slice(0, match.index).split("\n").length,
    match: match[0],
  }));
}

/** A slash after one of these begins a pattern, after anything else it divides. */
const beforePattern = /(?:^|[(,=:[!&|?{};+\-*%~^<>]|\b(?:return|typeof|case|in|of|await|throw))\s*$/;

/** Scans the text once, like a compiler, and blanks everything that is not code. */
export function splitCode(text: string): { code: string; bare: string } {
  const code = [...text.split("")];
  const bare = [...code];
  // Each open `${` remembers how many braces were open inside it.
  const holes: number[] = [];
  let at = 0;

  const blank = (target: string[], from: number, to: number) => {
    for (let i = from; i < to; i++) if (target[i] !== "\n") target[i] = " ";
  };
  const skipQuoted = (quote: string): void => {
    const from = at + 1;
    at = from;
    while (at < text.length && text[at] !== quote) at += text[at] === "\\" ? 2 : 1;
    blank(bare, from, at);
    at++;
  };
  /** From just after a backtick, or after the brace that closed a hole, to the end or to the next hole. */
  const skipTemplate = (): void => {
    const from = at;
    while (at < text.length && text[at] !== "`" && !text.startsWith("${", at)) at += text[at] === "\\" ? 2 : 1;
    blank(bare, from, at);
    if (text[at] === "`") at++;
    else {
      at += 2;
      holes.push(0);
    }
  };
  const skipPattern = (): void => {
    const from = at + 1;
    at = from;
    for (let inClass = false; at < text.length && (inClass || text[at] !== "/"); at++) {
      if (text[at] === "\\") at++;
      else if (text[at] === "[") inClass = true;
      else if (text[at] === "]") inClass = false;
    }
    blank(bare, from, at);
    at++;
  };
  const skipComment = (end: string): void => {
    const from = at;
    const found = text.indexOf(end, at + 2);
    at = found < 0 ? text.length : found + (end === "\n" ? 0 : end.length);
    blank(code, from, at);
    blank(bare, from, at);
  };

  while (at < text.length) {
    const char = text[at]!;
    if (text.startsWith("//", at)) skipComment("\n");
    else if (text.startsWith("/*", at)) skipComment("*/");
    else if (char === '"' || char === "'") skipQuoted(char);
    else if (char === "`") {
      at++;
      skipTemplate();
    } else if (char === "/" && beforePattern.test(bare.slice(Math.max(0, at - 40), at).join(""))) skipPattern();
    else if (char === "{" && holes.length > 0) {
      holes[holes.length - 1]!++;
      at++;
    } else if (char === "}" && holes.length > 0) {
      at++;
      if (holes.at(-1) === 0) {
        holes.pop();
        skipTemplate();
      } else holes[holes.length - 1]!--;
    } else at++;
  }
  return { code: code.join(""), bare: bare.join("") };
}
