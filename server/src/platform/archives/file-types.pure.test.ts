// The type of a file: its extension and its first bytes must agree, otherwise it has no type.
import { describe, expect, test } from "vitest";
import { sevenZip, tar, zip } from "#test/files/archives.js";
import { archiveTypes, contentTypeOf, type FileType, fileTypes, findFileType, isArchiveType } from "./file-types.js";

const latin1 = (text: string) => Buffer.from(text, "latin1");
const aZip = zip([{ name: "a.txt", content: "a" }]);
const heads: Record<FileType, Buffer> = {
  jar: aZip,
  zip: aZip,
  mrpack: aZip,
  "7z": sevenZip(Buffer.alloc(9), Buffer.from([1])),
  gz: latin1("\x1f\x8b\x08\x00\x00\x00\x00\x00"),
  tar: tar([{ name: "a.txt", content: "a" }]),
  png: latin1("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"),
  jpeg: latin1("\xff\xd8\xff\xe0\x00\x10JFIF"),
  webp: latin1("RIFF\x10\x00\x00\x00WEBPVP8 "),
  gif: latin1("GIF89a\x01\x00"),
  mp4: latin1("\x00\x00\x00\x18ftypisom"),
  webm: latin1("\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\xf7\x81\x01\x42\x82\x84webm\x42\x87\x81\x04"),
  mkv: latin1("\x1a\x45\xdf\xa3\xa3\x42\x86\x81\x01\x42\xf7\x81\x01\x42\x82\x88matroska\x42\x87\x81\x04"),
};

describe("the type of a file", () => {
  test.each(fileTypes)("%s is recognised by its extension and its first bytes", (type) => {
    expect(findFileType(`my-file.${type}`, heads[type])).toBe(type);
    expect(findFileType(`MY FILE.${type.toUpperCase()}`, heads[type])).toBe(type);
  });

  test.each([
    ["photo.jpg", "jpeg"],
    ["pack.tar.gz", "gz"],
    ["pack.tgz", "gz"],
    ["archive.png.zip", "zip"],
    ["1.2.3.jar", "jar"],
  ] as const)("%s is %s", (name, type) => {
    expect(findFileType(name, heads[type])).toBe(type);
  });

  test("a jar and a pack have the same bytes as a zip", () => {
    expect(findFileType("a.mrpack", heads.zip)).toBe("mrpack");
    expect(findFileType("a.zip", heads.jar)).toBe("zip");
    expect(findFileType("a.jar", heads.zip)).toBe("jar");
  });

  test("an extension that contradicts the bytes gives no type", () => {
    const isSameFormat = (one: FileType, other: FileType) =>
      [one, other].every((type) => ["jar", "zip", "mrpack"].includes(type));
    for (const said of fileTypes) {
      for (const real of fileTypes.filter((real) => real !== said && !isSameFormat(said, real))) {
        expect([said, real, findFileType(`a.${said}`, heads[real])]).toEqual([said, real, undefined]);
      }
    }
  });

  test.each(["jar", ".jar", "", "a.", "a.jar.", "a.jar ", "a.jar.exe", "a.exe", "a.jar\u0000", "a.jar/b", "ａ.ｊａｒ"])(
    "%j has no type",
    (name) => {
      expect(findFileType(name, aZip)).toBeUndefined();
    },
  );

  test.each(fileTypes)("%s of 0 bytes, of 1 byte or cut within its signature has no type", (type) => {
    for (const length of [0, 1, 2]) {
      expect(findFileType(`a.${type}`, heads[type].subarray(0, length))).toBeUndefined();
    }
  });

  test.each([
    ["a picture", heads.png],
    ["a GIF", heads.gif],
    ["a page", latin1("<!doctype html><script>alert(1)</script>")],
    ["a document", latin1("%PDF-1.7\n")],
    ["a program", latin1("MZ\x90\x00")],
    ["a single byte", Buffer.alloc(1)],
  ])("an archive after %s is not an archive", (_what, prefix) => {
    const polyglot = zip([{ name: "a.txt", content: "a" }], { prefix });
    expect(findFileType("a.jar", polyglot)).toBeUndefined();
    expect(findFileType("a.zip", polyglot)).toBeUndefined();
  });

  test("the signature of tar is expected at its offset, not at the start", () => {
    expect(findFileType("a.tar", latin1("ustar\x0000"))).toBeUndefined();
  });

  test("a view into a larger buffer is read with its own bounds", () => {
    const larger = new Uint8Array(Buffer.concat([Buffer.alloc(7), heads.png, Buffer.alloc(7)]));
    expect(findFileType("a.png", larger.subarray(7))).toBe("png");
    expect(findFileType("a.png", larger)).toBeUndefined();
  });
});

describe("content types", () => {
  test("every type has its own, and an unknown type is application/octet-stream", () => {
    expect(Object.fromEntries(fileTypes.map((type) => [type, contentTypeOf(type)]))).toEqual({
      jar: "application/java-archive",
      zip: "application/zip",
      mrpack: "application/x-modrinth-modpack+zip",
      "7z": "application/x-7z-compressed",
      gz: "application/gzip",
      tar: "application/x-tar",
      png: "image/png",
      jpeg: "image/jpeg",
      webp: "image/webp",
      gif: "image/gif",
      mp4: "video/mp4",
      webm: "video/webm",
      mkv: "video/x-matroska",
    });
    expect(contentTypeOf(undefined)).toBe("application/octet-stream");
  });

  test("archives are distinguished from images and videos", () => {
    expect(fileTypes.filter(isArchiveType)).toEqual([...archiveTypes]);
  });
});
