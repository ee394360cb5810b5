// ZIP archives as common tools write them are accepted; every inconsistency in their structure is refused.

import { describe, expect, test } from "vitest";
import { noise, zerosEntry } from "#test/files/archive-bombs.js";
import { inspectBytes, judge, readForward } from "#test/files/archive-readers.js";
import {
  extraField,
  listedAgain,
  unicodePath,
  wideSizes,
  type ZipEntry,
  type ZipOptions,
  zip,
} from "#test/files/archives.js";
import type { RefusedArchive } from "./inspection.js";
import { describeArchive } from "./sentences.js";

const hello: ZipEntry = { name: "hello.txt", content: "hello ".repeat(50) };
const stored: ZipEntry = { name: "stored.bin", content: noise(3000), isStored: true };
const large: ZipEntry = { name: "large.bin", content: Buffer.concat([noise(200_000), Buffer.alloc(2_000_000)]) };
const folder: ZipEntry = { name: "folder/", isStored: true, listed: { mode: 0o040755 } };
const empty: ZipEntry = { name: "empty.txt", isStored: true };

describe("valid archives", () => {
  test.each<[string, ZipEntry[], ZipOptions?]>([
    ["with one file", [hello]],
    ["with stored, deflated, large and empty files and folders", [hello, stored, large, folder, empty]],
    ["whose empty file is deflated", [{ name: "empty.txt" }]],
    ["whose empty file is deflated to nothing", [{ name: "empty.txt", packed: Buffer.alloc(0) }]],
    ["whose folder is deflated", [hello, { name: "folder/" }]],
    ["whose directory is in another order", [hello, stored, large], { isReversed: true }],
    ["with a comment", [hello], { comment: Buffer.from("made by hand") }],
    ["with comments on entries", [{ ...hello, listed: { comment: Buffer.from("a note") } }]],
    ["with the end record of ZIP64", [hello, stored], { isWideEnd: true }],
    [
      "with the sizes of ZIP64",
      [
        { ...hello, isWide: true },
        { ...stored, isWide: true },
      ],
    ],
    ["that repeat their sizes for ZIP64", [{ ...stored, fields: { extra: wideSizes([3000, 3000]) } }]],
    ["made on DOS", [{ ...hello, listed: { madeBy: 20, mode: 0 } }]],
    ["whose folders have no mode that makes sense, as from Maven", [hello, { ...folder, listed: { mode: 0o177777 } }]],
    ["that begin like a jar", [{ name: "META-INF/", local: { extra: extraField(0xcafe, Buffer.alloc(0)) } }, hello]],
    ["aligned by zeros in the extra field", [{ ...stored, local: { extra: Buffer.alloc(3) } }]],
    ["aligned by a field of its own", [{ ...stored, local: { extra: extraField(0xd935, Buffer.alloc(9)) } }]],
    ["aligned by zeros between entries", [hello, { ...stored, before: Buffer.alloc(4095) }], { gap: Buffer.alloc(60) }],
    ["with an empty archive inside", [{ name: "empty.zip", content: zip([]) }]],
    ["with a placeholder named like an archive", [{ name: "later.jar" }]],
  ])("%s are accepted", async (_what, entries, options) => {
    expect(await judge(zip(entries, options))).toBe("ok");
  });

  test.each(["marked", "bare", "markedWide", "bareWide"] as const)(
    "with sizes after the data (%s) are accepted, deflated and stored",
    async (descriptor) => {
      const deflated = [hello, large, { name: "empty.txt" }].map((entry) => ({ ...entry, descriptor }));
      expect(await judge(zip([...deflated, folder]))).toBe("ok");
      // For stored data, only the mark shows its end.
      const expected = descriptor.startsWith("marked") ? "ok" : "truncated";
      expect(await judge(zip([{ ...stored, descriptor }, hello]))).toBe(expected);
    },
  );

  test("stored data of unknown length may contain bytes that look like its end", async () => {
    const inner = zip([{ ...stored, descriptor: "marked" }], { comment: Buffer.from("PK\x07\x08PK\x07\x08") });
    const outer = zip([{ name: "inner.bin", content: inner, isStored: true, descriptor: "marked" }, hello]);
    expect(await readForward(outer)).toMatchObject({ "inner.bin": inner.toString("hex") });
  });

  test("are read the same in pieces of any length", async () => {
    const bytes = zip([hello, { ...large, descriptor: "marked" }, stored, { ...hello, name: "b", descriptor: "bare" }]);
    const whole = await readForward(bytes);
    expect(Object.keys(whole)).toEqual(["hello.txt", "large.bin", "stored.bin", "b"]);
    for (const length of [61, 1000, 65_536, 200_000]) expect(await readForward(bytes, length)).toEqual(whole);
  });

  test("are read the same when a piece ends exactly where an entry's data does", async () => {
    const entry: ZipEntry = { ...large, descriptor: "marked" };
    const bytes = zip([entry, hello]);
    const dataEnd = bytes.indexOf("PK\x07\x08");
    for (const length of [dataEnd, dataEnd - 1, dataEnd + 1]) {
      expect(Object.keys(await readForward(bytes, length))).toEqual(["large.bin", "hello.txt"]);
    }
    const known = zip([large, hello]);
    expect(Object.keys(await readForward(known, known.indexOf("PK\x03\x04", 9)))).toEqual(["large.bin", "hello.txt"]);
  });

  test("are read byte by byte too", async () => {
    const bytes = zip([hello, { ...stored, descriptor: "marked" }, { ...hello, name: "b", descriptor: "bare" }]);
    expect(await readForward(bytes, 1)).toEqual(await readForward(bytes));
  });

  test("are counted", async () => {
    const inspection = await inspectBytes(zip([hello, stored, folder]));
    expect(inspection).toEqual({ ok: true, isContentSeen: true, entries: 3, inflatedBytes: 3300, nested: [] });
  });
});

