// Small files that are downloaded often, in memory, by their hash: the content of a hash never changes, so nothing here is
// ever stale. Callers find the file first, in a way that decides who may see it.
import { BlobDamaged } from "#platform/blobs/errors.js";
import type { Loaded } from "#platform/blobs/store.js";
import type { Cache } from "#platform/changes/cache.js";
import { perServer } from "#platform/changes/server-memory.js";
import type { Resources } from "#platform/http/resources.js";

/** Larger files are sent in chunks: for them, opening and closing the file costs little. */
export const smallFileBytes = 128 * 1024;
/** Slots for files that were requested recently. */
const slots = 16 * 1024;

export class FileMemory {
  readonly #resources: Resources;
  readonly #files: Cache<Buffer>;
  readonly #loading = new Map<string, Promise<Loaded | undefined>>();
  /** For each slot a part of the hash of the last file that was requested. */
  readonly #requested = new Uint32Array(slots);

  constructor(resources: Resources) {
    this.#resources = resources;
    this.#files = resources.memory.createCache({ name: "files" });
  }

  /** The content of a small file, at once if it is in memory. Undefined if it is not stored. */
  get(file: { sha512: string; size: number }): Buffer | Promise<Loaded | undefined> {
    const { sha512 } = file;
    const known = this.#files.get(sha512);
    if (known) return known;
    const running = this.#loading.get(sha512);
    if (running) return running;
    if (!this.#noteRequest(sha512)) return this.#read(file, true);
    const loading = this.#read(file, false)
      .then((loaded) => {
        if (loaded) this.#files.set(sha512, alone(loaded.bytes), loaded.bytes.length);
        return loaded;
      })
      .finally(() => this.#loading.delete(sha512));
    this.#loading.set(sha512, loading);
    return loading;
  }

  async #read({ sha512, size }: { sha512: string; size: number }, isOwn: boolean): Promise<Loaded | undefined> {
    const bytes = await this.#resources.blobs.read(sha512);
    if (bytes && bytes.length !== size) throw new BlobDamaged(sha512);
    return bytes && { bytes, isOwn };
  }

  /** Whether the file was requested before, recently. Files that are requested only once do not replace others. */
  #noteRequest(sha512: string): boolean {
    const slot = Number.parseInt(sha512.slice(0, 8), 16) % slots;
    const part = Number.parseInt(sha512.slice(8, 16), 16);
    const isKnown = this.#requested[slot] === part;
    this.#requested[slot] = part;
    return isKnown;
  }
}

/** A part of a larger buffer would keep all of it in memory. */
function alone(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength === bytes.length) return bytes;
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(copy);
  return copy;
}

export const fileMemoryOf = perServer((resources: Resources) => new FileMemory(resources));
