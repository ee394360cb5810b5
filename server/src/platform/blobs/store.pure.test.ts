// The guarantees of every blob store, tested on disk and on S3.
import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startS3, type TestS3 } from "#test/setup/s3.js";
import { isIntact } from "./digest.js";
import { BlobRangeInvalid, BlobTooLarge } from "./errors.js";
import { openBlobStore } from "./open.js";
import type { BlobStore, BlobToSend, OpenBlob, StoredBlob } from "./store.js";

const mib = 1024 * 1024;
const digestOf = (bytes: Uint8Array) => ({
  sha512: createHash("sha512").update(bytes).digest("hex"),
  sha1: createHash("sha1").update(bytes).digest("hex"),
  size: bytes.byteLength,
});
const unknownHash = digestOf(randomBytes(8)).sha512;

async function readAll(blob: OpenBlob | undefined): Promise<Buffer> {
  if (!blob) throw new Error("no such blob");
  const bytes = Buffer.concat(await blob.stream.toArray());
  expect(bytes.byteLength).toBe(blob.length);
  return bytes;
}

async function receiveAll(blob: BlobToSend | undefined): Promise<Buffer> {
  if (!blob) throw new Error("no such blob");
  const parts: Buffer[] = [];
  const out = new Writable({
    write(chunk, _, done) {
      // Its memory is used again.
      parts.push(Buffer.from(chunk));
      setImmediate(done);
    },
  });
  await blob.sendTo(out);
  expect(out.writableEnded).toBe(true);
  const bytes = Buffer.concat(parts);
  expect(bytes.byteLength).toBe(blob.length);
  return bytes;
}

async function* chunks(...parts: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* parts;
}

async function listAll(store: BlobStore): Promise<StoredBlob[]> {
  const blobs: StoredBlob[] = [];
  for await (const blob of store.list()) blobs.push(blob);
  return blobs;
}

