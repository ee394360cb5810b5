// Pictures of other sites: fetched when the first visitor sees them, encoded again in the process that decodes uploads,
// and kept as files in the cache folder, within a limit. Workers and commands may use the same folder.
import { createHash } from "node:crypto";
import { mkdir, open, readdir, rename, stat, unlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Queue, QueueByKey } from "#lib/queue.js";
import { version } from "#lib/version.js";
import type { Cache } from "#platform/changes/cache.js";
import { perServer } from "#platform/changes/server-memory.js";
import type { Resources } from "#platform/http/resources.js";
import { headBytes, measure, type Size } from "#platform/images/measure.js";
import type { RemotePicture } from "#platform/images/tools.js";
import { download, OutboundError } from "#platform/outbound/client.js";
import { mayBePrivate } from "./address.js";

const hour = 60 * 60 * 1000;
/** Then a picture is fetched again, while visitors still get the old one. Badges change. */
const freshMs = 7 * 24 * hour;
/** How often the time of the last use is noted, by which pictures are deleted. */
const useMs = 24 * hour;
/** A picture that cannot be fetched is tried again after this time. */
const failureMs = hour / 6;
const failureBytes = 1024 * 1024;
/** After so much of the limit is written, files are deleted down to the lower limit. */
const sweepShare = 1 / 16;
const lowerLimit = 0.9;

/** Most pictures have the first of them. */
const formats = ["webp", "svg"] as const;

export interface StoredPicture {
  format: RemotePicture["format"];
  path: string;
  size: number;
  /** When it was fetched. */
  date: number;
}

type Around = Pick<Resources, "config" | "clock" | "images" | "log" | "memory" | "random" | "room">;

export const remotePicturesOf = perServer((resources: Around) => new RemotePictureCache(resources));

/** The name of its file. */
export const keyOf = (url: string): string => createHash("sha256").update(url).digest("hex");

class RemotePictureCache {
  readonly #around: Around;
  readonly #folder: string;
  readonly #failures: Cache<true>;
  readonly #fetching = new Map<string, Promise<StoredPicture | undefined>>();
  // A slow site has two of the places at most, so that pictures of others are still fetched.
  readonly #places = new Queue(8, 64);
  readonly #placesOfHost = new QueueByKey(2, 32);
  #bytesSinceSweep = Number.POSITIVE_INFINITY;
  #sweeping: Promise<void> | undefined;

  constructor(around: Around) {
    this.#around = around;
    this.#folder = join(around.config.dataDir, "cache", "pictures");
    this.#failures = around.memory.createCache({ name: "failedPictures", bytes: failureBytes, ageMs: failureMs });
  }

  /** Undefined if there is no usable picture at this URL; rejects with Busy if too many are being fetched. */
  async find(url: string): Promise<StoredPicture | undefined> {
    const key = keyOf(url);
    const name = this.#nameOf(key);
    const known = await this.#look(name);
    if (!known) return this.#failures.get(key) ? undefined : await this.#fetch(url, key, name);
    const isOld = this.#around.clock.now() - known.date > freshMs;
    // An old picture is better than none, so a failure changes nothing.
    if (isOld && !this.#failures.get(key)) this.#fetch(url, key, name).catch(() => undefined);
    return known;
  }

  /** The size of a picture that is in the cache; it is not fetched for this. */
  async measure(key: string): Promise<Size | undefined> {
    for (const format of formats) {
      const file = await open(`${this.#nameOf(key)}.${format}`).catch(() => undefined);
      if (!file) continue;
      try {
        const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes));
        return measure(buffer.subarray(0, bytesRead));
      } finally {
        await file.close();
      }
    }
    return undefined;
  }

  #nameOf(key: string): string {
    return join(this.#folder, key.slice(0, 2), key);
  }

  async #look(name: string): Promise<StoredPicture | undefined> {
    for (const format of formats) {
      const path = `${name}.${format}`;
      const facts = await stat(path).catch(() => undefined);
      if (!facts) continue;
      const now = this.#around.clock.now();
      if (now - facts.atimeMs > useMs) await utimes(path, now / 1000, facts.mtimeMs / 1000).catch(() => undefined);
      return { format, path, size: facts.size, date: Math.floor(facts.mtimeMs) };
    }
    return undefined;
  }

  #fetch(url: string, key: string, name: string): Promise<StoredPicture | undefined> {
    const running = this.#fetching.get(key);
    if (running) return running;
    const fetching = this.#placesOfHost
      .run(URL.parse(url)?.host ?? "", () => this.#places.run(() => this.#load(url, name)))
      .then((stored) => {
        if (!stored) this.#failures.set(key, true, key.length);
        return stored;
      })
      .finally(() => this.#fetching.delete(key));
    this.#fetching.set(key, fetching);
    return fetching;
  }

  async #load(url: string, name: string): Promise<StoredPicture | undefined> {
    const { config, images, log, room } = this.#around;
    room.check();
    try {
      const allowPrivate = mayBePrivate(url, config.remotePictures);
      const bytes = await download(
        {
          // Old texts name many sites by http that have long moved to https.
          url: allowPrivate ? url : url.replace(/^http:/i, "https:"),
          headers: {
            accept: "image/webp,image/png,image/jpeg,image/gif,image/svg+xml",
            "user-agent": `Modshelf/${version}`,
          },
          maxBytes: config.limits.galleryImageBytes,
        },
        { allowPrivate },
      );
      const result = await images.remote(bytes);
      if (result.ok) return await this.#store(name, result.value);
      log.debug({ url, reason: result.reason }, "A picture of another site cannot be used");
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      log.debug({ url, reason: error.message }, "A picture of another site cannot be fetched");
    }
    return undefined;
  }

  async #store(name: string, { format, bytes }: RemotePicture): Promise<StoredPicture> {
    const { clock, random } = this.#around;
    const path = `${name}.${format}`;
    const draft = `${path}.${random.bytes(8).toString("hex")}`;
    const now = clock.now();
    await mkdir(join(path, ".."), { recursive: true, mode: 0o700 });
    await writeFile(draft, bytes, { mode: 0o600 });
    await utimes(draft, now / 1000, now / 1000);
    await rename(draft, path);
    // The other site may have had a picture of another format here.
    for (const other of formats) if (other !== format) await unlink(`${name}.${other}`).catch(() => undefined);
    this.#bytesSinceSweep += bytes.length;
    if (this.#bytesSinceSweep > this.#limit * sweepShare) {
      this.#sweeping ??= this.#sweep().finally(() => {
        this.#sweeping = undefined;
      });
      await this.#sweeping;
    }
    return { format, path, size: bytes.length, date: now };
  }

  get #limit(): number {
    return this.#around.config.limits.remotePictureBytes;
  }

  /** Deletes the files that were not used for the longest time. */
  async #sweep(): Promise<void> {
    this.#bytesSinceSweep = 0;
    const names = await readdir(this.#folder, { recursive: true });
    const files: { path: string; size: number; used: number }[] = [];
    for (const name of names) {
      const path = join(this.#folder, name);
      const facts = await stat(path).catch(() => undefined);
      if (facts?.isFile()) files.push({ path, size: facts.size, used: facts.atimeMs });
    }
    let bytes = files.reduce((sum, { size }) => sum + size, 0);
    if (bytes <= this.#limit) return;
    for (const { path, size } of files.sort((a, b) => a.used - b.used)) {
      if (bytes <= this.#limit * lowerLimit) break;
      await unlink(path).catch(() => undefined);
      bytes -= size;
    }
  }
}

/** Undefined if the picture was deleted at this moment. */
export const openPicture = ({ path }: StoredPicture) => open(path).catch(() => undefined);
