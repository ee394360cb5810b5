// Guarantees of the disk store only: paths and modes of its files, and the order of the calls that make them durable.
import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type FileSystem, systemFileSystem } from "#lib/file-system.js";
import { isIntact } from "./digest.js";
import { BlobStorageFull } from "./errors.js";
import { openBlobStore } from "./open.js";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "modshelf-disk-"));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const openStore = (fileSystem: FileSystem = systemFileSystem) =>
  openBlobStore({ kind: "disk", path: root }, { fileSystem });
const toPath = (sha512: string) => join(root, "blobs", sha512.slice(0, 2), sha512.slice(2, 4), sha512);
const temporaries = () => readdir(join(root, "tmp"));

async function* only(bytes: Uint8Array) {
  yield bytes;
}

/** The real file system, with each call reported before it is made; `onCall` may throw to make the call fail. */
function watchedFileSystem(onCall: (call: string) => void): FileSystem {
  const name = (path: unknown) =>
    relative(root, String(path))
      .replace(/[0-9a-f]{32}\.upload$/, "<temporary>")
      .replace(/[0-9a-f]{128}$/, "<hash>")
      .replace(/^blobs\/[0-9a-f]{2}(\/[0-9a-f]{2})?/, (_, inner) => (inner ? "blobs/aa/bb" : "blobs/aa"));
  return {
    ...systemFileSystem,
    async open(path, ...rest) {
      onCall(`open ${name(path)}`);
      const file = await systemFileSystem.open(path, ...rest);
      return new Proxy(file, {
        get(target, property) {
          const value: unknown = Reflect.get(target, property, target);
          if (typeof value !== "function") return value;
          if (property !== "writev" && property !== "sync") return value.bind(target);
          return async (...args: unknown[]) => {
            onCall(`${property} ${name(path)}`);
            return value.apply(target, args);
          };
        },
      });
    },
    rename: async (from, to) => {
      onCall(`rename ${name(from)} ${name(to)}`);
      return systemFileSystem.rename(from, to);
    },
    unlink: async (path) => {
      onCall(`unlink ${name(path)}`);
      return systemFileSystem.unlink(path);
    },
  };
}

function failure(code: string): Error {
  return Object.assign(new Error(`${code}: made by the test`), { code });
}

