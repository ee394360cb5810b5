// Names of entries: unsafe names are refused, and so are two names that are the same file on some system.

import { describe, expect, test } from "vitest";
import { inspectBytes, judge } from "#test/files/archive-readers.js";
import { zip } from "#test/files/archives.js";
import { describeArchive } from "./sentences.js";

const withNames = (...names: string[]) => zip(names.map((name) => ({ name, content: name.endsWith("/") ? "" : "x" })));

describe("paths", () => {
  test.each([
    ["../evil", "unsafePath"],
    ["a/../../evil", "unsafePath"],
    ["a/..", "unsafePath"],
    ["..", "unsafePath"],
    ["../", "unsafePath"],
    ["./a", "unsafePath"],
    ["a/./b", "unsafePath"],
    ["/etc/passwd", "unsafePath"],
    ["/", "unsafePath"],
    ["//server/share/a", "unsafePath"],
    ["\\\\server\\share\\a", "unsafePath"],
    ["..\\evil", "unsafePath"],
    ["a\\b", "unsafePath"],
    ["C:/Windows/a", "unsafePath"],
    ["c:a", "unsafePath"],
    ["C:\\a", "unsafePath"],
    ["", "invalidName"],
    ["a//b", "invalidName"],
    ["a/b//", "invalidName"],
    ["a\u0000.txt", "invalidName"],
    ["a\n.txt", "invalidName"],
    ["a\r\nContent-Type: x", "invalidName"],
    ["\u001b[2J", "invalidName"],
    ["a\u007f", "invalidName"],
    ["a\u0085", "invalidName"],
    ["gpj.\u202eexe", "invalidName"],
    ["a\u2066b", "invalidName"],
    ["a.", "invalidName"],
    ["a ", "invalidName"],
    ["a./b", "invalidName"],
    ["a /b", "invalidName"],
    ["...", "invalidName"],
    [" ", "invalidName"],
    ["CON", "invalidName"],
    ["nul.txt", "invalidName"],
    ["a/Aux/b", "invalidName"],
    ["com1.class", "invalidName"],
    ["LPT9", "invalidName"],
    ["COM²", "invalidName"],
    ["prn .txt", "invalidName"],
    ["conin$", "invalidName"],
    [`${"a".repeat(513)}`, "pathTooLong"],
    [`${"ü".repeat(257)}`, "pathTooLong"],
    [`${"a/".repeat(32)}b`, "pathTooDeep"],
  ])("%j is refused: %s", async (name, reason) => {
    expect(await judge(withNames(name))).toBe(reason);
  });

  test.each([
    "a",
    ".hidden",
    "..a",
    "a..b",
    "a...b/c",
    "-rf",
    "a b/c d",
    "100%.txt",
    'it\'s "quoted"',
    "console/null/comet.txt",
    "con1",
    "com10",
    "ab:c",
    "assets/base:blocks/a.json",
    "größe/файл/日本語/🎮.png",
    "a".repeat(512),
    `${"a/".repeat(31)}b`,
    "z̷̢̛a̸l̶g̷o",
  ])("%j is accepted", async (name) => {
    expect(await judge(withNames(name))).toBe("ok");
  });

  test("the limits can be changed", async () => {
    expect(await judge(withNames("abcdef"), "zip", { maxPathBytes: 5 })).toBe("pathTooLong");
    expect(await judge(withNames("a/b/c"), "zip", { maxPathDepth: 2 })).toBe("pathTooDeep");
    expect(await judge(withNames("a/b"), "zip", { maxPathDepth: 2 })).toBe("ok");
  });

  test("a name is escaped and shortened before it is shown", async () => {
    const shown = async (name: string) => {
      const inspection = await inspectBytes(withNames(name));
      return inspection.ok ? "ok" : String(describeArchive(inspection));
    };
    expect(await shown('a\n\u202e\u001b"<b>')).toBe(
      'The name of an entry is not valid on every system (it contains control characters): "a\\u{a}\\u{202e}\\u{1b}\\u{22}<b>"',
    );
    const long = await shown(`../${"x".repeat(400)}🎮.png`);
    expect(long).toMatch(/"\.\.\/x{47}…x{20}🎮\.png"$/);
    expect(long.length).toBeLessThan(200);
  });
});

describe("names that are the same on some system", () => {
  test.each([
    ["a.txt", "a.txt"],
    ["a.txt", "A.TXT"],
    ["Folder/a", "folder/A"],
    ["\u00e9", "e\u0301"],
    ["\u00c9", "e\u0301"],
    ["straße", "STRASSE"],
    ["\u212a", "k"],
    ["ς", "Σ"],
    ["folder/", "folder/"],
    ["Folder/", "folder/"],
    ["a", "a/"],
    ["a/", "a"],
    ["a", "a/b"],
    ["a/b", "a"],
    ["a/b/c/d", "a/b"],
    ["a/b", "a/b/c/d"],
    ["\u00e9", "e\u0301/a"],
  ])("%j and %j are refused together", async (one, other) => {
    expect(await judge(withNames(one, other))).toBe("duplicateEntry");
  });

  test.each([
    [["a", "b"]],
    [["a/b", "a/c", "a/"]],
    [["a/", "a/b/", "a/b/c"]],
    [["A/b", "a/c"]],
    [["META-INF/LICENSE", "META-INF/license/netty.txt"]],
    [["META-INF/license/netty.txt", "META-INF/LICENSE"]],
    [["META-INF/license/", "META-INF/LICENSE"]],
  ])("%j are accepted together", async (names) => {
    expect(await judge(withNames(...names))).toBe("ok");
  });

  test("the same name in two nested archives is allowed", async () => {
    const inner = withNames("a", "b");
    expect(await judge(zip(["1.zip", "2.zip"].map((name) => ({ name, content: inner }))))).toBe("ok");
  });
});
