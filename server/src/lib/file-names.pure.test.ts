import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyCharacter } from "#test/callers/any-character.js";
import { storedFileName } from "./file-names.js";

describe("the stored name of a file", () => {
  test.each([
    ["mod.jar", "mod.jar"],
    ["My Mod (1.0) [Fabric].jar", "My-Mod-1.0-Fabric.jar"],
    ["a_b+c-1.2.jar", "a_b+c-1.2.jar"],
    ["Überraschung.JAR", "Uberraschung.JAR"],
    ["ﬁle①.jar", "file1.jar"],
    ["模组.jar", "file.jar"],
    ["🌱.zip", "file.zip"],
    ["--.jar", "file.jar"],
    ["/etc/passwd.jar", "passwd.jar"],
    ["..\\..\\windows\\mod.jar", "mod.jar"],
    ["C:\\mods\\mod.jar", "mod.jar"],
    ["../mod.jar", "mod.jar"],
    ["a..b.jar", "a.b.jar"],
    [".hidden.jar", "hidden.jar"],
    ["-rf.jar", "rf.jar"],
    ["mod.jar.", "mod.jar"],
    ["mod .jar", "mod.jar"],
    ["con.jar", "file-con.jar"],
    ["NUL.tar.gz", "file-NUL.tar.gz"],
    ["com¹.jar", "file-com1.jar"],
    ["lpt1.a.jar", "file-lpt1.a.jar"],
    ["console.jar", "console.jar"],
    ["a\x00b\x1f\x7f.jar", "a-b.jar"],
    ["a\r\nset-cookie: x.jar", "a-set-cookie-x.jar"],
    ['a"; filename="b.jar', "a-filename-b.jar"],
    ["gpj.\u202eraj.jar", "gpj.raj.jar"],
    ["a\u200bb\u2066c.jar", "a-b-c.jar"],
    ["a%2e%2e%2fb.jar", "a-2e-2e-2fb.jar"],
    ["<script>.jar", "script.jar"],
    ["archive", "archive"],
    [".jar", "jar"],
  ])("%j is %s", (given, stored) => {
    expect(storedFileName(given)).toBe(stored);
  });

  test.each(["", ".", "..", "...", "/", "a/", "\\", "---", " ", "模组", "\u202e", "../", "\0"])(
    "%j has no usable character",
    (given) => {
      expect(storedFileName(given)).toBeUndefined();
    },
  );

  test("is shortened before the extension; 300 letters after a dot are no extension", () => {
    const long = storedFileName(`${"x".repeat(300)}.jar`);
    expect(long).toBe(`${"x".repeat(124)}.jar`);
    expect(storedFileName(`a.${"x".repeat(300)}`)).toBe(`a.${"x".repeat(126)}`);
    expect(storedFileName(`${"x".repeat(123)}-----.jar`)).toBe(`${"x".repeat(123)}.jar`);
  });

  // A pattern that is not linear would take minutes for these.
  test.each(["-", ".", "/", " ", "-.", "\u0301", "a-", "\ufdfa"])("takes linear time when %j is repeated", (piece) => {
    const given = piece.repeat(1_000_000);
    expect(storedFileName(`${given}x`)?.length ?? 0).toBeLessThanOrEqual(128);
    expect(storedFileName(`mod${given}.jar`)).toMatch(/\.?jar$/);
  });

  test("is harmless for any input, and is its own stored name", () => {
    const nasty = fc.constantFrom(
      ".",
      "..",
      "/",
      "\\",
      "-",
      " ",
      "con",
      "aux",
      ".jar",
      "\u202e",
      "ä",
      "\0",
      "a",
      "Z9",
      "_",
    );
    const names = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 200 }),
      fc.array(nasty).map((list) => list.join("")),
    );
    fc.assert(
      fc.property(names, (given) => {
        const stored = storedFileName(given);
        if (stored === undefined) return;
        expect(stored).toMatch(/^[A-Za-z0-9_+][A-Za-z0-9._+-]{0,127}$/);
        expect(stored).not.toMatch(/\.\.|[.-]$|^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i);
        expect(storedFileName(stored)).toBe(stored);
      }),
      { numRuns: 1000 },
    );
  });
});