describe("a disk store", () => {
  test("stores files and folders at their paths, with no access for other users", async () => {
    const store = await openStore();
    const staged = await store.stage(only(randomBytes(10)), { maxBytes: 10 });
    expect(dirname(staged.path)).toBe(join(root, "tmp"));
    expect((await stat(staged.path)).mode & 0o777).toBe(0o600);
    const { sha512 } = await store.keep(staged);
    const path = toPath(sha512);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    for (const folder of [join(root, "tmp"), join(root, "blobs"), dirname(path), dirname(dirname(path))]) {
      expect((await stat(folder)).mode & 0o777).toBe(0o700);
    }
  });

  test("writes, fsyncs, renames and fsyncs the folder, in this order", async () => {
    const calls: string[] = [];
    const store = await openStore(watchedFileSystem((call) => calls.push(call)));
    calls.length = 0;
    await store.keep(await store.stage(only(randomBytes(10)), { maxBytes: 10 }));
    // The two folders above are fsynced at the same time.
    const folders = calls.splice(3, 4);
    expect(folders.sort()).toEqual(["open blobs", "open blobs/aa", "sync blobs", "sync blobs/aa"]);
    expect(calls).toEqual([
      "open tmp/<temporary>",
      "writev tmp/<temporary>",
      "sync tmp/<temporary>",
      "rename tmp/<temporary> blobs/aa/bb/<hash>",
      "open blobs/aa/bb",
      "sync blobs/aa/bb",
    ]);
  });

  test("fsyncs the folder also when the file exists already", async () => {
    const calls: string[] = [];
    const store = await openStore(watchedFileSystem((call) => calls.push(call)));
    const bytes = randomBytes(10);
    await store.put(bytes);
    const staged = await store.stage(only(bytes), { maxBytes: 10 });
    calls.length = 0;
    await store.keep(staged);
    expect(calls).toEqual(["unlink tmp/<temporary>", "open blobs/aa/bb", "sync blobs/aa/bb"]);
  });

  test("makes the names of its own new folders durable", async () => {
    const calls: string[] = [];
    const deep = join(root, "new", "data");
    await openBlobStore({ kind: "disk", path: deep }, { fileSystem: watchedFileSystem((call) => calls.push(call)) });
    const synced = calls.filter((call) => call.startsWith("sync"));
    expect(synced).toEqual(["sync new/data", "sync new", "sync ", "sync new/data"]);
  });

  test("a failed fsync is final: it is not retried, and no file remains", async () => {
    let syncs = 0;
    const store = await openStore(
      watchedFileSystem((call) => {
        if (call !== "sync tmp/<temporary>") return;
        syncs += 1;
        throw failure("EIO");
      }),
    );
    await expect(store.put(randomBytes(10))).rejects.toThrow("EIO");
    expect(syncs).toBe(1);
    expect(await temporaries()).toEqual([]);
    expect(await readdir(join(root, "blobs"))).toEqual([]);
  });

  test("a failed fsync of the folder fails the upload", async () => {
    const store = await openStore(
      watchedFileSystem((call) => {
        if (call === "sync blobs/aa/bb") throw failure("EIO");
      }),
    );
    await expect(store.put(randomBytes(10))).rejects.toThrow("EIO");
  });

  test.each([
    ["ENOSPC", "open tmp/<temporary>"],
    ["ENOSPC", "writev tmp/<temporary>"],
    ["EDQUOT", "writev tmp/<temporary>"],
    ["ENOSPC", "sync tmp/<temporary>"],
    ["ENOSPC", "rename tmp/<temporary> blobs/aa/bb/<hash>"],
  ])("%s at %s is reported as a full storage, and no file remains", async (code, where) => {
    let full = true;
    const store = await openStore(
      watchedFileSystem((call) => {
        if (full && call === where) throw failure(code);
      }),
    );
    const bytes = randomBytes(10);
    await expect(store.put(bytes)).rejects.toThrow(BlobStorageFull);
    expect(await temporaries()).toEqual([]);
    for await (const blob of store.list()) throw new Error(`unexpected ${blob.sha512}`);
    full = false;
    const { sha512 } = await store.put(bytes);
    expect(await isIntact(store, sha512)).toBe(true);
  });

  test("a truncated file is replaced when the content is stored again", async () => {
    const store = await openStore();
    const bytes = randomBytes(1000);
    const { sha512 } = await store.put(bytes);
    await truncate(toPath(sha512), 400);
    await store.put(bytes);
    expect((await readFile(toPath(sha512))).equals(bytes)).toBe(true);
  });

  test("a flipped bit is detected by reading the file", async () => {
    const store = await openStore();
    const bytes = randomBytes(1000);
    const { sha512 } = await store.put(bytes);
    bytes[500]! ^= 1;
    await writeFile(toPath(sha512), bytes);
    expect(await isIntact(store, sha512)).toBe(false);
  });

  test("lists only files that are blobs", async () => {
    const store = await openStore();
    const { sha512 } = await store.put(randomBytes(10));
    await writeFile(join(root, "blobs", ".DS_Store"), "");
    await writeFile(join(dirname(toPath(sha512)), "notes.txt"), "");
    await mkdir(join(root, "blobs", "lost+found"));
    const listed: string[] = [];
    for await (const blob of store.list()) listed.push(blob.sha512);
    expect(listed).toEqual([sha512]);
  });

  test("has no signed URLs", async () => {
    const store = await openStore();
    const { sha512 } = await store.put(randomBytes(10));
    expect(await store.signedUrl(sha512, { expiresSeconds: 60 })).toBeUndefined();
  });

  test("a probe fails when the disk does", async () => {
    const store = await openStore(
      watchedFileSystem((call) => {
        if (call.startsWith("writev")) throw failure("EROFS");
      }),
    );
    await expect(store.probe()).rejects.toThrow("EROFS");
    expect(await temporaries()).toEqual([]);
  });
});
