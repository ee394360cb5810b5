// Collects views of project pages in memory and counts them every few seconds in one transaction (count.ts).
import { clientDigests, clientOf } from "#content/downloads/client-digest.js";
import { Flusher } from "#content/downloads/flusher.js";
import { write } from "#platform/changes/write.js";
import type { Resources } from "#platform/http/resources.js";
import type { Viewer } from "#platform/http/viewer.js";
import { countViews } from "./count.js";
import { direct, isVisit, ownName, referrerOf, type View, type VisitHeaders } from "./policy.js";

const flushAt = 2000;
/** Views in one transaction. */
const batchSize = 5000;
/**
 * While the database cannot be reached, views beyond these are not counted. Each takes less than 1 KiB, whatever the
 * client sends.
 */
const mostNoted = 20_000;
const byCounter = { credential: "view counter" };

export class ViewCounter {
  readonly #resources: Resources;
  readonly #flusher: Flusher;
  readonly #ownNames: ReadonlySet<string>;
  /** By client and project: however often a client loads pages of a project, there is one. */
  readonly #noted = new Map<string, Omit<View, "visitor">>();
  #isFull = false;

  constructor(resources: Resources) {
    this.#resources = resources;
    this.#flusher = new Flusher(resources, "Views", () => this.#countAll());
    const { url, cdnUrl } = resources.config.http;
    this.#ownNames = new Set([ownName(url), ownName(cdnUrl)]);
  }

  start(): void {
    this.#flusher.start();
  }

  /** Never delays or fails the page. `countryOf` is called only for visits. */
  note(viewer: Viewer, address: string, projectId: string, visit: VisitHeaders, countryOf: () => string): void {
    if (!isVisit(visit)) return;
    const key = `view ${clientOf(viewer, address)} ${projectId}`;
    if (this.#noted.has(key)) return;
    if (this.#noted.size >= mostNoted) {
      if (!this.#isFull) this.#resources.log.error("Too many views wait to be counted; new ones are not counted");
      this.#isFull = true;
      return;
    }
    const details = visit.asksForPrivacy
      ? { referrer: direct, country: "" }
      : { referrer: referrerOf(visit.referer, this.#ownNames), country: countryOf() };
    this.#noted.set(key, { projectId, ...details, time: this.#resources.clock.now() });
    if (this.#noted.size % flushAt === 0) void this.#flusher.tryFlush();
  }

  /** When this resolves, everything noted before the call is counted. */
  flush(): Promise<void> {
    return this.#flusher.flush();
  }

  stop(): Promise<void> {
    return this.#flusher.stop();
  }

  async #countAll(): Promise<void> {
    for (let left = this.#noted.size; left > 0; left -= batchSize) {
      const digestOf = await clientDigests(this.#resources);
      const batch = [...this.#noted].slice(0, Math.min(left, batchSize));
      const views = batch.map(([key, view]): View => ({ visitor: digestOf(key), ...view }));
      // A batch that fails stays noted. If it was committed nevertheless, counting it again has no effect.
      await write(this.#resources, byCounter, (tx) => countViews(tx, views));
      for (const [key] of batch) this.#noted.delete(key);
      this.#isFull = false;
    }
  }
}
