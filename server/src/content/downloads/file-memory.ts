// Small files that are downloaded often, in memory, by their hash: the content of a hash never changes, so nothing here is
// ever stale. Callers find the file first, in a way that decides who may see it.
import { UseCounts } from "#lib/use-counts.js";
import { BlobDamaged } from "#platform/blobs/errors.js";
import type { Loaded } from "#platform/blobs/store.js";
import type { Cache } from "#platform/changes/cache.js";
import { perServer } from "#platform/changes/server-memory.js";
import type { Resources } from "#platform/http/resources.js";

/** Larger files are sent in chunks: for them, opening and closing the file costs little. */
export const smallFileBytes = 128 * 1024;

interface FileName {
  sha512: string;
  size: number;
}

interface Loading {
  /** Whether several requests wait for it. */
  isShared: boolean;
  loaded: Promise<Loaded | undefined>;
}

export class FileMemory {
  readonly #resources: Resources;
  readonly #files: Cache<Buffer>;
  readonly #loading = new Map<string, Loading>();
  readonly #requests = new UseCounts();

  constructor(resources: Resources) {
    this.#resources = resources;
    this.#files = resources.memory.createCache({ name: "files" });
  }

  /** The content of a small file, at once if it is in memory. Undefined if it is not stored. */
  get(file: FileName): Buffer | Promise<Loaded | undefined> {
    const { sha512 } = file;
    this.#requests.note(numberOf(sha512));
    const known = this.#files.get(sha512);
    if (known) return known;
    const running = this.#loading.get(sha512);
    if (running) {
      running.isShared = true;
      return running.loaded;
    }
    const loading: Loading = { isShared: false, loaded: this.#load(file, () => loading.isShared) };
    this.#loading.set(sha512, loading);
    return loading.loaded;
  }

  async #load({ sha512, size }: FileName, isShared: () => boolean): Promise<Loaded | undefined> {
    try {
      const bytes = await this.#resources.blobs.read(sha512);
      if (bytes && bytes.length !== size) throw new BlobDamaged(sha512);
      const isHeld = bytes !== undefined && this.#hold(sha512, bytes);
      return bytes && { bytes, isOwn: !isHeld && !isShared() };
    } finally {
      this.#loading.delete(sha512);
    }
  }

  /**
   * Only files that are requested more often than others replace them: otherwise a server with more files than memory would
   * replace one with every request, which costs more than reading it.
   */
  #hold(sha512: string, bytes: Buffer): boolean {
    const requests = this.#requests.of(numberOf(sha512));
    const isWorthMore = (other: string) => this.#requests.of(numberOf(other)) >= requests;
    if (requests === 1 || !this.#files.makeRoom(sha512, bytes.length, isWorthMore)) return false;
    this.#files.set(sha512, alone(bytes), bytes.length);
    return true;
  }
}

const numberOf = (sha512: string): number => Number.parseInt(sha512.slice(0, 8), 16);

/** A part of a larger buffer would keep all of it in memory. */
function alone(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength === bytes.length) return bytes;
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(copy);
  return copy;
}

export const fileMemoryOf = perServer((resources: Resources) => new FileMemory(resources));