describe("names in other alphabets", () => {
  const cyrillic = Buffer.from([0x8f, 0xe0, 0xa8]);
  test.each<[string, ZipEntry, string]>([
    ["UTF-8 that is marked", { ...hello, name: "größe/файл-🎮.txt" }, "größe/файл-🎮.txt"],
    ["UTF-8 that is not marked", { ...hello, name: "größe.txt", fields: { flags: 0 } }, "größe.txt"],
    ["the DOS code page", { ...hello, name: Buffer.from([0x81, 0x2e, 0x74]), fields: { flags: 0 } }, "ü.t"],
    [
      "another code page beside a Unicode form",
      { ...hello, name: cyrillic, fields: { flags: 0, extra: unicodePath(cyrillic, "При") } },
      "При",
    ],
  ])("%s", async (_what, entry, name) => {
    expect(Object.keys(await readForward(zip([entry])))).toEqual([name]);
  });

  test.each<[string, ZipEntry, string]>([
    ["marked as UTF-8 and is not", { ...hello, name: cyrillic }, "invalidName"],
    ["overlong", { ...hello, name: Buffer.from([0xc0, 0xae, 0xc0, 0xae, 0x2f]) }, "invalidName"],
    [
      "two names at once",
      { ...hello, fields: { extra: unicodePath(Buffer.from(hello.name), "evil.txt") } },
      "recordsDisagree",
    ],
    [
      "a Unicode form for another name",
      { ...hello, name: cyrillic, fields: { flags: 0, extra: unicodePath(Buffer.from("x"), "При") } },
      "recordsDisagree",
    ],
    [
      "a Unicode form that leads out",
      { ...hello, name: cyrillic, fields: { flags: 0, extra: unicodePath(cyrillic, "../При") } },
      "unsafePath",
    ],
    [
      "a Unicode form in one record only",
      { ...hello, name: cyrillic, fields: { flags: 0 }, local: { extra: unicodePath(cyrillic, "При") } },
      "recordsDisagree",
    ],
    ["marked as UTF-8 in one record only", { ...hello, name: "ü", listed: { flags: 0 } }, "ok"],
    [
      "read two ways in two records",
      { ...hello, name: cyrillic, fields: { flags: 0 }, listed: { flags: 1 << 11 } },
      "invalidName",
    ],
  ])("%s", async (_what, entry, expected) => {
    expect(await judge(zip([entry]))).toBe(expected);
  });
});

