// The other archives: gzip and tar are walked, and of 7z the outer structure is checked.
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { noise } from "#test/files/archive-bombs.js";
import { inspectBytes, judge } from "#test/files/archive-readers.js";
import { paxRecord, sevenZip, type TarEntry, tar, zip } from "#test/files/archives.js";

const MiB = 1024 * 1024;
const hello: TarEntry = { name: "hello.txt", content: "hello" };
const aTar = tar([
  { name: "./", type: "5" },
  { name: "./folder", type: "5" },
  { name: "./folder/a.bin", content: noise(700) },
]);

describe("tar", () => {
  test.each<[string, TarEntry[], Buffer?]>([
    ["with one file", [hello]],
    ["with folders and files of any length", [{ name: "a/", type: "5" }, { name: "a/b", content: noise(512) }, hello]],
    [
      "made of a folder as a whole",
      [
        { name: "./", type: "5" },
        { name: "./a", content: "a" },
        { name: "./b/c", content: "c" },
      ],
    ],
    ["with a prefix", [{ ...hello, prefix: "some/long/folder" }]],
    ["with a pax header", [{ name: "pax", type: "x", content: paxRecord("path", "größe/файл.txt") }, hello]],
    ["with a pax header for all", [{ name: "pax", type: "g", content: paxRecord("comment", "abc") }, hello]],
    [
      "with a long name as GNU writes it",
      [{ name: "././@LongLink", type: "L", content: `${"a/".repeat(20)}b\0` }, hello],
    ],
    ["padded to ten KiB", [hello], Buffer.alloc(10_240 - 1024)],
  ])("%s is accepted", async (_what, entries, ending) => {
    expect(await judge(tar(entries, ending), "tar")).toBe("ok");
  });

  test.each<[string, TarEntry[], string]>([
    ["a symbolic link", [{ ...hello, type: "2" }], "specialEntry"],
    ["a hard link", [{ ...hello, type: "1" }], "specialEntry"],
    ["a character device", [{ ...hello, type: "3" }], "specialEntry"],
    ["a block device", [{ ...hello, type: "4" }], "specialEntry"],
    ["a pipe", [{ ...hello, type: "6" }], "specialEntry"],
    ["a sparse file", [{ ...hello, type: "S" }], "specialEntry"],
    ["a path that leads out", [{ ...hello, name: "../a" }], "unsafePath"],
    ["a path that leads out after all", [{ ...hello, name: "./../a" }], "unsafePath"],
    ["an absolute path", [{ ...hello, name: "/etc/passwd" }], "unsafePath"],
    ["a prefix that leads out", [{ ...hello, prefix: "../.." }], "unsafePath"],
    [
      "a pax path that leads out",
      [{ name: "pax", type: "x", content: paxRecord("path", "../a") }, hello],
      "unsafePath",
    ],
    ["a long name that leads out", [{ name: "././@LongLink", type: "L", content: "../a\0" }, hello], "unsafePath"],
    ["a name without letters", [{ ...hello, name: "" }], "invalidName"],
    ["a reserved name", [{ ...hello, name: "aux.txt" }], "invalidName"],
    ["the same name twice", [hello, { ...hello, name: "HELLO.txt" }], "duplicateEntry"],
    [
      "a file as a folder",
      [
        { ...hello, name: "a" },
        { ...hello, name: "a/b" },
      ],
      "duplicateEntry",
    ],
    ["a wrong checksum", [hello, { ...hello, name: "b", isChecksumWrong: true }], "brokenRecord"],
    ["a wrong checksum first", [{ ...hello, isChecksumWrong: true }], "notAnArchive"],
    ["a folder with content", [{ ...hello, type: "5" }], "hiddenData"],
    ["more content announced than there is", [{ ...hello, size: 9000 }], "truncated"],
    ["10 GiB announced", [{ ...hello, size: 8 * 1024 ** 3 - 1 }], "entryTooLarge"],
    [
      "10 GiB announced in a pax header",
      [{ name: "p", type: "x", content: paxRecord("size", `${10 * 1024 ** 3}`) }, hello],
      "entryTooLarge",
    ],
    ["a pax header that is none", [{ name: "pax", type: "x", content: "hello" }, hello], "brokenRecord"],
    ["a pax header of negative length", [{ name: "pax", type: "x", content: "-5 a=b\n" }, hello], "brokenRecord"],
    ["a pax header of length 0", [{ name: "pax", type: "x", content: "0 a=b\n" }, hello], "brokenRecord"],
    ["a pax header of 1 MiB", [{ name: "pax", type: "x", content: noise(MiB) }, hello], "brokenRecord"],
    [
      "one path for all in a pax header",
      [{ name: "pax", type: "g", content: paxRecord("path", "a") }, hello],
      "brokenRecord",
    ],
    [
      "a sparse file in a pax header",
      [{ name: "p", type: "x", content: paxRecord("GNU.sparse.name", "a") }, hello],
      "brokenRecord",
    ],
    ["folders only", [{ name: "a/", type: "5" }], "empty"],
    ["nothing", [], "empty"],
    ["a lying archive inside", [{ name: "a.jar", content: zip([{ name: "../a" }]) }], "unsafePath"],
  ])("with %s is refused", async (_what, entries, reason) => {
    expect(await judge(tar(entries), "tar")).toBe(reason);
  });

  test("that is truncated anywhere is refused", async () => {
    const bytes = tar([hello, { name: "b", content: noise(600) }]);
    for (let length = 0; length < bytes.length; length += 31) {
      expect([length, await judge(bytes.subarray(0, length), "tar")]).not.toEqual([length, "ok"]);
    }
  });

  test("with trailing data is refused", async () => {
    expect(await judge(Buffer.concat([tar([hello]), Buffer.from("x")]), "tar")).toBe("trailingData");
    expect(await judge(Buffer.concat([tar([hello]), tar([hello])]), "tar")).toBe("trailingData");
  });

  test("with any flipped bit is refused or harmless, and never causes an error", async () => {
    const bytes = tar([
      { name: "p", type: "x", content: paxRecord("path", "größe") },
      hello,
      { name: "a/", type: "5" },
    ]);
    for (let at = 0; at < bytes.length; at += 3) {
      const turned = Buffer.from(bytes);
      turned[at]! ^= 1 << (at % 8);
      expect(await judge(turned, "tar")).toMatch(/^\w+$/);
    }
  });
});

