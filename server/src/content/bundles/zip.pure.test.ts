import { Readable, Writable } from "node:stream";
import { crc32 } from "node:zlib";
import { describe, expect, test } from "vitest";
import { judge, readByDirectory, readForward } from "#test/files/archive-readers.js";
import { toEntryNames } from "./entry-names.js";
import { type Source, streamArchive } from "./stream-archive.js";
import { archiveSize, directory, localHeader } from "./zip.js";

const time = Date.UTC(2026, 10, 15, 6, 35, 12);
const gib = 1024 ** 3;

const source = (name: string, content: string | Buffer, known = false): Source => {
  const bytes = Buffer.from(content);
  const open = async () => Readable.from([bytes.subarray(0, 3), bytes.subarray(3)]);
  return { name, size: bytes.length, time, crc32: known ? crc32(bytes) : undefined, open };
};

/** Collects the output, one chunk at a time. */
class Receiver extends Writable {
  readonly #chunks: Buffer[] = [];
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#chunks.push(chunk);
    setImmediate(done);
  }
  get bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }
}

const pack = async (...sources: Source[]): Promise<Buffer> => {
  const receiver = new Receiver({ highWaterMark: 16 });
  await streamArchive(receiver, sources);
  return receiver.bytes;
};
const hex = (text: string): string => Buffer.from(text).toString("hex");

describe("an archive", () => {
  test("is read the same way by the server's own inspection, sequentially and by its directory", async () => {
    const bytes = await pack(
      source("mod.txt", "first"),
      source("Änderung – ß.txt", "second", true),
      source("empty", ""),
    );
    const contents = { "mod.txt": hex("first"), "Änderung – ß.txt": hex("second"), empty: "" };
    expect(await judge(bytes)).toBe("ok");
    expect(await readForward(bytes)).toEqual(contents);
    expect(readByDirectory(bytes)).toEqual(contents);
  });

  test("has the length that was computed before", async () => {
    const sources = [source("mod.txt", "first"), source("ß.txt", "second")];
    expect((await pack(...sources)).length).toBe(archiveSize(sources));
    expect((await pack()).length).toBe(archiveSize([]));
  });

  test("reports each checksum that had to be computed, once", async () => {
    const learned: [string, number][] = [];
    const sources = [source("a", "one"), source("b", "two", true)];
    await streamArchive(new Receiver(), sources, ({ name }, checksum) => learned.push([name, checksum]));
    expect(learned).toEqual([["a", crc32(Buffer.from("one"))]]);
  });

  test("above 4 GiB uses ZIP64 for sizes and offsets, and includes them in its length", () => {
    const entries = [
      { name: "large", size: 5 * gib, time, crc32: 1, offset: 0 },
      { name: "behind", size: 7, time, crc32: 2, offset: 5 * gib + 55 },
    ];
    const headers = entries.map(localHeader);
    const start = headers.reduce((sum, header, at) => sum + header.length + entries[at]!.size, 0);
    const end = directory(entries, start);
    expect(archiveSize(entries)).toBe(start + end.length);
    const first = headers[0]!;
    expect(first.readUInt16LE(4)).toBe(45);
    expect(first.readUInt32LE(22)).toBe(0xffff_ffff);
    expect(Number(first.readBigUInt64LE(30 + "large".length + 4))).toBe(5 * gib);
    expect(headers[1]!.readUInt32LE(22)).toBe(7);
    const wide = end.indexOf("PK\x06\x06");
    expect(Number(end.readBigUInt64LE(wide + 48))).toBe(start);
    expect(Number(end.readBigUInt64LE(end.indexOf("PK\x06\x07") + 8))).toBe(start + wide);
    // Only the offset of the second file does not fit.
    const second = end.indexOf("behind");
    expect(end.readUInt16LE(second + "behind".length + 2)).toBe(8);
    expect(Number(end.readBigUInt64LE(second + "behind".length + 4))).toBe(5 * gib + 55);
  });

  test("with 70,000 files uses ZIP64 for the count", () => {
    const entries = Array.from({ length: 70_000 }, (_, at) => ({ name: `${at}`, size: 0, time, crc32: 0, offset: 0 }));
    const end = directory(entries, 0);
    expect(end.readUInt16LE(end.length - 12)).toBe(0xffff);
    expect(Number(end.readBigUInt64LE(end.lastIndexOf("PK\x06\x06") + 32))).toBe(70_000);
  });

  test("has no dates before 1980, which the format cannot express", () => {
    expect(localHeader({ name: "a", size: 0, time: 0, crc32: 0 }).readUInt16LE(12)).toBe((1 << 5) | 1);
  });
});