describe("two records that do not agree", () => {
  const other = { name: "other.txt", method: 0, crc: 1, compressedSize: 5, size: 5 } as const;
  for (const field of ["name", "method", "crc", "compressedSize", "size"] as const) {
    test(`${field}: refused in either record`, async () => {
      const lie = { [field]: other[field] };
      expect(await judge(zip([hello, stored, { ...hello, name: "c", listed: lie }]))).not.toBe("ok");
      expect(await judge(zip([hello, stored, { ...hello, name: "c", local: lie }]))).not.toBe("ok");
      const isNoLie = field === "name" || field === "method";
      if (!isNoLie) expect(await judge(zip([hello, { ...hello, name: "c", fields: lie }, stored]))).not.toBe("ok");
    });

    test(`${field}: refused in an entry whose sizes follow the data`, async () => {
      const entry: ZipEntry = { ...hello, name: "c", descriptor: "marked" };
      const lie = { [field]: other[field] };
      expect(await judge(zip([entry]))).toBe("ok");
      expect(await judge(zip([{ ...entry, listed: lie }]))).toBe("recordsDisagree");
      expect(await judge(zip([{ ...entry, local: lie }]))).not.toBe("ok");
    });
  }

  test.each<[string, ZipEntry, string]>([
    ["a checksum that fits nothing", { ...hello, fields: { crc: 7 } }, "wrongChecksum"],
    [
      "a checksum after the data",
      { ...hello, descriptor: "marked", fields: { crc: 7 }, local: { crc: 0 } },
      "wrongChecksum",
    ],
    ["a size after the data", { ...hello, descriptor: "marked", fields: { size: 7 }, local: { size: 0 } }, "wrongSize"],
    ["less content than announced", { ...hello, fields: { size: 301 } }, "wrongSize"],
    ["more content than announced", { ...hello, fields: { size: 299 } }, "wrongSize"],
    ["much more content than announced", { ...large, fields: { size: 10 } }, "wrongSize"],
    ["stored content of two sizes", { ...stored, fields: { size: 2999 } }, "wrongSize"],
    [
      "bytes after the end of deflated data",
      { ...hello, packed: Buffer.concat([zipData(hello), noise(9)]) },
      "hiddenData",
    ],
    [
      "zeros after the end of deflated data",
      { ...hello, packed: Buffer.concat([zipData(hello), Buffer.alloc(9)]) },
      "hiddenData",
    ],
    ["deflated data cut short", { ...hello, packed: zipData(hello).subarray(0, -2) }, "brokenData"],
    ["deflated data that is none", { ...hello, packed: noise(40) }, "brokenData"],
    ["a folder with content", { ...hello, name: "folder/" }, "hiddenData"],
  ])("%s", async (_what, entry, expected) => {
    expect(await judge(zip([entry, stored]))).toBe(expected);
  });

  test("the message names the field, the entry and the archives around it", async () => {
    const inner = zip([{ ...hello, listed: { size: 5 } }]);
    const inspection = await inspectBytes(zip([{ name: "libs/inner.jar", content: inner }]));
    expect(inspection).toMatchObject({ ok: false, reason: "recordsDisagree" });
    expect(String(describeArchive(inspection as RefusedArchive))).toBe(
      'The archive contains two records of the same thing that do not match (size): "libs/inner.jar" → "hello.txt"',
    );
  });
});

function zipData(entry: ZipEntry): Buffer {
  const bytes = zip([entry]);
  return bytes.subarray(30 + entry.name.length, bytes.indexOf("PK\x01\x02"));
}