describe("gzip", () => {
  const packed = gzipSync(noise(5000));

  test("with any content is accepted, and its length and checksum are verified", async () => {
    expect(await inspectBytes(packed, "gz")).toMatchObject({ ok: true, entries: 1, inflatedBytes: 5000 });
  });

  test("with a tar archive inside is walked", async () => {
    const inspection = await inspectBytes(gzipSync(aTar), "gz");
    expect(inspection).toMatchObject({ ok: true, entries: 3, inflatedBytes: aTar.length, isContentSeen: true });
    expect(await judge(gzipSync(tar([{ ...hello, name: "../a" }])), "gz")).toBe("unsafePath");
    expect(await judge(gzipSync(tar([{ ...hello, type: "2" }])), "gz")).toBe("specialEntry");
    expect(await judge(gzipSync(aTar.subarray(0, 1600)), "gz")).toBe("truncated");
  });

  test("with a name, a comment and extra fields is accepted", async () => {
    const header = Buffer.from([0x1f, 0x8b, 8, 0b1_1110, 0, 0, 0, 0, 0, 3, 2, 0, 7, 7]);
    const texts = Buffer.from("name\0comment\0\x01\x02");
    expect(await judge(Buffer.concat([header, texts, packed.subarray(10)]), "gz")).toBe("ok");
  });

  test("with several members is one file", async () => {
    const two = Buffer.concat([gzipSync(aTar.subarray(0, 1000)), gzipSync(aTar.subarray(1000))]);
    expect(await inspectBytes(two, "gz")).toMatchObject({ ok: true, entries: 3 });
  });

  test.each([
    ["something after the end", Buffer.concat([packed, Buffer.from("x")]), "trailingData"],
    ["zeros after the end", Buffer.concat([packed, Buffer.alloc(512)]), "trailingData"],
    ["a wrong checksum", patch(packed, -8), "wrongChecksum"],
    ["a wrong length", patch(packed, -4), "wrongSize"],
    ["broken data", patch(gzipSync(Buffer.alloc(9000, "abc")), 14), "brokenData"],
    ["nothing in it", gzipSync(Buffer.alloc(0)), "empty"],
    ["unknown flags", patch(packed, 3, 0x80), "brokenRecord"],
    [
      "a name without an end",
      Buffer.concat([Buffer.from([0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3]), noise(9000).map((byte) => byte | 1)]),
      "brokenRecord",
    ],
    ["100 MiB of zeros", gzipSync(Buffer.alloc(100 * MiB)), "tooCompressed"],
  ])("with %s is refused", async (_what, bytes, reason) => {
    expect(await judge(Buffer.from(bytes), "gz")).toBe(reason);
  });

  test("that is truncated anywhere is refused", async () => {
    const small = gzipSync(noise(100));
    for (let length = 0; length < small.length; length++) {
      expect([length, await judge(small.subarray(0, length), "gz")]).not.toEqual([length, "ok"]);
    }
  });
});

function patch(bytes: Buffer, at: number, mask = 0xff): Buffer {
  const patched = Buffer.from(bytes);
  patched[at < 0 ? bytes.length + at : at]! ^= mask;
  return patched;
}

describe("7z", () => {
  const bytes = sevenZip(noise(500), Buffer.concat([Buffer.from([0x17]), noise(40)]));

  test("is accepted by its outer structure, and the result says that its contents are unseen", async () => {
    expect(await inspectBytes(bytes, "7z")).toEqual({
      ok: true,
      isContentSeen: false,
      entries: 0,
      inflatedBytes: 0,
      nested: [],
    });
  });

  test.each([
    ["another signature", patch(bytes, 0), "notAnArchive"],
    ["an unknown version", patch(bytes, 6), "brokenRecord"],
    ["a damaged start", patch(bytes, 20), "wrongChecksum"],
    ["a damaged directory", patch(bytes, bytes.length - 1), "wrongChecksum"],
    ["no directory", sevenZip(noise(500), Buffer.alloc(0)), "empty"],
    ["a directory that is none", sevenZip(noise(500), noise(40)), "brokenRecord"],
    ["something after the end", Buffer.concat([bytes, Buffer.from("x")]), "trailingData"],
  ])("with %s is refused", async (_what, damaged, reason) => {
    expect(await judge(damaged, "7z")).toBe(reason);
  });

  test("that is truncated anywhere is refused", async () => {
    for (let length = 0; length < bytes.length; length++) {
      expect([length, await judge(bytes.subarray(0, length), "7z")]).not.toEqual([length, "ok"]);
    }
  });
});
