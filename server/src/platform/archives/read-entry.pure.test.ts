// Reading one file of an archive: texts, the constants of classes, and bytes that only look like them.
import { describe, expect, test } from "vitest";
import { zip } from "#test/files/archives.js";
import { inspectSource } from "./inspection.js";
import { readBytes, readEntry } from "./read-entry.js";

const u2 = (value: number): Buffer => Buffer.from([value >> 8, value & 255]);
const utf8 = (text: string): Buffer =>
  Buffer.concat([Buffer.from([1]), u2(Buffer.byteLength(text)), Buffer.from(text)]);
const classOf = (count: number, ...constants: Buffer[]): Buffer =>
  Buffer.concat([Buffer.from("cafebabe00000034", "hex"), u2(count), ...constants]);
const sample = classOf(
  8,
  utf8("com/example/Main"),
  Buffer.concat([Buffer.from([7]), u2(1)]),
  utf8("https://evil.example/<x>"),
  Buffer.concat([Buffer.from([8]), u2(3)]),
  Buffer.concat([Buffer.from([5]), Buffer.alloc(8)]),
  Buffer.concat([Buffer.from([8]), u2(3)]),
);

describe("a file of an archive", () => {
  test("is text if it is UTF-8 without NUL, cut at its limit", () => {
    expect(readEntry(Buffer.from("größer\n"), false)).toEqual({ kind: "text", text: "größer\n", isCut: false });
    expect(readEntry(Buffer.from("ä").subarray(0, 1), true)).toEqual({ kind: "text", text: "", isCut: true });
    expect(readEntry(Buffer.from("a\0b"), false)).toEqual({ kind: "other" });
    expect(readEntry(Buffer.from([0xff, 0xfe, 0x41]), false)).toEqual({ kind: "other" });
    const long = readEntry(Buffer.alloc(100_000, "x"), false);
    expect(long).toMatchObject({ kind: "text", isCut: true });
  });

  test("that is a class shows the classes and strings that it names, each once", () => {
    expect(readEntry(sample, false)).toEqual({
      kind: "class",
      names: ["com.example.Main"],
      strings: ["https://evil.example/<x>"],
      isCut: false,
    });
  });

  test("that is a broken or hostile class is read as far as it goes", () => {
    for (let length = 10; length < sample.length; length++)
      expect(readEntry(sample.subarray(0, length), true)).toMatchObject({ kind: "class", isCut: true });
    const unknown = classOf(3, Buffer.from([99, 0, 0]), utf8("x"));
    expect(readEntry(unknown, false)).toEqual({ kind: "class", names: [], strings: [], isCut: true });
    const astray = classOf(2, Buffer.concat([Buffer.from([7]), u2(65_535)]));
    expect(readEntry(astray, false)).toMatchObject({ names: [], isCut: false });
    const many = Buffer.concat(Array.from({ length: 65_000 }, () => Buffer.from([8, 0, 1])));
    expect(readEntry(classOf(65_000, utf8("s"), many).subarray(0, readBytes), true)).toMatchObject({ strings: ["s"] });
  });

  test("is found by its path, also in a nested archive, and nothing else is returned", async () => {
    const inner = zip([{ name: "deep/Main.class", content: sample }]);
    const bytes = zip([
      { name: "a.txt", content: "hello" },
      { name: "libs/inner.jar", content: inner },
    ]);
    const read = async (path: string) => {
      const source = { at: 0 };
      const inspection = await inspectSource(
        async (target) => {
          const count = bytes.copy(target, 0, source.at);
          source.at += count;
          return count;
        },
        bytes.length,
        "jar",
        {},
        undefined,
        { read: path },
      );
      return inspection.ok ? inspection.read : undefined;
    };
    expect(await read("a.txt")).toEqual({ kind: "text", text: "hello", isCut: false });
    expect(await read("libs/inner.jar!/deep/Main.class")).toMatchObject({ kind: "class" });
    for (const path of ["b.txt", "a.txt/", "../a.txt", ""]) expect(await read(path)).toBeUndefined();
  });
});