describe("bytes that belong to no record", () => {
  const mark = Buffer.from("not part of anything");
  test.each<[string, ZipEntry[], ZipOptions, string]>([
    ["before the archive", [hello], { prefix: mark }, "notAnArchive"],
    ["zeros before the archive", [hello], { prefix: Buffer.alloc(4) }, "notAnArchive"],
    ["between entries", [hello, { ...stored, before: mark }], {}, "hiddenData"],
    [
      "between entries, after alignment",
      [hello, { ...stored, before: Buffer.concat([Buffer.alloc(9), mark]) }],
      {},
      "hiddenData",
    ],
    ["more zeros than alignment needs", [hello, { ...stored, before: Buffer.alloc(4096) }], {}, "hiddenData"],
    ["before the directory", [hello], { gap: mark }, "hiddenData"],
    ["after the directory", [hello], { listed: [mark] }, "hiddenData"],
    ["after the archive", [hello], { suffix: mark }, "trailingData"],
    ["a zero after the archive", [hello], { suffix: Buffer.alloc(1) }, "trailingData"],
    ["a second archive after the first", [hello], { suffix: zip([stored]) }, "trailingData"],
    ["a second archive in the comment", [hello], { comment: zip([stored]) }, "recordsDisagree"],
    ["a comment longer than it says", [hello], { comment: mark, end: { commentLength: 4 } }, "trailingData"],
    ["a comment shorter than it says", [hello], { comment: mark, end: { commentLength: 40 } }, "truncated"],
    ["an entry that is not listed", [hello, { ...stored, isUnlisted: true }], {}, "hiddenEntry"],
    ["an entry listed twice", [hello], { listed: [listedAgain(hello, 0)] }, "missingEntry"],
    ["an entry listed under two names", [hello], { listed: [listedAgain({ ...hello, name: "b" }, 0)] }, "missingEntry"],
    ["a listed entry in the middle of another", [stored], { listed: [listedAgain(hello, 33)] }, "missingEntry"],
  ])("%s", async (_what, entries, options, expected) => {
    expect(await judge(zip(entries, options))).toBe(expected);
  });
});

describe("invalid records", () => {
  test.each<[string, ZipEntry[], ZipOptions, string]>([
    ["the end counts more entries", [hello], { end: { entries: 2 } }, "recordsDisagree"],
    ["the end counts fewer entries", [hello, stored], { end: { entries: 1 } }, "recordsDisagree"],
    ["the end says another size", [hello], { end: { size: 1 } }, "recordsDisagree"],
    ["the end says another place", [hello], { end: { offset: 1 } }, "recordsDisagree"],
    ["the end says ZIP64 where there is none", [hello], { end: { offset: 0xffff_ffff } }, "recordsDisagree"],
    ["the archive is one of several", [hello], { end: { disk: 1 } }, "brokenRecord"],
    ["an entry begins on another disk", [{ ...hello, listed: { disk: 1 } }], {}, "brokenRecord"],
    ["the ZIP64 end counts more entries", [hello], { isWideEnd: true, wideEnd: { entries: 2 } }, "recordsDisagree"],
    [
      "the ZIP64 end counts 2^60 entries",
      [hello],
      { isWideEnd: true, wideEnd: { entries: 2 ** 60 } },
      "recordsDisagree",
    ],
    ["the ZIP64 end says another size", [hello], { isWideEnd: true, wideEnd: { size: 2 ** 40 } }, "recordsDisagree"],
    ["the ZIP64 end says another place", [hello], { isWideEnd: true, wideEnd: { offset: 0 } }, "recordsDisagree"],
    ["the ZIP64 end is longer than known", [hello], { isWideEnd: true, wideEnd: { recordSize: 60 } }, "brokenRecord"],
    ["the ZIP64 end is on another disk", [hello], { isWideEnd: true, wideEnd: { disk: 1 } }, "brokenRecord"],
    ["the locator leads elsewhere", [hello], { isWideEnd: true, wideEnd: { locatorOffset: 0 } }, "recordsDisagree"],
    ["both ends, and they disagree", [hello], { isWideEnd: true, end: { entries: 3 } }, "recordsDisagree"],
    [
      "a ZIP64 size is missing",
      [{ ...hello, local: { size: 0xffff_ffff, extra: extraField(1, Buffer.alloc(4)) } }],
      {},
      "brokenRecord",
    ],
    [
      "a ZIP64 size beside a size that needs none",
      [{ ...hello, local: { extra: wideSizes([9, 9]) } }],
      {},
      "recordsDisagree",
    ],
    [
      "two fields of ZIP64 sizes",
      [{ ...hello, isWide: true, fields: { extra: wideSizes([1, 2]) } }],
      {},
      "brokenRecord",
    ],
    [
      "an extra field longer than its record",
      [{ ...hello, local: { extra: Buffer.from([9, 9, 9, 9]) } }],
      {},
      "brokenRecord",
    ],
    ["an extra field that is none", [{ ...hello, listed: { extra: Buffer.from([1, 2]) } }], {}, "brokenRecord"],
    ["10 GiB announced with ZIP64", [{ ...hello, isWide: true, fields: { size: 10 * 2 ** 30 } }], {}, "entryTooLarge"],
    ["2^63 bytes announced with ZIP64", [{ ...hello, isWide: true, fields: { size: 2 ** 63 } }], {}, "entryTooLarge"],
  ])("%s", async (_what, entries, options, expected) => {
    expect(await judge(zip(entries, options))).toBe(expected);
  });
});

