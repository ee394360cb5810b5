// Law: the name and the first lines of a file say what it is for, and the file is short.
import { describe, expect, test } from "vitest";
import { isTest, listFiles, readSource, type SourceFile, splitCode } from "./source-code.js";

const files = ["server/src", "packages/client/src", "test", "scripts", "bench"]
  .flatMap((folder) => listFiles(folder, [".ts", ".tsx", ".mjs"]))
  .map(readSource);
const code = files.filter(({ path }) => !isTest(path));

const maxLines = 300;
/** A test file is a list of cases; it is looked through rather than read. */
const maxTestLines = 400;
const longFiles: Record<string, string> = {
  "server/src/platform/db/migrations/0001-interface.ts": "the whole first schema; a migration is never changed again",
  "packages/client/src/api.ts": "generated, and searched rather than read",
};

/** The words of a language are a list that is searched rather than read. */
const isCatalogue = (path: string): boolean => /^server\/src\/words\/[a-z]+\//.test(path);

/** Names that hold anything hold everything in the end. */
const emptyNames = /^(?:utils?|helpers?|common|types|index|misc|shared|lib|functions|stuff)$/;

const stem = (path: string): string => path.split("/").at(-1)!.split(".")[0]!;
const lineCount = (text: string): number => text.replace(/\n$/, "").split("\n").length;

/** The lines of the comment that a file opens with. */
function openingComment(text: string): string[] {
  const lines = text.split("\n");
  if (lines[0]?.startsWith("#!")) lines.shift();
  const end = lines.findIndex((line) => !line.startsWith("//"));
  return lines.slice(0, end < 0 ? lines.length : end);
}

const isOpened = (text: string): boolean => {
  const comment = openingComment(text);
  return comment.length >= 1 && comment.length <= 4 && comment.join(" ").length > 20;
};

/** The comments alone: the text that the code no longer has. */
const commentsOf = ({ text, code }: Pick<SourceFile, "text" | "code">): string =>
  text
    .split("")
    .filter((char, at) => code[at] !== char || char === "\n")
    .join("");

const leftOpen = /\b(?:TODO|FIXME|XXX|HACK)\b(?!\(#\d+\))/;

describe("every file", () => {
  test("has a unique name, in lower case with hyphens", () => {
    const wrong = files.filter(({ path }) => emptyNames.test(stem(path)) || !/^[a-z0-9-]+$/.test(stem(path)));
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  test("opens with a short comment that says what it is for", () => {
    expect(code.filter(({ text }) => !isOpened(text)).map(({ path }) => path)).toEqual([]);
  });

  test("is short", () => {
    const long = files
      .filter(({ path }) => !isCatalogue(path))
      .filter(({ path, text }) => lineCount(text) > (isTest(path) ? maxTestLines : maxLines));
    expect(long.map(({ path }) => path).sort()).toEqual(Object.keys(longFiles).sort());
  });

  test("leaves no work for later without an issue's number", () => {
    expect(files.filter((file) => leftOpen.test(commentsOf(file))).map(({ path }) => path)).toEqual([]);
  });

  test("keeps tests from being skipped or run alone", () => {
    const partial = /\b(?:test|describe|it)\s*\.\s*(?:only|skip|todo)\b/;
    expect(files.filter(({ bare }) => partial.test(bare)).map(({ path }) => path)).toEqual([]);
  });
});

test("scripts and benchmarks load files of the server that are built", () => {
  const loaded = ["bench", "scripts"].flatMap((folder) =>
    listFiles(folder, [".mjs"]).flatMap((path) =>
      [...readSource(path).text.matchAll(/from "[./]*\/dist\/server\/src\/([^"]+)\.js"/g)].map(([, name]) => name!),
    ),
  );
  const built = readSource("scripts/compile.mjs").text;
  expect(loaded.length).toBeGreaterThan(5);
  expect([...new Set(loaded)].filter((name) => !built.includes(`"${name}"`))).toEqual([]);
});

describe("the law itself", () => {
  test.each(["utils", "helpers", "types", "index", "common"])("refuses a file named %s", (name) => {
    expect(emptyNames.test(stem(`server/src/accounts/users/${name}.test.ts`))).toBe(true);
  });

  test("knows a file with no word about itself", () => {
    expect(isOpened('import x from "y";\n// too late to say what it is\n')).toBe(false);
    expect(isOpened("// x\n")).toBe(false);
    expect(isOpened(`${"// a line of a very long speech\n".repeat(5)}code();`)).toBe(false);
    expect(isOpened("#!/usr/bin/env node\n// What this is for, in a line.\ncode();")).toBe(true);
  });

  test("knows work that was put off", () => {
    const comments = (text: string) => commentsOf({ text, ...splitCode(text) });
    expect(leftOpen.test(comments("go(); // TODO: mend this"))).toBe(true);
    expect(leftOpen.test(comments("go(); // TODO(#12): mend this"))).toBe(false);
    expect(leftOpen.test(comments('go("TODO");'))).toBe(false);
  });

  test("counts lines as an editor does", () => {
    expect(lineCount("a\nb\n")).toBe(2);
    expect(lineCount("a\nb")).toBe(2);
  });
});
