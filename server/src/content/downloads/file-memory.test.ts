import { createHash, randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { BlobDamaged } from "#platform/blobs/errors.js";
import type { Loaded } from "#platform/blobs/store.js";
import { ServerMemory } from "#platform/changes/server-memory.js";
import { testApp } from "#test/server/harness.js";
import { FileMemory, smallFileBytes } from "./file-memory.js";

const { resources } = await testApp();

/** A memory of its own over the stored files of the server, which counts what is read from there. */
function openMemory() {
  // The least that caches get.
  const memory = new ServerMemory({ ...resources, memoryBytes: 0 });
  const reads: string[] = [];
  const blobs = {
    ...resources.blobs,
    read: (sha512: string) => {
      reads.push(sha512);
      return resources.blobs.read(sha512);
    },
  };
  const files = new FileMemory({ ...resources, blobs, memory });
  const figures = () => memory.listCaches()[0]!;
  return { files, reads, figures };
}

const put = async (size = 1000) => resources.blobs.put(randomBytes(size));

describe("the memory of small files", () => {
  test("holds a file from its second request on", async () => {
    const { files, reads, figures } = openMemory();
    const file = await put();
    const first = await files.get(file);
    const { bytes } = first as Loaded;
    expect(createHash("sha512").update(bytes).digest("hex")).toBe(file.sha512);
    expect([first, figures().entries]).toEqual([{ bytes, isOwn: true }, 0]);
    expect(await files.get(file)).toEqual({ bytes, isOwn: false });
    expect(files.get(file)).toBeInstanceOf(Buffer);
    expect(files.get(file)).toEqual(bytes);
    expect([reads.length, figures().entries, figures().hits]).toEqual([2, 1, 2]);
  });

  test("never holds more bytes than its limit, and files that are requested once do not replace others", async () => {
    const { files, reads, figures } = openMemory();
    const hot = await put(smallFileBytes);
    for (let times = 0; times < 3; times++) await files.get(hot);
    const { limit } = figures();
    const others = await Promise.all(Array.from({ length: 1.5 * (limit / smallFileBytes) }, () => put(smallFileBytes)));
    for (const file of others) await files.get(file);
    expect(figures().entries).toBe(1);
    for (const file of others) {
      await files.get(file);
      // It is requested more often than the others, so it stays.
      await files.get(hot);
      expect(figures().bytes).toBeLessThanOrEqual(limit);
    }
    expect(figures().bytes).toBeGreaterThan(limit / 2);
    expect(reads.filter((sha512) => sha512 === hot.sha512)).toHaveLength(2);
    // The files that came first stay while no other file is requested more often.
    expect(files.get(others[0]!)).toBeInstanceOf(Buffer);
    const late = others.at(-1)!;
    expect(await files.get(late)).toMatchObject({ isOwn: false });
    expect(files.get(late)).toBeInstanceOf(Buffer);
    expect(figures().bytes).toBeLessThanOrEqual(limit);
  });

  test("replaces few files while all are requested equally often, and all when others have become popular", async () => {
    const { files, reads, figures } = openMemory();
    const { limit } = figures();
    const number = Math.floor((2 * limit) / smallFileBytes);
    const [before, after] = await Promise.all(
      ["before", "after"].map(() => Promise.all(Array.from({ length: number }, () => put(smallFileBytes)))),
    );
    for (let times = 0; times < 6; times++) for (const file of before!) await files.get(file);
    // A half of them fits. The first two rounds read all of them, and later ones the other half.
    const { entries: held } = figures();
    expect(held).toBeGreaterThan(number / 3);
    expect(reads.length).toBe(6 * number - 4 * held);
    for (let times = 0; times < 20; times++) for (const file of after!.slice(0, held - 1)) await files.get(file);
    expect(after!.slice(0, held - 1).every((file) => Buffer.isBuffer(files.get(file)))).toBe(true);
    expect(figures().bytes).toBeLessThanOrEqual(limit);
  });

  test("reads a file once for concurrent requests, whose bytes are shared", async () => {
    const { files, reads } = openMemory();
    const file = await put();
    const loaded = (await Promise.all(Array.from({ length: 5 }, () => files.get(file)))) as Loaded[];
    expect(new Set(loaded).size).toBe(1);
    expect(loaded[0]).toMatchObject({ isOwn: false });
    expect(reads).toHaveLength(1);
  });

  test("does not hold a file that is missing or damaged, and reads it again at the next request", async () => {
    const { files, figures } = openMemory();
    const file = await put();
    for (let times = 0; times < 2; times++)
      await expect(files.get({ ...file, size: file.size + 1 })).rejects.toThrow(BlobDamaged);
    const missing = { sha512: "0".repeat(128), size: 1 };
    for (let times = 0; times < 2; times++) expect(await files.get(missing)).toBeUndefined();
    expect(figures().entries).toBe(0);
    expect(await files.get(file)).toMatchObject({ isOwn: false });
  });
});
