// Archives that expand to far too much data, by every known trick: all are refused long before they are unpacked.
import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { describe, expect, test } from "vitest";
import {
  nestedZip,
  noise,
  overlappingBomb,
  packedZeros,
  sharedDataBomb,
  zerosEntry,
} from "#test/files/archive-bombs.js";
import { inspectBytes, judge } from "#test/files/archive-readers.js";
import { type ZipEntry, zip } from "#test/files/archives.js";

const MiB = 1024 * 1024;
const sha512 = (bytes: Buffer) => createHash("sha512").update(bytes).digest("hex");

function honestZeros(mebibytes: number): ZipEntry {
  return zerosEntry("zeros", mebibytes, {
    fields: { size: mebibytes * MiB, crc: crc32(Buffer.alloc(mebibytes * MiB)) },
  });
}

describe("one archive", () => {
  test("10 GB of zeros in 10 MB are refused by the announced size", async () => {
    const bytes = zip(Array.from({ length: 20 }, (_, index) => zerosEntry(`${index}`, 512)));
    expect(bytes.length).toBeLessThan(11 * MiB);
    expect(await judge(bytes)).toBe("tooCompressed");
  });

  test("10 GB of zeros in one entry are refused by its size", async () => {
    expect(await judge(zip([zerosEntry("zeros", 10_000, { packed: packedZeros(10), isWide: true })]))).toBe(
      "entryTooLarge",
    );
  });

  test("zeros without an announced size are refused when the limit is reached", async () => {
    const unannounced = zip([zerosEntry("zeros", 200, { descriptor: "marked" })]);
    expect(await judge(unannounced)).toBe("tooCompressed");
    expect(await judge(unannounced, "zip", { maxEntryBytes: 50 * MiB })).toBe("entryTooLarge");
    expect(await judge(unannounced, "zip", { maxUnpackedBytes: 50 * MiB })).toBe("tooLarge");
  });

  test("zeros announced as a few bytes are refused after these bytes", async () => {
    expect(await judge(zip([zerosEntry("zeros", 200, { fields: { size: 10 } })]))).toBe("wrongSize");
  });

  test("any compression ratio is allowed up to 64 MiB, above that a ratio of 50", async () => {
    const tight = zip([honestZeros(60)]);
    expect(tight.length * 500).toBeLessThan(60 * MiB);
    expect(await judge(tight)).toBe("ok");
    const loose: ZipEntry = { name: "noise", content: noise(2 * MiB), isStored: true };
    const zeros = honestZeros(80);
    expect(await judge(zip([loose, zeros]))).toBe("ok");
    expect(await judge(zip([zeros]))).toBe("tooCompressed");
    expect(await judge(zip([zeros]), "zip", { maxRatio: 2000 })).toBe("ok");
  });

  test.each([2, 250])("%i entries that overlap are refused, though each can be unpacked", async (entries) => {
    expect(await judge(overlappingBomb(1))).toBe("ok");
    expect(await judge(overlappingBomb(entries))).toBe("missingEntry");
  });

  test("entries that share their data are refused", async () => {
    expect(await judge(sharedDataBomb(1))).toBe("ok");
    expect(await judge(sharedDataBomb(1000))).toBe("missingEntry");
  });

  test("70,000 entries are refused, and the allowed number is accepted", async () => {
    const entries = Array.from({ length: 70_000 }, (_, index): ZipEntry => ({ name: `${index}`, isStored: true }));
    expect(await judge(zip(entries))).toBe("tooManyEntries");
    expect(await judge(zip(entries.slice(0, 500)), "zip", { maxEntries: 499 })).toBe("tooManyEntries");
    expect(await judge(zip(entries.slice(0, 500)), "zip", { maxEntries: 500 })).toBe("ok");
  });

  test("too many folders are refused, also those that no entry names", async () => {
    const deep = (index: number) => `${index}/${"a/".repeat(29)}f`;
    const entries = Array.from({ length: 100 }, (_, index): ZipEntry => ({ name: deep(index), isStored: true }));
    expect(await judge(zip(entries), "zip", { maxEntries: 100 })).toBe("tooManyEntries");
    expect(await judge(zip(entries), "zip", { maxEntries: 3000 })).toBe("ok");
  });
});