describe.each(["disk", "s3"] as const)("a blob store on %s", (kind) => {
  let folder: string;
  let temporaryDir: string;
  let s3: TestS3 | undefined;
  let store: BlobStore;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "modshelf-blobs-"));
    temporaryDir = join(folder, "tmp");
    if (kind === "s3") s3 = await startS3();
    store = await openBlobStore(
      s3 ? { kind: "s3", ...s3, prefix: "some where/", temporaryDir } : { kind: "disk", path: folder },
    );
  });

  afterAll(async () => {
    await store.close();
    await s3?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const temporaries = () => readdir(temporaryDir);

  test("returns the stored bytes under their hashes", async () => {
    const bytes = randomBytes(3 * mib + 17);
    const staged = await store.stage(chunks(bytes.subarray(0, 5), bytes.subarray(5)), { maxBytes: bytes.byteLength });
    expect(staged).toMatchObject(digestOf(bytes));
    expect(await store.find(staged.sha512)).toBeUndefined();
    expect(await store.keep(staged)).toEqual(digestOf(bytes));
    expect(await store.find(staged.sha512)).toEqual({ size: bytes.byteLength });
    expect((await readAll(await store.open(staged.sha512))).equals(bytes)).toBe(true);
    expect((await receiveAll(await store.openToSend(staged.sha512))).equals(bytes)).toBe(true);
    expect((await store.read(staged.sha512))!.equals(bytes)).toBe(true);
    expect(await isIntact(store, staged.sha512)).toBe(true);
    await staged.discard();
    expect(await temporaries()).toEqual([]);
  });

  test("keeps an empty blob", async () => {
    const { sha512 } = await store.put(new Uint8Array());
    expect(await store.find(sha512)).toEqual({ size: 0 });
    expect((await readAll(await store.open(sha512))).byteLength).toBe(0);
    expect((await receiveAll(await store.openToSend(sha512))).byteLength).toBe(0);
    expect((await store.read(sha512))?.byteLength).toBe(0);
    await expect(store.open(sha512, { start: 0, end: 0 })).rejects.toThrow(BlobRangeInvalid);
    await expect(store.openToSend(sha512, { start: 0, end: 0 })).rejects.toThrow(BlobRangeInvalid);
  });

  test("streams 32 MiB in and out with flat memory", async () => {
    setFlagsFromString("--expose-gc");
    const collectGarbage = runInNewContext("gc") as () => void;
    const inUse = () => {
      // Buffers that a collection finds unused are subtracted, at the latest, when the next collection starts.
      collectGarbage();
      collectGarbage();
      const { heapUsed, arrayBuffers } = process.memoryUsage();
      return heapUsed + arrayBuffers;
    };
    const chunk = randomBytes(64 * 1024);
    let peak = 0;
    async function* source() {
      for (let i = 0; i < 512; i += 1) {
        chunk.writeUInt32LE(i);
        if (i % 256 === 0) peak = Math.max(peak, inUse());
        yield chunk;
      }
    }
    const before = inUse();
    const staged = await store.stage(source(), { maxBytes: 32 * mib });
    const watch = setInterval(() => (peak = Math.max(peak, inUse())), 500);
    const { sha512, size } = await store.keep(staged).finally(() => {
      clearInterval(watch);
      return staged.discard();
    });
    expect(size).toBe(32 * mib);
    const hash = createHash("sha512");
    let read = 0;
    for await (const bytes of (await store.open(sha512))!.stream as AsyncIterable<Buffer>) {
      hash.update(bytes);
      read += bytes.byteLength;
      if (read % (16 * mib) < bytes.byteLength) peak = Math.max(peak, inUse());
    }
    expect(hash.digest("hex")).toBe(sha512);
    expect(peak - before).toBeLessThan(12 * mib);
    await store.delete(sha512);
  });

  test("serves ranges to their exact edges", async () => {
    const bytes = randomBytes(100_000);
    const { sha512 } = await store.put(bytes);
    const last = bytes.byteLength - 1;
    for (const [start, end] of [
      [0, 0],
      [last, last],
      [0, last],
      [1, 65_536],
      [99_000, 10_000_000],
      [0, Number.MAX_SAFE_INTEGER],
    ] as const) {
      const blob = await store.open(sha512, { start, end });
      expect(blob?.size).toBe(bytes.byteLength);
      expect((await readAll(blob)).equals(bytes.subarray(start, end + 1))).toBe(true);
      const sent = await store.openToSend(sha512, { start, end });
      expect(sent?.size).toBe(bytes.byteLength);
      expect((await receiveAll(sent)).equals(bytes.subarray(start, end + 1))).toBe(true);
    }
    for (const open of [store.open, store.openToSend])
      await expect(open(sha512, { start: last + 1, end: last + 1 })).rejects.toThrow(BlobRangeInvalid);
  });

  test.each([
    { start: -1, end: 5 },
    { start: 5, end: 4 },
    { start: 0.5, end: 4 },
    { start: Number.NaN, end: 4 },
    { start: 0, end: Number.POSITIVE_INFINITY },
  ])("refuses $start to $end as a range", async (range) => {
    await expect(store.open(unknownHash, range)).rejects.toThrow(BlobRangeInvalid);
    await expect(store.openToSend(unknownHash, range)).rejects.toThrow(BlobRangeInvalid);
  });

  test("stores the same content once when it arrives twenty times at the same time", async () => {
    const bytes = randomBytes(200_000);
    const kept = await Promise.all(Array.from({ length: 20 }, () => store.put(bytes)));
    expect(new Set(kept.map((digest) => digest.sha512)).size).toBe(1);
    const { sha512 } = kept[0]!;
    expect((await listAll(store)).filter((blob) => blob.sha512 === sha512)).toHaveLength(1);
    expect((await readAll(await store.open(sha512))).equals(bytes)).toBe(true);
    expect(await temporaries()).toEqual([]);
  });

  test("accepts the same staged blob twice", async () => {
    const staged = await store.stage(chunks(randomBytes(50)), { maxBytes: 50 });
    const first = await store.keep(staged);
    expect(await store.keep(staged)).toEqual(first);
  });

  test("stops a source at the limit and leaves nothing", async () => {
    let pulled = 0;
    async function* endless() {
      for (;;) {
        pulled += 1;
        yield randomBytes(1000);
      }
    }
    await expect(store.stage(endless(), { maxBytes: 9_999 })).rejects.toThrow(BlobTooLarge);
    expect(pulled).toBe(10);
    expect(await temporaries()).toEqual([]);
  });

  test("refuses a source of text", async () => {
    const text = Readable.from([Buffer.from("abc")], { objectMode: false }).setEncoding("utf8");
    await expect(store.stage(text, { maxBytes: mib })).rejects.toThrow("does not yield bytes");
    expect(await temporaries()).toEqual([]);
  });

  test("accepts a source of exactly the limit", async () => {
    const staged = await store.stage(chunks(randomBytes(10_000)), { maxBytes: 10_000 });
    expect(staged.size).toBe(10_000);
    await staged.discard();
    expect(await temporaries()).toEqual([]);
  });

  test("leaves nothing of a source that fails or is aborted", async () => {
    async function* breaking() {
      yield randomBytes(1000);
      throw new Error("the line broke");
    }
    await expect(store.stage(breaking(), { maxBytes: mib })).rejects.toThrow("the line broke");
    const cutOff = new Readable({ read() {} });
    cutOff.push(randomBytes(1000));
    setImmediate(() => cutOff.destroy());
    await expect(store.stage(cutOff, { maxBytes: mib })).rejects.toThrow("Premature close");
    expect(await temporaries()).toEqual([]);
  });

  test("an abort ends the wait for a silent source, destroys it and leaves nothing", async () => {
    const silent = new Readable({ read() {} });
    silent.push(randomBytes(1000));
    const controller = new AbortController();
    const staging = store.stage(silent, { maxBytes: mib, signal: controller.signal });
    setImmediate(() => controller.abort(new Error("the client left")));
    await expect(staging).rejects.toThrow("the client left");
    expect(silent.destroyed).toBe(true);
    async function* stuck() {
      yield randomBytes(10);
      await new Promise(() => {});
    }
    const signal = AbortSignal.abort(new Error("too late"));
    await expect(store.stage(stuck(), { maxBytes: mib, signal })).rejects.toThrow("too late");
    const later = new AbortController();
    const waiting = store.stage(stuck(), { maxBytes: mib, signal: later.signal });
    setImmediate(() => later.abort(new Error("gone")));
    await expect(waiting).rejects.toThrow("gone");
    expect(await temporaries()).toEqual([]);
  });

  test("finds nothing for an unknown hash", async () => {
    expect(await store.find(unknownHash)).toBeUndefined();
    expect(await store.open(unknownHash)).toBeUndefined();
    expect(await store.open(unknownHash, { start: 0, end: 0 })).toBeUndefined();
    expect(await store.openToSend(unknownHash)).toBeUndefined();
    expect(await store.openToSend(unknownHash, { start: 0, end: 0 })).toBeUndefined();
    expect(await store.read(unknownHash)).toBeUndefined();
    expect(await isIntact(store, unknownHash)).toBe(false);
    await store.delete(unknownHash);
  });

  test.each([
    ["a path", "../x"],
    ["a path of the right length", `${"../".repeat(42)}ab`],
    ["upper case", unknownHash.toUpperCase()],
    ["too short", unknownHash.slice(1)],
    ["too long", `${unknownHash}0`],
    ["a trailing line break", `${unknownHash}\n`],
    ["a NUL", `${unknownHash.slice(1)}\0`],
    ["nothing", ""],
    ["no text at all", { toString: () => unknownHash } as unknown as string],
  ])("refuses %s as a hash", async (_, hash) => {
    const digest = { sha512: hash, sha1: "", size: 0, path: "/nowhere", discard: async () => {} };
    await expect(store.find(hash)).rejects.toThrow(TypeError);
    await expect(store.open(hash)).rejects.toThrow(TypeError);
    await expect(store.openToSend(hash)).rejects.toThrow(TypeError);
    await expect(store.read(hash)).rejects.toThrow(TypeError);
    await expect(store.delete(hash)).rejects.toThrow(TypeError);
    await expect(store.keep(digest)).rejects.toThrow(TypeError);
  });

  test("lists its blobs, without deleted ones, and with those stored again", async () => {
    const started = Date.now();
    const bytes = randomBytes(10);
    const [first, second] = [await store.put(bytes), await store.put(randomBytes(20))];
    const listed = new Map((await listAll(store)).map((blob) => [blob.sha512, blob]));
    expect(listed.get(first.sha512)?.size).toBe(10);
    expect(listed.get(second.sha512)?.size).toBe(20);
    expect(Math.abs(listed.get(first.sha512)!.lastModified.getTime() - started)).toBeLessThan(60_000);
    await store.delete(first.sha512);
    const left = (await listAll(store)).map((blob) => blob.sha512);
    expect(left).not.toContain(first.sha512);
    expect(left).toContain(second.sha512);
    expect(await store.find(first.sha512)).toBeUndefined();
    await store.put(bytes);
    expect(await isIntact(store, first.sha512)).toBe(true);
  });

  test("lists and sweeps only its own temporary files, and only the stale ones", async () => {
    const staged = await store.stage(chunks(randomBytes(5)), { maxBytes: 5 });
    // A file as a crashed process leaves it.
    const stale = { path: join(temporaryDir, `${randomBytes(16).toString("hex")}.upload`) };
    const foreign = join(temporaryDir, "somebody-elses.txt");
    for (const path of [stale.path, foreign]) await writeFile(path, "x");
    const yesterday = new Date(Date.now() - 86_400_000);
    await utimes(stale.path, yesterday, yesterday);
    await utimes(foreign, yesterday, yesterday);
    const listed = (await Readable.from(store.listTemporaries()).toArray()).map(({ name, lastModified }) => [
      join(temporaryDir, name),
      lastModified.getTime() === yesterday.getTime(),
    ]);
    expect(listed.sort()).toEqual(
      [
        [staged.path, false],
        [stale.path, true],
      ].sort(),
    );
    expect(await store.removeStaleTemporaries(new Date(Date.now() - 3_600_000))).toBe(1);
    expect((await temporaries()).map((name) => join(temporaryDir, name)).sort()).toEqual([foreign, staged.path].sort());
    await staged.discard();
    await rm(foreign);
  });

  test("never deletes a file in use, for any value of the clock", async () => {
    const staged = await store.stage(chunks(randomBytes(5)), { maxBytes: 5 });
    expect(await store.removeStaleTemporaries(new Date(Date.now() + 86_400_000))).toBe(0);
    expect(await store.keep(staged)).toMatchObject({ size: 5 });
    await staged.discard();
  });

  test("a probe passes and leaves nothing", async () => {
    const before = await listAll(store);
    await store.probe();
    expect(await temporaries()).toEqual([]);
    expect(await listAll(store)).toHaveLength(before.length);
  });
});
