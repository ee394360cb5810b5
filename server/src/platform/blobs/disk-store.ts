// Blobs as files: written to a temporary file, fsynced, renamed to their path, folder fsynced. A file at its final path
// is therefore always complete.
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { reach } from "#lib/fail-points.js";
import { createFolder, type FileSystem, hasErrorCode, removeFile, syncFolder } from "#lib/file-system.js";
import type { Random } from "#lib/random.js";
import { assertRange, isSha512, toBlobPath, toExtent } from "./address.js";
import { toStorageError } from "./errors.js";
import { openStaging, putBytes } from "./staging.js";
import type { BlobStore, ByteRange, StoredBlob } from "./store.js";
import { streamFile } from "./stream-file.js";

/** Measured: larger reads need fewer trips to the thread pool; above 1 MiB there is no gain. */
const readBytes = 512 * 1024;

export async function openDiskStore(root: string, random: Random, fs: FileSystem): Promise<BlobStore> {
  const blobsFolder = join(root, "blobs");
  await createFolder(fs, blobsFolder);
  // On the same file system as the blobs, because rename must be atomic.
  const staging = await openStaging(join(root, "tmp"), random, fs);
  const prepareFolder = createFolderPreparer(fs, blobsFolder);

  const toPath = (sha512: string) => join(root, toBlobPath(sha512));

  /** The file is closed already if there is nothing to read. */
  async function openRange(sha512: string, range: ByteRange | undefined) {
    assertRange(range);
    const file = await fs.open(toPath(sha512), "r").catch(undefinedWhenAbsent);
    if (!file) return undefined;
    try {
      const { size } = await file.stat();
      const extent = toExtent(range, size);
      if (extent.length === 0) await file.close();
      return { file: extent.length === 0 ? undefined : file, size, ...extent };
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  const store: BlobStore = {
    stage: staging.stage,
    retain: staging.retain,
    findRetained: staging.findRetained,
    removeRetained: staging.removeRetained,
    put: (bytes) => putBytes(store, bytes),

    async keep(staged) {
      const path = toPath(staged.sha512);
      try {
        await prepareFolder(dirname(path));
        const there = await findFile(fs, path);
        // A file of another size is damaged and is replaced.
        if (there?.size === staged.size) await staged.discard();
        else await fs.rename(staged.path, path);
        reach("upload: blob at its address");
        // Also if the file existed: the process that created it may not have reached this line yet.
        await syncFolder(fs, dirname(path));
      } catch (error) {
        throw toStorageError(error);
      }
      return { sha512: staged.sha512, sha1: staged.sha1, size: staged.size };
    },

    async find(sha512) {
      const file = await findFile(fs, toPath(sha512));
      return file && { size: file.size };
    },

    async open(sha512, range) {
      const opened = await openRange(sha512, range);
      if (!opened) return undefined;
      const { file, start, end, length, size } = opened;
      return {
        ...{ length, size },
        stream: file ? file.createReadStream({ start, end, highWaterMark: readBytes }) : Readable.from([]),
      };
    },

    async openToSend(sha512, range) {
      const opened = await openRange(sha512, range);
      if (!opened) return undefined;
      const { file, start, end, length, size } = opened;
      return {
        ...{ length, size },
        sendTo: async (out) => (file ? streamFile(file, { start, end }, out) : void out.end()),
        // Nothing was read, so nothing is lost if closing fails.
        cancel: () => void file?.close().catch(() => undefined),
      };
    },

    async read(sha512) {
      return fs.readFile(toPath(sha512)).catch(undefinedWhenAbsent);
    },

    async delete(sha512) {
      await removeFile(fs, toPath(sha512));
    },

    async *list() {
      for (const outer of await listFolders(fs, blobsFolder)) {
        for (const inner of await listFolders(fs, outer)) yield* listFiles(fs, inner);
      }
    },

    listTemporaries: staging.list,
    removeStaleTemporaries: staging.removeStale,
    signedUrl: async () => undefined,
    probe: staging.probe,
    close: async () => {},
  };
  return store;
}

/** Creates the two folders above a blob's path and makes their names durable, once per folder and process. */
function createFolderPreparer(fs: FileSystem, blobsFolder: string): (folder: string) => Promise<void> {
  const durable = new Set<string>();
  return async (folder) => {
    if (durable.has(folder)) return;
    await fs.mkdir(folder, { recursive: true, mode: 0o700 });
    const outer = dirname(folder);
    // Also if they existed: an earlier process may have stopped between mkdir and fsync.
    await Promise.all([syncFolder(fs, outer), durable.has(outer) || syncFolder(fs, blobsFolder)]);
    durable.add(outer).add(folder);
  };
}

async function listFolders(fs: FileSystem, folder: string): Promise<string[]> {
  const names = await fs.readdir(folder);
  return names.filter((name) => /^[0-9a-f]{2}$/.test(name)).map((name) => join(folder, name));
}

async function* listFiles(fs: FileSystem, folder: string): AsyncGenerator<StoredBlob> {
  for (const name of await fs.readdir(folder)) {
    if (!isSha512(name)) continue;
    const file = await findFile(fs, join(folder, name));
    if (file) yield { sha512: name, size: file.size, lastModified: file.mtime };
  }
}

async function findFile(fs: FileSystem, path: string): Promise<{ size: number; mtime: Date } | undefined> {
  return await fs.stat(path).catch(undefinedWhenAbsent);
}

function undefinedWhenAbsent(error: unknown): undefined {
  if (!hasErrorCode(error, "ENOENT")) throw error;
  return undefined;
}