describe("archives inside archives", () => {
  test.each([1, 2, 3])("%i levels are accepted", async (levels) => {
    expect(await judge(nestedZip(levels))).toBe("ok");
  });

  test.each([4, 10, 40])("%i levels are refused", async (levels) => {
    expect(await judge(nestedZip(levels))).toBe("nestedTooDeep");
  });

  test("the depth is a configurable limit", async () => {
    expect(await judge(nestedZip(2), "zip", { maxNestingDepth: 0 })).toBe("nestedTooDeep");
    expect(await judge(nestedZip(10), "zip", { maxNestingDepth: 9 })).toBe("ok");
  });

  test("many small bombs share one budget", async () => {
    const bomb = zip([{ name: "zeros", content: Buffer.alloc(10 * MiB) }]);
    const pack = (count: number) =>
      zip(Array.from({ length: count }, (_, index) => ({ name: `${index}.zip`, content: bomb })));
    expect(await judge(pack(6))).toBe("ok");
    expect(await judge(pack(7))).toBe("tooCompressed");
  });

  test("entries of all nested archives are counted together", async () => {
    const inner = zip(Array.from({ length: 50 }, (_, index) => ({ name: `${index}` })));
    const outer = zip([1, 2, 3].map((index) => ({ name: `${index}.zip`, content: inner })));
    expect(await judge(outer, "zip", { maxEntriesInAll: 153 })).toBe("ok");
    expect(await judge(outer, "zip", { maxEntriesInAll: 152 })).toBe("tooManyEntries");
    expect(await judge(outer, "zip", { maxEntries: 49 })).toBe("tooManyEntries");
    expect(await judge(outer, "zip", { maxNested: 2 })).toBe("tooManyNested");
  });

  test("each is reported with its digest, at any place and with any compression", async () => {
    const innermost = zip([{ name: "a", content: "a" }], { comment: Buffer.from("innermost") });
    const inner = zip([{ name: "lib/b.jar", content: innermost }, { name: "later.zip" }]);
    const inspection = await inspectBytes(
      zip([
        { name: "libs/deflated.jar", content: inner, descriptor: "marked" },
        { name: "libs/STORED.ZIP", content: innermost, isStored: true },
        { name: "libs/unseen.bin", content: innermost },
      ]),
    );
    expect(inspection).toMatchObject({
      ok: true,
      nested: [
        { path: "libs/deflated.jar!/lib/b.jar", size: innermost.length, sha512: sha512(innermost) },
        { path: "libs/deflated.jar", size: inner.length, sha512: sha512(inner) },
        { path: "libs/STORED.ZIP", size: innermost.length, sha512: sha512(innermost) },
      ],
    });
  });

  test.each<[string, Buffer, string]>([
    ["no archive at all", Buffer.from("nothing of the kind"), "notAnArchive"],
    [
      "an archive behind a picture",
      zip([{ name: "a" }], { prefix: Buffer.from("\x89PNG\r\n\x1a\n", "latin1") }),
      "notAnArchive",
    ],
    ["an archive with something after it", zip([{ name: "a" }], { suffix: Buffer.from("x") }), "trailingData"],
    ["half an archive", zip([{ name: "a", content: noise(500) }]).subarray(0, 300), "truncated"],
    ["an archive with a link", zip([{ name: "a", listed: { mode: 0o120777 } }]), "specialEntry"],
    ["an archive that leads out", zip([{ name: "../a" }]), "unsafePath"],
    ["a bomb", zip([zerosEntry("zeros", 200, { descriptor: "marked" })]), "tooCompressed"],
  ])("%s with the extension of an archive is refused", async (_what, content, reason) => {
    for (const entry of [{ isStored: true }, {}, { descriptor: "marked" as const }]) {
      expect(await judge(zip([{ name: "libs/a.jar", content, ...entry }, { name: "b" }]))).toBe(reason);
    }
  });
});
