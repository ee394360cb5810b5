// Collects downloads in memory and counts them every few seconds in one transaction (count.ts).
import { figuresOf } from "#content/records/figures.js";
import { reach } from "#lib/fail-points.js";
import { write } from "#platform/changes/write.js";
import type { Resources } from "#platform/http/resources.js";
import type { Viewer } from "#platform/http/viewer.js";
import { clientDigests, clientOf } from "./client-digest.js";
import { countDownloads } from "./count.js";
import { Flusher } from "./flusher.js";
import type { Download } from "./policy.js";

const flushAt = 5000;
/** Downloads in one transaction. */
const batchSize = 10_000;
/** While the database cannot be reached, downloads beyond these are not counted: memory is bounded. */
const mostNoted = 200_000;
const byCounter = { credential: "download counter" };

export class DownloadCounter {
  readonly #resources: Resources;
  readonly #flusher: Flusher;
  #noted: Download[] = [];
  #isFull = false;

  constructor(resources: Resources) {
    this.#resources = resources;
    this.#flusher = new Flusher(resources, "Downloads", () => this.#countAll());
  }

  start(): void {
    this.#flusher.start();
  }

  /** Never delays or fails the download. */
  note(
    viewer: Viewer,
    address: string,
    { projectId, versionId }: { projectId: string; versionId: string },
    country = "",
  ): void {
    if (this.#noted.length >= mostNoted) {
      if (!this.#isFull) this.#resources.log.error("Too many downloads wait to be counted; new ones are not counted");
      this.#isFull = true;
      return;
    }
    const client = clientOf(viewer, address);
    this.#noted.push({ client, projectId, versionId, country, time: this.#resources.clock.now() });
    if (this.#noted.length % flushAt === 0) void this.#flusher.tryFlush();
  }

  /** When this resolves, everything noted before the call is counted, and this server shows the figures. */
  flush(): Promise<void> {
    return this.#flusher.flush();
  }

  stop(): Promise<void> {
    return this.#flusher.stop();
  }

  async #countAll(): Promise<void> {
    if (this.#noted.length === 0) return;
    for (let left = this.#noted.length; left > 0; left -= batchSize)
      await this.#count(this.#noted.slice(0, Math.min(left, batchSize)));
    await figuresOf(this.#resources).settled();
  }

  /** A batch that fails stays noted. If it was committed nevertheless, counting it again has no effect. */
  async #count(batch: readonly Download[]): Promise<void> {
    reach("downloads: before flush");
    const digestOf = await clientDigests(this.#resources);
    const digests = new Map<string, string>();
    const digested = batch.map((download) => {
      const client = digests.get(download.client) ?? digestOf(download.client);
      digests.set(download.client, client);
      return { ...download, client };
    });
    await write(this.#resources, byCounter, (tx) => countDownloads(tx, digested));
    this.#noted.splice(0, batch.length);
    this.#isFull = false;
    reach("downloads: flushed");
  }
}
