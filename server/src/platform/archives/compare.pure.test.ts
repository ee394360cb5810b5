// Comparing two archives: every difference is found, also one that is made to look like none, within bounds.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32, deflateRawSync, gzipSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { tar, type ZipEntry, type ZipOptions, zip } from "#test/files/archives.js";
import { isLong } from "#test/setup/long.js";
import { type ComparedArchive, compareArchives } from "./compare.js";
import { compareEntry } from "./compare-entry.js";
import { openArchiveInspector } from "./inspector.js";

const folder = await mkdtemp(join(tmpdir(), "compare-"));
const inspector = openArchiveInspector({ processes: 1 });
afterAll(async () => {
  await inspector.close();
  await rm(folder, { recursive: true });
});

let count = 0;
async function store(archive: Buffer, type: ComparedArchive["type"] = "jar"): Promise<ComparedArchive> {
  const path = join(folder, `${count++}.${type}`);
  await writeFile(path, archive);
  return { path, type };
}
const pack = (entries: readonly ZipEntry[], options?: ZipOptions) => store(zip(entries, options));
const file = (name: string, content: string | Buffer, more: Partial<ZipEntry> = {}): ZipEntry => ({
  name,
  content,
  ...more,
});

/** Bytes with the same length and CRC-32 as the first ones, but another start: the last four are chosen for it. */
function forge(original: Buffer, start: string): Buffer {
  const forged = Buffer.concat([Buffer.from(start), original.subarray(start.length)]);
  const table = Array.from({ length: 256 }, (_, n) => {
    let c = n;
    for (let bit = 0; bit < 8; bit++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
    return c >>> 0;
  });
  // The register after the last four bytes must be this one: it is turned back by four bytes.
  let register = ~crc32(original) >>> 0;
  for (let step = 0; step < 4; step++) {
    const index = table.findIndex((value) => value >>> 24 === register >>> 24);
    register = (((register ^ table[index]!) << 8) | index) >>> 0;
  }
  const before = ~crc32(forged.subarray(0, -4)) >>> 0;
  forged.writeUInt32LE((before ^ register) >>> 0, forged.length - 4);
  return forged;
}

const u2 = (value: number): Buffer => Buffer.from([value >> 8, value & 255]);
/** A class that names these strings. */
const classOf = (...strings: string[]): Buffer =>
  Buffer.concat([
    Buffer.from("cafebabe00000034", "hex"),
    u2(2 * strings.length + 1),
    ...strings.flatMap((text, at) => [
      Buffer.concat([Buffer.from([1]), u2(Buffer.byteLength(text)), Buffer.from(text)]),
      Buffer.concat([Buffer.from([8]), u2(2 * at + 1)]),
    ]),
  ]);

describe("compareArchives", () => {
  test("finds files that are new, gone and different; folders and the order of entries do not matter", async () => {
    const same = file("same.txt", "same");
    const before = await pack([file("a/", ""), same, file("a/gone.txt", "12"), file("other.txt", "one")]);
    const after = await pack([file("other.txt", "three"), file("new.txt", "123"), same], { isWideEnd: true });
    expect(await compareArchives(before, after)).toEqual({
      ok: true,
      files: [
        { path: "a/gone.txt", before: 2 },
        { path: "new.txt", after: 3 },
        { path: "other.txt", before: 3, after: 5 },
      ],
      ...{ added: 1, removed: 1, changed: 1, unchanged: 1, unverified: [], unopened: [] },
    });
  });

  test("a file that was only packed in another way is unchanged", async () => {
    const text = "hello ".repeat(1000);
    const before = await pack([file("a", text), file("b", text, { descriptor: "marked" }), file("c", text)]);
    const after = await pack([
      file("a", text, { isStored: true }),
      file("b", text),
      file("c", text, { packed: deflateRawSync(text, { level: 1 }) }),
    ]);
    expect(await compareArchives(before, after)).toMatchObject({ changed: 0, unchanged: 3, unverified: [] });
  });

  test("a file with a forged checksum is different", async () => {
    const original = Buffer.from("harmless ".repeat(20));
    const forged = forge(original, "evil");
    expect(crc32(forged)).toBe(crc32(original));
    for (const isStored of [true, false]) {
      const [before, after] = [
        await pack([file("A.class", original, { isStored })]),
        await pack([file("A.class", forged, { isStored })]),
      ];
      expect(await compareArchives(before, after)).toMatchObject({ changed: 1, unchanged: 0, unverified: [] });
    }
  });

  test("a file whose record lies about its checksum is not called unchanged", async () => {
    const [honest, other] = [Buffer.from("harmless"), Buffer.from("evil1234")];
    const before = await pack([file("A.class", honest)]);
    const after = await pack([file("A.class", other, { fields: { crc: crc32(honest) } })]);
    expect(await compareArchives(before, after)).toMatchObject({ changed: 1, unchanged: 0, unverified: ["A.class"] });
  });

  test("archives inside are compared file by file if they differ, and named if they cannot be opened", async () => {
    const inner = (content: string) => zip([file("Kept.class", "kept"), file("Main.class", content)]);
    const deep = (content: string) => zip([file("deep.jar", inner(content))]);
    const before = await pack([
      file("libs/a.jar", deep("one")),
      file("libs/same.jar", inner("same")),
      file("libs/gone.jar", inner("gone")),
      file("libs/broken.jar", "not an archive"),
    ]);
    const after = await pack([
      file("libs/a.jar", deep("two!")),
      file("libs/same.jar", inner("same")),
      file("libs/broken.jar", "no archive either"),
    ]);
    const found = await compareArchives(before, after);
    expect(found.unopened).toEqual(["libs/broken.jar"]);
    expect(found.files.map(({ path }) => path)).toEqual([
      "libs/a.jar",
      "libs/a.jar!/deep.jar",
      "libs/a.jar!/deep.jar!/Main.class",
      "libs/broken.jar",
      "libs/gone.jar",
      "libs/gone.jar!/Kept.class",
      "libs/gone.jar!/Main.class",
    ]);
    expect(found).toMatchObject({ changed: 4, removed: 3, unchanged: 2 });
  });

  test("bombs inside are not opened, and many files are counted but not all listed", async () => {
    const bomb = zip([file("zeros", Buffer.alloc(200 * 1024 * 1024))]);
    const many = Array.from({ length: 3000 }, (_, at) => file(`f${at}`, "x"));
    const before = await pack([file("a.txt", "a")]);
    const found = await compareArchives(before, await pack([file("bomb.jar", bomb), ...many]));
    expect(found).toMatchObject({ added: 3001, removed: 1, unopened: ["bomb.jar"] });
    expect(found.files).toHaveLength(2000);
  });

  test("is refused for too many entries, equal names, and files that are no archive", async () => {
    const good = await pack([file("a.txt", "a")]);
    const refusal = async (before: ComparedArchive, after: ComparedArchive) => {
      const result = await inspector.compare(before, after);
      return result.ok ? "ok" : result.reason;
    };
    const record = zip([{ name: "x", isStored: true }]);
    const [entry, listed] = [record.subarray(0, 31), record.subarray(31, -22)];
    const end = Buffer.from(record.subarray(-22));
    end.writeUInt32LE(entry.length, 16);
    const crowd = Buffer.concat([entry, ...Array.from({ length: 100_000 }, () => listed), end]);
    expect(await refusal(good, await store(crowd))).toBe("duplicateEntry");
    const named = Array.from({ length: 100_000 }, (_, at) => {
      const own = Buffer.from(listed);
      own.writeUInt16LE(6, 28);
      return Buffer.concat([own.subarray(0, 46), Buffer.from(String(at).padStart(6, "0"))]);
    });
    expect(await refusal(await store(Buffer.concat([entry, ...named, end])), good)).toBe("tooManyEntries");
    expect(await refusal(good, await pack([file("a", "1"), file("a", "2")]))).toBe("duplicateEntry");
    expect(await refusal(good, await store(Buffer.from("nothing")))).toBe("notAnArchive");
    expect(await refusal(good, good)).toBe("ok");
    const missing = { ...good, path: join(folder, "missing") };
    await expect(inspector.compare(good, missing)).rejects.toThrow("cannot be inspected");
  });

  test("the largest archives of small files are compared in the time of one job", async () => {
    const count = isLong ? 65_000 : 8000;
    const largest = await pack(
      Array.from({ length: count }, (_, at) => file(`com/example/${at}.class`, "x", { isStored: true })),
    );
    expect(await inspector.compare(largest, largest)).toMatchObject({ ok: true, changed: 0, unchanged: count });
    const small = await pack([file("com/example/1.class", "y")]);
    expect(await inspector.compare(largest, small)).toMatchObject({ ok: true, changed: 1, removed: count - 1 });
  });
});

describe("compareEntry", () => {
  const compare = async (before: string | Buffer, after: string | Buffer, name = "a") =>
    compareEntry(await pack([file(name, before)]), await pack([file(name, after)]), name);

  test("shows the changed lines of a text", async () => {
    expect(await compare("a\nb\nc", "a\nB\nc")).toEqual({
      ok: true,
      kind: "text",
      parts: [
        [
          { kind: "same", text: "a", line: 1 },
          { kind: "removed", text: "b", line: 2 },
          { kind: "added", text: "B", line: 2 },
          { kind: "same", text: "c", line: 3 },
        ],
      ],
      ...{ isRough: false, isShortened: false, isCut: false },
    });
  });

  test("shows a long line where it differs", async () => {
    const [start, end] = ["x".repeat(100_000), "y".repeat(100_000)];
    const result = await compare(`${start}good${end}`, `${start}evil${end}`);
    const texts = result.ok && result.kind === "text" ? result.parts.flat().map(({ text }) => text) : [];
    expect(texts).toHaveLength(2);
    expect(texts[0]).toMatch(/^…x{60}goody+…$/);
    expect(texts[1]).toMatch(/^…x{60}evily+…$/);
    const several = await compare(`a\n${start}1\n${start}2`, `b\n${start}3\n${start}4`);
    const lines = several.ok && several.kind === "text" ? several.parts.flat().map(({ text }) => text.slice(-1)) : [];
    expect(lines).toEqual(["a", "1", "2", "b", "3", "4"]);
  });

  test("shows the names and strings that a class has gained and lost, also at the end of long ones", async () => {
    const long = "z".repeat(600);
    expect(
      await compare(classOf("kept", "old", `${long}1`), classOf("kept", "https://evil.example", `${long}2`)),
    ).toEqual({
      ok: true,
      kind: "class",
      names: { added: [], removed: [] },
      strings: {
        added: ["https://evil.example", `${"z".repeat(400)}…`],
        removed: ["old", `${"z".repeat(400)}…`],
      },
      ...{ isShortened: false, isCut: false },
    });
    const many = Array.from({ length: 3000 }, (_, at) => `s${at}`);
    expect(await compare(classOf("a"), classOf(...many))).toMatchObject({ isShortened: true });
  });

  test("finds files in archives inside, files of one archive only, and none", async () => {
    const inner = (content: string) => zip([file("deep.txt", content)]);
    const before = await pack([file("libs/a.jar", inner("1")), file("gone.txt", "gone")]);
    const after = await pack([file("libs/a.jar", inner("2")), file("new.bin", "a\0b")]);
    const kinds = async (path: string) => {
      const result = await compareEntry(before, after, path);
      return result.kind === "text" ? result.parts.flat().map(({ kind, text }) => `${kind} ${text}`) : result.kind;
    };
    expect(await kinds("libs/a.jar!/deep.txt")).toEqual(["removed 1", "added 2"]);
    expect(await kinds("gone.txt")).toEqual(["removed gone"]);
    expect(await kinds("new.bin")).toBe("other");
    for (const path of ["", "nothing", "libs/a.jar!/nothing", "libs/no.jar!/deep.txt"])
      expect(await kinds(path)).toBe("missing");
  });

  test("compares the beginning of large files, and answers for texts that are made to be hard to compare", async () => {
    const lines = (words: readonly string[]) =>
      Array.from({ length: 200_000 }, (_, at) => `word ${words[(at * at) % words.length]}`).join("\n");
    const before = await pack([file("a", lines(["a", "b", "c", "d", "e"]))]);
    const after = await pack([file("a", lines(["b", "a", "c", "c", "b", "d", "a"]))]);
    const result = await inspector.compareEntry(before, after, "a");
    expect(result).toMatchObject({ ok: true, kind: "text", isRough: true, isShortened: true, isCut: true });
  });
});

describe("archives without a directory", () => {
  const inner = (content: string) => zip([file("deep.txt", content)]);
  const before = tar([
    { name: "./same.txt", content: "same" },
    { name: "pack/", type: "5" },
    { name: "pack/gone.txt", content: "12" },
    { name: "pack/lib.jar", content: inner("one") },
  ]);
  const after = tar([
    { name: "pack/lib.jar", content: inner("three") },
    { name: "new.txt", content: "a\nb" },
    { name: "same.txt", content: "same" },
  ]);
  const expected = {
    ...{ ok: true, added: 1, removed: 1, changed: 2, unchanged: 1, unverified: [], unopened: [] },
    files: [
      { path: "new.txt", after: 3 },
      { path: "pack/gone.txt", before: 2 },
      { path: "pack/lib.jar", before: inner("one").length, after: inner("three").length },
      { path: "pack/lib.jar!/deep.txt", before: 3, after: 5 },
    ],
  };

  test("tar and tar.gz are compared with each other, file by file, also inside archives", async () => {
    const old = [await store(before, "tar"), await store(gzipSync(before), "gz")];
    const fresh = [await store(after, "tar"), await store(gzipSync(after), "gz")];
    for (const one of old)
      for (const other of fresh) {
        expect(await inspector.compare(one, other)).toEqual(expected);
        const [changed, added] = ["pack/lib.jar!/deep.txt", "new.txt"].map((path) =>
          inspector.compareEntry(one, other, path),
        );
        expect(await changed).toMatchObject({ kind: "text", parts: [[{ text: "one" }, { text: "three" }]] });
        expect(await added).toMatchObject({ kind: "text", parts: [[{ text: "a" }, { text: "b" }]] });
        expect(await compareEntry(one, other, "nothing")).toEqual({ ok: true, kind: "missing" });
      }
  });

  test("they are compared with a ZIP archive of another version", async () => {
    const packed = await pack([file("same.txt", "same"), file("pack/gone.txt", "34")]);
    expect(await compareArchives(packed, await store(gzipSync(before), "gz"))).toMatchObject({
      files: [{ path: "pack/gone.txt" }, { path: "pack/lib.jar" }, { path: "pack/lib.jar!/deep.txt" }],
      ...{ added: 2, removed: 0, changed: 1, unchanged: 1 },
    });
  });

  test("a compressed file has its content as the only file", async () => {
    const [one, two] = [await store(gzipSync("one"), "gz"), await store(gzipSync("two"), "gz")];
    expect(await compareArchives(one, two)).toMatchObject({ files: [{ path: "content", before: 3, after: 3 }] });
    expect(await compareEntry(one, two, "content")).toMatchObject({ parts: [[{ text: "one" }, { text: "two" }]] });
    expect(await compareArchives(one, one)).toMatchObject({ files: [], unchanged: 1 });
  });

  test("archives that are too large or damaged are refused", async () => {
    const good = await store(after, "tar");
    const large = await store(tar([{ name: "a", content: Buffer.alloc(128 * 1024 * 1024) }]), "tar");
    expect(await inspector.compare(good, large)).toMatchObject({ ok: false, reason: "tooLarge" });
    const bomb = await store(gzipSync(Buffer.alloc(200 * 1024 * 1024)), "gz");
    expect(await inspector.compare(bomb, good)).toMatchObject({ ok: false, reason: "tooCompressed" });
    const half = await store(before.subarray(0, 600), "tar");
    expect(await inspector.compare(good, half)).toMatchObject({ ok: false, reason: "truncated" });
    expect(await inspector.compareEntry(half, good, "new.txt")).toMatchObject({ ok: false, reason: "truncated" });
  });
});
