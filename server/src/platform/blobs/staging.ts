// Temporary files for bytes that are being received, hashed and inspected, before they are stored under their hash.
import type { FileHandle } from "node:fs/promises";
import { basename, join } from "node:path";
import { Readable } from "node:stream";
import { createFolder, type FileSystem, hasErrorCode, removeFile, syncFolder } from "#lib/file-system.js";
import type { Random } from "#lib/random.js";
import { createDigester, slicesOf } from "./digest.js";
import { BlobDamaged, BlobTooLarge, toStorageError } from "./errors.js";
import { release } from "./release.js";
import type { BlobDigest, BlobStore, RetainedFile, StagedBlob, StageOptions, Temporary } from "./store.js";

/** Only files with such a name are ever deleted: the folder may be shared. */
const temporaryName = /^[0-9a-f]{32}\.upload$/;
/** Files that outlive their request: parts of a resumable upload. */
const retainedName = /^[0-9a-f]{32}\.part$/;
/** Slices are written together: a trip to the thread pool costs more than writing 64 KiB. */
const writeBytes = 256 * 1024;
/** A slice of one byte takes a hundred times its size in memory. */
const mostSlices = 64;
/** Retained files are removed by their owner; files that are this much older were left by a crash. */
const retainedExtraMs = 48 * 60 * 60 * 1000;

export interface Staging {
  stage(source: Readable | AsyncIterable<Uint8Array>, options: StageOptions): Promise<StagedBlob>;
  retain(staged: StagedBlob): Promise<string>;
  findRetained(name: string): Promise<RetainedFile | undefined>;
  removeRetained(name: string): Promise<void>;
  list(): AsyncIterable<Temporary>;
  removeStale(olderThan: Date): Promise<number>;
  /** Writes, fsyncs, reads and deletes a small file. */
  probe(): Promise<void>;
}

export async function openStaging(folder: string, random: Random, fs: FileSystem): Promise<Staging> {
  await createFolder(fs, folder);
  /** Files in use by this process. They are never stale, even if the clock jumps. */
  const inUse = new Set<string>();

  const stage: Staging["stage"] = async (source, options) => {
    const name = `${random.bytes(16).toString("hex")}.upload`;
    const path = join(folder, name);
    const discard = () => {
      inUse.delete(name);
      return removeFile(fs, path);
    };
    inUse.add(name);
    try {
      return { ...(await writeFile(fs, path, source, options)), path, discard };
    } catch (error) {
      if (source instanceof Readable) source.destroy();
      // The first error is reported; a file that cannot be removed now is deleted by the sweep.
      await discard().catch(() => {});
      throw toStorageError(error);
    }
  };

  const retainedPath = (name: string): string => {
    if (!retainedName.test(name)) throw new Error(`"${name}" is not the name of a retained file`);
    return join(folder, name);
  };

  async function* listNamed(form: RegExp): AsyncGenerator<Temporary> {
    for (const name of await fs.readdir(folder)) {
      if (!form.test(name)) continue;
      // The upload may end during the listing.
      const file = await unlessGone(fs.stat(join(folder, name)));
      if (file) yield { name, lastModified: file.mtime };
    }
  }

  async function removeOlder(form: RegExp, olderThan: number): Promise<number> {
    let removed = 0;
    for await (const { name, lastModified } of listNamed(form)) {
      if (lastModified.getTime() >= olderThan || inUse.has(name)) continue;
      const isThere = await unlessGone(fs.unlink(join(folder, name)).then(() => true));
      if (isThere) removed += 1;
    }
    return removed;
  }

  return {
    stage,
    async retain({ path }) {
      const name = basename(path).replace(/upload$/, "part");
      inUse.delete(basename(path));
      await fs.rename(path, retainedPath(name));
      await syncFolder(fs, folder);
      return name;
    },
    async findRetained(name) {
      const path = retainedPath(name);
      const file = await unlessGone(fs.stat(path));
      return file && { path, size: file.size };
    },
    removeRetained: (name) => removeFile(fs, retainedPath(name)),
    list: () => listNamed(temporaryName),
    async removeStale(olderThan) {
      const retained = await removeOlder(retainedName, olderThan.getTime() - retainedExtraMs);
      return retained + (await removeOlder(temporaryName, olderThan.getTime()));
    },
    async probe() {
      const bytes = random.bytes(64);
      const staged = await stage(only(bytes), { maxBytes: bytes.byteLength });
      try {
        if (!bytes.equals(await readWhole(fs, staged.path))) throw new BlobDamaged(staged.sha512);
      } finally {
        await staged.discard();
      }
    },
  };
}

async function unlessGone<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (!hasErrorCode(error, "ENOENT")) throw error;
    return undefined;
  }
}

async function writeFile(
  fs: FileSystem,
  path: string,
  source: Readable | AsyncIterable<Uint8Array>,
  { maxBytes, signal, ownsChunks = false }: StageOptions,
): Promise<BlobDigest> {
  const digester = createDigester();
  let size = 0;
  const file = await fs.open(path, "wx", 0o600);
  let gathered: Uint8Array[] = [];
  let gatheredBytes = 0;
  // The thread pool writes while this thread receives and hashes the next slices.
  let writing: Promise<void> = Promise.resolve();
  const writeOut = async () => {
    await writing;
    const slices = gathered;
    gathered = [];
    gatheredBytes = 0;
    writing = writeSlices(file, slices, ownsChunks);
    // Awaited before the next write; without this handler a failure before that would be an unhandled rejection.
    writing.catch(() => undefined);
  };
  try {
    for await (const slice of slicesOf(source, signal)) {
      size += slice.byteLength;
      if (size > maxBytes) throw new BlobTooLarge(maxBytes);
      digester.update(slice);
      gathered.push(slice);
      gatheredBytes += slice.byteLength;
      if (!ownsChunks || gatheredBytes >= writeBytes || gathered.length >= mostSlices) await writeOut();
      // The source may use the memory again for its next chunk.
      if (!ownsChunks) await writing;
    }
    await writeOut();
    await writing;
    signal?.throwIfAborted();
    // A failed fsync is final: the kernel may have dropped the pages, so a second one could succeed and prove nothing.
    await file.sync();
  } finally {
    await writing.catch(() => undefined);
    await file.close();
  }
  return digester.finish();
}

async function writeSlices(file: FileHandle, slices: Uint8Array[], ownsChunks: boolean): Promise<void> {
  let rest = slices;
  while (rest.length > 0) {
    const { bytesWritten } = await file.writev(rest);
    rest = dropBytes(rest, bytesWritten);
  }
  if (ownsChunks) for (const slice of slices) release(slice);
}

/** A disk that is nearly full takes only a part. */
function dropBytes(slices: readonly Uint8Array[], bytes: number): Uint8Array[] {
  let left = bytes;
  return slices.flatMap((slice) => {
    const dropped = Math.min(left, slice.byteLength);
    left -= dropped;
    return dropped === slice.byteLength ? [] : [slice.subarray(dropped)];
  });
}

async function readWhole(fs: FileSystem, path: string): Promise<Buffer> {
  const file = await fs.open(path, "r");
  try {
    return await file.readFile();
  } finally {
    await file.close();
  }
}

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** BlobStore.put for every kind of store. */
export async function putBytes(store: Pick<BlobStore, "stage" | "keep">, bytes: Uint8Array): Promise<BlobDigest> {
  const staged = await store.stage(only(bytes), { maxBytes: bytes.byteLength });
  try {
    return await store.keep(staged);
  } finally {
    await staged.discard();
  }
}
