// For Node.js, Deno and Bun: files on disk. A download appears under its name only when it is complete and verified.
import { constants, existsSync, openAsBlob } from "node:fs";
import { type FileHandle, link, mkdir, open, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { CallOptions } from "./calls.js";
import type { Client, ExportRequest } from "./client.js";
import { checkFacts, type FileFacts, type TransferOptions, verifiedBytes } from "./downloads.js";
import { FileExistsError, InvalidAnswerError, RegistryError } from "./errors.js";
import { safeFileName } from "./file-names.js";
import { createHash, type Hash, hashBlob } from "./hash.js";
import type { SentFile } from "./uploads.js";

export interface SaveOptions extends TransferOptions {
  /** The name in the folder; that of the registry unless given. */
  name?: string;
  /** Whether another file with this name is replaced; false unless given. */
  replace?: boolean;
  /** Whether the bytes of an interrupted download stay, and a later call continues it; false unless given. */
  resume?: boolean;
}

export interface SavedFile {
  path: string;
  /** The same file was there already, and nothing was downloaded. */
  isUnchanged: boolean;
}

/** Downloads a file into a folder. If it fails, the folder is as before. */
export async function saveFile(
  client: Client,
  file: FileFacts,
  folder: string,
  { name = file.name, replace = false, resume = false, onProgress, signal }: SaveOptions = {},
): Promise<SavedFile> {
  const { expected } = checkFacts(file);
  const path = join(folder, safeFileName(name));
  const present = existsSync(path) ? await hashFile(path) : undefined;
  if (present === expected) return { path, isUnchanged: true };
  if (present !== undefined && !replace) throw new FileExistsError(`${path} exists already and is another file.`);

  if (!existsSync(folder)) await mkdir(folder, { recursive: true });
  const mark = resume ? expected.slice(0, 16) : createMark();
  const partial = join(folder, `.${name}.${mark}.part`);
  const { handle, isNew } = await openPartial(partial, resume);
  let isKept = false;
  try {
    const start = isNew ? undefined : await readStart(handle, file.size);
    const pieces = verifiedBytes(client.transport, file, { onProgress, signal, ...(start && { start }) });
    await writeAll(handle, pieces, start?.bytes ?? 0, file.size);
    await handle.sync();
    await handle.close();
    await putInPlace(partial, path, replace);
    isKept = true;
  } catch (error) {
    // Wrong bytes are never kept; those of an interrupted download may be.
    isKept = resume && !(error instanceof RegistryError && error.code === "integrity");
    throw error;
  } finally {
    await handle.close().catch(() => undefined);
    if (!isKept) await rm(partial, { force: true });
  }
  return { path, isUnchanged: false };
}

/** Larger than any pack or archive of the server. A body without an end must not fill the disk. */
const maxExportBytes = 16 * 2 ** 30;

/** Writes an export of a plan to a new file. If it fails, there is none. Returns its size. */
export async function saveExport(
  client: Client,
  request: ExportRequest,
  path: string,
  { signal }: CallOptions = {},
): Promise<number> {
  const partial = join(dirname(path), `.${basename(path)}.${createMark()}.part`);
  const pieces = await client.exportPlan(request, { signal });
  const { handle } = await openPartial(partial, false);
  try {
    const bytes = await writeAll(handle, limited(pieces), 0, maxExportBytes);
    await handle.sync();
    await handle.close();
    await putInPlace(partial, path, false);
    return bytes;
  } finally {
    await handle.close().catch(() => undefined);
    await rm(partial, { force: true });
  }
}

async function* limited(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.length;
    if (bytes > maxExportBytes) throw new InvalidAnswerError("The export does not end. It was not kept.");
    yield piece;
  }
}

/** A file on disk, to be published. It is read piece by piece. */
export async function openFile(path: string, name: string = basename(path)): Promise<SentFile> {
  return Object.assign(await openAsBlob(path), { name });
}

/** The hash of a file on disk, in hex. */
export const hashFile = async (path: string, algorithm: "sha512" | "sha1" = "sha512"): Promise<string> =>
  hashBlob(await openAsBlob(path), { algorithm });

/** A name that another process does not use, and that a link put there before cannot redirect. */
const createMark = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("");

async function openPartial(path: string, resume: boolean): Promise<{ handle: FileHandle; isNew: boolean }> {
  const { O_RDWR, O_CREAT, O_EXCL, O_NOFOLLOW = 0 } = constants;
  try {
    return { handle: await open(path, O_RDWR | O_CREAT | O_EXCL, 0o644), isNew: true };
  } catch (error) {
    if (!resume || (error as { code?: string }).code !== "EEXIST") throw error;
    return { handle: await open(path, O_RDWR | O_NOFOLLOW), isNew: false };
  }
}

/** The bytes of an earlier run. More than the whole file cannot be its beginning. */
async function readStart(handle: FileHandle, size: number): Promise<{ bytes: number; hash: Hash }> {
  const hash = createHash();
  const there = (await handle.stat()).size;
  if (there > size) await handle.truncate(0);
  if (there === 0 || there > size) return { bytes: 0, hash };
  const piece = new Uint8Array(1 << 20);
  let bytes = 0;
  for (;;) {
    const { bytesRead } = await handle.read(piece, 0, piece.length, bytes);
    if (bytesRead === 0) return { bytes, hash };
    hash.update(piece.subarray(0, bytesRead));
    bytes += bytesRead;
  }
}

/** Pieces of the network are small. A call to the system for each would cost more than receiving them. */
const gatheredBytes = 1 << 18;

/** Returns where the last piece ends. */
async function writeAll(
  handle: FileHandle,
  pieces: AsyncIterable<Uint8Array>,
  start: number,
  size: number,
): Promise<number> {
  const gathered = new Uint8Array(Math.min(gatheredBytes, size - start));
  let filled = 0;
  let at = start;
  const write = async () => {
    for (let done = 0; done < filled; ) {
      const { bytesWritten } = await handle.write(gathered, done, filled - done, at);
      done += bytesWritten;
      at += bytesWritten;
    }
    filled = 0;
  };
  try {
    for await (const piece of pieces)
      for (let taken = 0; taken < piece.length; ) {
        const part = piece.subarray(taken, taken + gathered.length - filled);
        gathered.set(part, filled);
        filled += part.length;
        taken += part.length;
        if (filled === gathered.length) await write();
      }
  } finally {
    // Also after a failure: the next attempt continues where this one stopped.
    await write();
  }
  return at;
}

/** A link fails if another file took the name while the download ran; a rename would replace that file. */
async function putInPlace(partial: string, path: string, replace: boolean): Promise<void> {
  if (replace) return rename(partial, path);
  try {
    await link(partial, path);
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === "EEXIST") throw new FileExistsError(`${path} was created by another program.`);
    // Some file systems have no links.
    return rename(partial, path);
  }
  await rm(partial);
}
