// A damaged archive is refused, or every program still finds its original contents in it.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { noise } from "#test/files/archive-bombs.js";
import { type Contents, readByDirectory, readForward } from "#test/files/archive-readers.js";
import { type ZipEntry, zip } from "#test/files/archives.js";
import { sampleOf } from "#test/setup/long.js";
import { ArchiveRefused } from "./problems.js";

const sample = zip(
  [
    { name: "META-INF/", isStored: true, listed: { mode: 0o040755 } },
    { name: "META-INF/MANIFEST.MF", content: "Manifest-Version: 1.0\r\n", descriptor: "marked" },
    { name: "stored.bin", content: noise(90), isStored: true },
    { name: "Größe.txt", content: "hello ".repeat(20) },
    { name: "wide.txt", content: "wide ".repeat(9), isWide: true },
    { name: "streamed.bin", content: noise(50), isStored: true, descriptor: "markedWide" },
    { name: "lib.jar", content: zip([{ name: "a.class", content: noise(40), descriptor: "bare" }]) },
  ],
  { comment: Buffer.from("sample"), isWideEnd: true },
);

/** Every place in it, from the first byte to behind the last; every second one in `npm test`. */
const places = sampleOf([...Array(sample.length + 1).keys()], { step: 2, turn: 0 });
const bits = [0, 1, 2, 3, 4, 5, 6, 7];

/** The contents by both ways of reading, or undefined if the archive is refused. Any other error fails the test. */
async function readBoth(bytes: Buffer): Promise<[Contents, Contents] | undefined> {
  try {
    return [await readForward(bytes), readByDirectory(bytes)];
  } catch (error) {
    if (error instanceof ArchiveRefused) return undefined;
    throw error;
  }
}

/** Nested archives are verified, but not kept. */
const withoutNested = (contents: Contents) =>
  Object.fromEntries(Object.entries(contents).filter(([name]) => !name.endsWith(".jar")));

describe("a damaged archive", () => {
  test("is valid before the damage", async () => {
    const [forward, listed] = (await readBoth(sample))!;
    expect(Object.keys(forward)).toHaveLength(6);
    expect(withoutNested(listed)).toEqual(forward);
  });

  test("that is truncated anywhere is refused", async () => {
    for (const length of places.filter((place) => place < sample.length)) {
      expect([length, await readBoth(sample.subarray(0, length))]).toEqual([length, undefined]);
    }
  });

  test("without any one of its bytes is refused", async () => {
    for (const at of places.filter((place) => place < sample.length)) {
      const shorter = Buffer.concat([sample.subarray(0, at), sample.subarray(at + 1)]);
      expect([at, await readBoth(shorter)]).toEqual([at, undefined]);
    }
  });

  test("with an extra byte anywhere is refused", async () => {
    for (const at of places) {
      const longer = Buffer.concat([sample.subarray(0, at), Buffer.from([0x41]), sample.subarray(at)]);
      expect([at, await readBoth(longer)]).toEqual([at, undefined]);
    }
  });

  test("with one flipped bit is refused, or has the same contents", async () => {
    const [expected] = (await readBoth(sample))!;
    let [refused, tried] = [0, 0];
    for (let at = 0; at < sample.length; at++) {
      for (const bit of sampleOf(bits, { step: 4, turn: at })) {
        tried++;
        const turned = Buffer.from(sample);
        turned[at]! ^= 1 << bit;
        const found = await readBoth(turned);
        if (!found) refused++;
        else expect([at, bit, found[0], withoutNested(found[1])]).toEqual([at, bit, expected, expected]);
      }
    }
    // Times, versions, permissions and comments may change.
    expect(refused).toBeGreaterThan(tried * 0.6);
  });
});

const form = fc.constantFrom(undefined, "marked", "markedWide", "bare", "bareWide");
const anyEntry = fc.record({
  name: fc.string({ unit: fc.constantFrom(..."abcdefgh/ü日"), minLength: 1, maxLength: 8 }),
  content: fc.oneof(
    fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
    fc.nat(400_000).map((length) => Buffer.alloc(length, "PK\x07\x08")),
  ),
  isStored: fc.boolean(),
  descriptor: form,
  isWide: fc.boolean(),
});
const anyArchive = fc.array(anyEntry, { minLength: 1, maxLength: 6 }).map((entries) =>
  entries.map((entry, index): ZipEntry => {
    // Tools that write bare descriptors cannot store entries; sizes after the data are not also written before it.
    const isStored = entry.isStored && !entry.descriptor?.startsWith("bare");
    const isWide = entry.isWide && !entry.descriptor;
    return { ...entry, isStored, isWide, name: `${index}${entry.name.replace(/\/+/g, "/").replace(/\/$/, "")}` };
  }),
);

describe("any archive", () => {
  test("is read as it was written", async () => {
    await fc.assert(
      fc.asyncProperty(anyArchive, fc.constantFrom(997, 4096, 65_536, 1e9), async (entries, pieceLength) => {
        const bytes = zip(entries);
        const written = Object.fromEntries(
          entries.map(({ name, content }) => [name, Buffer.from(content!).toString("hex")]),
        );
        expect(await readForward(bytes, pieceLength)).toEqual(written);
        expect(readByDirectory(bytes)).toEqual(written);
      }),
      { numRuns: 100 },
    );
  });

  test("with rearranged parts is refused, or both ways of reading find the same", async () => {
    const piece = fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }));
    const small = zip([
      { name: "a.txt", content: noise(40, "a"), isStored: true },
      { name: "b.txt", content: noise(40, "b") },
      { name: "c.txt", content: "c", descriptor: "marked" },
    ]);
    const marks = [...small.toString("latin1").matchAll(/PK../gs)].map(({ index }) => index);
    const snap = (share: number) => {
      const at = Math.floor(share * small.length);
      return share > 0.5 ? at : marks.findLast((mark) => mark <= at)!;
    };
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 8 }), async (pieces) => {
        const parts = pieces.map(([from, to]) => small.subarray(snap(from), Math.max(snap(from), snap(to))));
        const found = await readBoth(
          Buffer.concat([small.subarray(0, snap(pieces[0]![0])), ...parts, small.subarray(marks[3])]),
        );
        if (found) expect(found[0]).toEqual(found[1]);
      }),
      { numRuns: 2000 },
    );
  });
});
