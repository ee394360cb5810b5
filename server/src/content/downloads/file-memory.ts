// Small files that are downloaded often, in memory, by their hash: the content of a hash never changes, so nothing here is
// ever stale. Callers find the file first, in a way that decides who may see it.
import { BlobDamaged } from "#platform/blobs/errors.js";
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
  readonly #loading = new Map<string, Promise<Buffer | undefined>>();
  /** For each slot a part of the hash of the last file that was requested. */
  readonly #requested = new Uint32Array(slots);

  constructor(resources: Resources) {
    this.#resources = resources;
    this.#files = resources.memory.createCache({ name: "files" });
  }

  /** The content of a small file, at once if it is in memory. Undefined if it is not stored. */
  get({ sha512, size }: { sha512: string; size: number }): Buffer | Promise<Buffer | undefined> {
    const known = this.#files.get(sha512);
    if (known) return known;
    const running = this.#loading.get(sha512);
    if (running) return running;
    const isFrequent = this.#noteRequest(sha512);
    const loading = this.#resources.blobs
      .read(sha512)
      .then((bytes) => {
        if (bytes && bytes.length !== size) throw new BlobDamaged(sha512);
        if (bytes && isFrequent) this.#files.set(sha512, bytes, bytes.length);
        return bytes;
      })
      .finally(() => this.#loading.delete(sha512));
    this.#loading.set(sha512, loading);
    return loading;
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

export const fileMemoryOf = perServer((resources: Resources) => new FileMemory(resources));