describe("unreadable or forbidden contents", () => {
  test.each<[string, ZipEntry, string]>([
    ["encrypted", { ...hello, fields: { flags: 1 } }, "encrypted"],
    ["encrypted by its own word only", { ...hello, local: { flags: 1 } }, "encrypted"],
    ["encrypted by the directory's word only", { ...hello, listed: { flags: 1 } }, "encrypted"],
    ["strongly encrypted", { ...hello, fields: { flags: 1 << 6 } }, "encrypted"],
    ["with a masked record", { ...hello, fields: { flags: 1 << 13 } }, "encrypted"],
    ["a patch", { ...hello, fields: { flags: 1 << 5 } }, "unsupportedMethod"],
    ...[1, 6, 9, 12, 14, 93, 95, 97, 98, 99, 0xffff].map((method): [string, ZipEntry, string] => [
      `packed by method ${method}`,
      { ...hello, fields: { method } },
      "unsupportedMethod",
    ]),
    ["a symbolic link", { ...hello, content: "/etc/passwd", listed: { mode: 0o120777 } }, "specialEntry"],
    ["a link that claims to come from DOS", { ...hello, listed: { mode: 0o120777, madeBy: 20 } }, "specialEntry"],
    ["a block device", { ...hello, listed: { mode: 0o060660 } }, "specialEntry"],
    ["a character device", { ...hello, listed: { mode: 0o020666 } }, "specialEntry"],
    ["a socket", { ...hello, listed: { mode: 0o140755 } }, "specialEntry"],
    ["a pipe", { ...hello, listed: { mode: 0o010644 } }, "specialEntry"],
    ["larger than an entry may be", zerosEntry("zeros", 1025), "entryTooLarge"],
  ])("an entry that is %s", async (_what, entry, expected) => {
    expect(await judge(zip([entry]))).toBe(expected);
  });

  test.each([
    ["nothing", Buffer.alloc(0), "notAnArchive"],
    ["one byte", Buffer.from("P"), "notAnArchive"],
    ["a signature and nothing else", Buffer.from("PK\x03\x04"), "truncated"],
    ["no entries", zip([]), "empty"],
    ["folders only", zip([folder, { ...folder, name: "other/" }]), "empty"],
    ["noise", noise(5000), "notAnArchive"],
  ])("a file with %s", async (_what, bytes, expected) => {
    expect(await judge(bytes)).toBe(expected);
  });
});
