// Refuses uploads while the disk has less free space than the operator wants to keep. Reading, signing in and writing
// texts still work. The space is checked in the background, so that requests do not wait for it.
import { statfs } from "node:fs/promises";
import type { Config } from "#config/config.js";
import { fail } from "#platform/errors.js";

const everyMs = 5000;

export class DiskSpace {
  readonly #config: Pick<Config, "dataDir" | "storage" | "limits">;
  #freeBytes = Number.POSITIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(config: Pick<Config, "dataDir" | "storage" | "limits">) {
    this.#config = config;
  }

  /** The free space of the fullest disk that the server writes to; infinite if unknown. */
  get freeBytes(): number {
    return this.#freeBytes;
  }

  get isTight(): boolean {
    return this.#freeBytes < this.#config.limits.freeDiskBytes;
  }

  /** Call this before a file is read. */
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

/** A folder that does not exist yet, or a system that does not report it, is no reason to refuse uploads. */
const readFree = (path: string): Promise<number> =>
  statfs(path).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => Number.POSITIVE_INFINITY,
  );
