// A brake before the disk is full: while there is less room than the operator wants to keep, no file is taken. Reading,
// signing in and writing texts go on. Looked at in the background, so that asking costs nothing.
import { statfs } from "node:fs/promises";
import type { Config } from "#config/config.js";
import { fail } from "#platform/errors.js";

const everyMs = 5000;

export class DiskRoom {
  readonly #config: Pick<Config, "dataDir" | "storage" | "limits">;
  #freeBytes = Number.POSITIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(config: Pick<Config, "dataDir" | "storage" | "limits">) {
    this.#config = config;
  }

  /** On the fullest of the disks that we write to; infinite where that is not known. */
  get freeBytes(): number {
    return this.#freeBytes;
  }

  get isTight(): boolean {
    return this.#freeBytes < this.#config.limits.freeDiskBytes;
  }

  /** Before a file is read. */
  check(): void {
    if (this.isTight) throw fail.diskNearlyFull();
  }

  async start(): Promise<void> {
    await this.probe();
    this.#timer = setInterval(() => void this.probe(), everyMs).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async probe(): Promise<void> {
    const { dataDir, storage } = this.#config;
    const places = [dataDir, storage.kind === "disk" ? storage.path : storage.temporaryDir];
    const free = await Promise.all(places.map(readFree));
    this.#freeBytes = Math.min(...free);
  }
}

/** A folder that is not there yet, or a system that does not tell, is no reason to refuse anything. */
const readFree = (path: string): Promise<number> =>
  statfs(path).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => Number.POSITIVE_INFINITY,
  );