describe("sending an archive", () => {
  const lying = (size: number): Source => ({ ...source("short", "abc"), size });

  test.each([2, 4])("fails if the length of a file has changed (%i)", async (size) => {
    const receiver = new Receiver();
    await expect(streamArchive(receiver, [lying(size)])).rejects.toThrow("short");
    expect(receiver.destroyed).toBe(true);
    const known = new Receiver();
    await expect(streamArchive(known, [{ ...lying(size), crc32: 1 }])).rejects.toThrow("short");
    expect(known.destroyed).toBe(true);
  });

  test("fails if a file cannot be opened", async () => {
    const receiver = new Receiver();
    const open = async () => Promise.reject(new Error("gone"));
    await expect(streamArchive(receiver, [{ ...source("a", "b"), open }])).rejects.toThrow("gone");
    expect(receiver.destroyed).toBe(true);
  });

  test("stops reading when the client disconnects", async () => {
    let read = 0;
    const endless = async function* () {
      for (;;) {
        read++;
        yield Buffer.alloc(1024);
      }
    };
    const receiver = new Writable({
      highWaterMark: 1,
      write(_chunk, _encoding, done) {
        if (read > 3) this.destroy();
        else done();
      },
    });
    const open = async () => Readable.from(endless());
    await expect(streamArchive(receiver, [{ name: "endless", size: 2 ** 40, time, crc32: 1, open }])).rejects.toThrow(
      "client",
    );
    expect(read).toBeLessThan(1000);
  });

  test("keeps only a few chunks of a large file in memory", async () => {
    const chunk = Buffer.alloc(1024 * 1024);
    const count = 256;
    let [read, written, most] = [0, 0, 0];
    const open = async () =>
      Readable.from(
        (function* () {
          for (read = 0, written = 0; read < count; read++) {
            most = Math.max(most, read - written);
            yield chunk;
          }
        })(),
        { highWaterMark: 1 },
      );
    const receiver = new Writable({
      highWaterMark: 1024,
      write(bytes: Buffer, _encoding, done) {
        if (bytes.length === chunk.length) written++;
        setImmediate(done);
      },
    });
    const size = count * chunk.length;
    await streamArchive(receiver, [{ name: "large", size, time, crc32: 0, open }]);
    expect(written).toBe(count);
    expect(most).toBeLessThan(8);
  });
});

describe("names inside an archive", () => {
  test("stay unchanged unless two are equal without regard to case", () => {
    const names = toEntryNames(
      [
        { name: "core.jar", prefix: "a" },
        { name: "Core.jar", prefix: "b" },
        { name: "manifest.json", prefix: "c" },
        { name: "b-Core.jar", prefix: "d" },
      ],
      ["manifest.json"],
    );
    expect(names).toEqual(["core.jar", "b-Core.jar", "c-manifest.json", "d-b-Core.jar"]);
  });

  test("are found for any number of equal names", () => {
    const names = toEntryNames(Array.from({ length: 50 }, () => ({ name: "x.jar", prefix: "p" })));
    expect(new Set(names).size).toBe(50);
  });

  test("takes time in proportion to the number of files, even if all have the same name", () => {
    const names = toEntryNames(Array.from({ length: 100_000 }, () => ({ name: "x.jar", prefix: "p" })));
    expect([names[0], names[1], names.at(-1)]).toEqual(["x.jar", "p-x.jar", "p-99999-x.jar"]);
    expect(new Set(names).size).toBe(100_000);
  });
});
