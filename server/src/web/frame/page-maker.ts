// Makes the stored pages in the background, at a pace that leaves time for requests: those that are missing, that do not show
// the current state, or are old. The first worker makes them for all.
import { performance } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { preparedOf } from "#content/catalog/prepared-catalog.js";
import type { PreparedProject } from "#content/records/prepared-project.js";
import type { Resources } from "#platform/http/resources.js";
import type { Size } from "#platform/images/measure.js";
import { formatIn } from "#web/context/format.js";
import type { Frame } from "#web/context/frame.js";
import { renderParts } from "./guest-page.js";
import type { FindReadyPage, ReadyPage } from "./hot-pages.js";
import { markingFormat, newNonce, toLiveHtml } from "./live-texts.js";
import type { SharedParts } from "./page-cache.js";
import type { EncodedPage } from "./page-file.js";
import { loadShared, plainFrame } from "./rendering.js";
import { encodePage } from "./stored-page.js";
import { type ShownOthers, type StoredPages, storedPagesOf } from "./stored-pages.js";

/** The start has more urgent work. */
const startAfterMs = 10_000;
const minute = 60_000;
/** All projects are looked through again after so many times as long as it took, but not sooner or later than this. */
const restAfter = 200;
const soonestMs = minute;
const latestMs = 30 * minute;
/** Whether they can be looked through is asked so often. */
const soonMs = 10_000;
/** Which projects are similar changes slowly, and a picture may be replaced by one of another size. */
const longestMs = 7 * 24 * 60 * minute;
/** The sizes of its pictures may be known by then. */
const emptyMs = 24 * 60 * minute;
/** Requests wait while so many projects are looked at, or while one page is made. */
const lookedAtOnce = 32;
const storedAtOnce = 16;
/** The share of a rest that the main thread works at which requests are being served. */
const busyShare = 0.25;
/** Times as long as the work took. */
const restWhenBusy = 4;

/** The pages that are stored: those of projects. */
export interface StoredKind {
  /** Whether everything is there that pages are made of, besides prepared projects. */
  isReady(resources: Resources): boolean;
  find: FindReadyPage;
  urlOf(project: PreparedProject): string;
  shownOn(resources: Resources, projectId: string): ShownOthers;
}

export class PageMaker {
  readonly #resources: Resources;
  readonly #pages: StoredPages;
  readonly #kind: StoredKind;
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;
  #made: (EncodedPage & { projectId: string })[] = [];
  #looked = 0;
  #isBusy = false;

  constructor(resources: Resources, kind: StoredKind) {
    this.#resources = resources;
    this.#pages = storedPagesOf(resources);
    this.#kind = kind;
  }

  start(): void {
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    this.#pages.close();
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    let waitMs = startAfterMs;
    for (;;) {
      try {
        await pause(waitMs, undefined, { signal, ref: false });
        waitMs = soonMs;
        if (!this.#isReady()) continue;
        const began = this.#resources.clock.now();
        await this.lookThrough();
        const tookMs = this.#resources.clock.now() - began;
        waitMs = Math.min(latestMs, Math.max(soonestMs, restAfter * tookMs));
      } catch (error) {
        if (signal.aborted) return;
        this.#resources.log.warn({ err: error }, "Pages could not be stored; this is tried again in a minute");
        waitMs = minute;
      }
    }
  }

  /** Not before everything is prepared, which is more urgent. */
  #isReady(): boolean {
    const { tasks, isFilled } = preparedOf(this.#resources);
    return tasks?.ownsFiles === true && isFilled && this.#pages.isUsable && this.#kind.isReady(this.#resources);
  }

  /** Makes all pages that are missing or outdated. Projects that are not prepared at this moment are left for the next time. */
  async lookThrough(): Promise<void> {
    const { places } = preparedOf(this.#resources);
    const { clock } = this.#resources;
    let [made, lookedSince] = [0, clock.now()];
    for (let slot = 0; slot < places.count && this.#pages.isUsable; slot++) {
      const id = places.idOf(slot);
      if (places.isHidden(slot)) this.#pages.use((file) => file.delete(id));
      else if (places.isSettled(id) && !this.#isCurrent(id)) {
        if (await this.#make(slot, id)) made++;
        // It has rested.
        lookedSince = clock.now();
      }
      if (++this.#looked % lookedAtOnce !== 0) continue;
      await this.#rest(clock.now() - lookedSince);
      lookedSince = clock.now();
    }
    this.#store();
    if (made > 0) this.#resources.log.info({ made }, "Pages were made and stored");
  }

  #isCurrent(id: string): boolean {
    const origin = this.#pages.originOf(id);
    if (!origin) return false;
    const age = this.#resources.clock.now() - origin.madeAt;
    if (age > (origin.isEmpty ? emptyMs : longestMs)) return false;
    return this.#pages.isCurrent(origin, this.#kind.shownOn(this.#resources, id));
  }

  /** Returns whether there is something to store. */
  async #make(slot: number, id: string): Promise<boolean> {
    const parts = await loadShared(this.#resources);
    const project = preparedOf(this.#resources).peekAt(slot);
    const url = project && this.#kind.urlOf(project);
    const ready = url && this.#kind.find(this.#resources, url);
    if (!ready) return false;
    const began = this.#resources.clock.now();
    const page = this.#renderOrWarn(ready, url, parts);
    if (!page) return false;
    this.#made.push({ projectId: id, ...page });
    if (this.#made.length >= storedAtOnce) this.#store();
    await this.#rest(this.#resources.clock.now() - began);
    return true;
  }

  /** A page that cannot be made must not keep the others from being made. */
  #renderOrWarn(ready: ReadyPage, url: string, parts: SharedParts): EncodedPage | undefined {
    try {
      return this.#render(ready, url, parts);
    } catch (error) {
      this.#resources.log.warn({ err: error, url }, "A page could not be made in the background");
      return undefined;
    }
  }

  #render({ storable, make }: ReadyPage, url: string, parts: SharedParts): EncodedPage | undefined {
    const { locale, stamp } = this.#pages;
    const plain = plainFrame(this.#resources, parts, { path: url, url, locale });
    const nonce = newNonce(this.#resources);
    const pictures = new NotedPictures(plain.pictures);
    const format = markingFormat(formatIn(locale, plain.now), nonce);
    const page = make({ ...plain, format, pictures }, parts, nonce.downloads);
    if (!storable || !page?.projects || page.author === undefined) return undefined;
    const { author, section, tiles = [] } = page;
    const projects = page.projects.filter((id) => !tiles.includes(id));
    const [records, tileRecords] = [this.#pages.recordsOf(projects), this.#pages.recordsOf(tiles)];
    const [shownTiles, others] = [storable.shown.ofTiles(tiles), storable.shown.ofAuthor(author)];
    if (records === undefined || tileRecords === undefined) return undefined;
    if (shownTiles === undefined || others === undefined) return undefined;
    const made = { stamp, madeAt: plain.now };
    const origin = { ...made, projects, records, tiles, tileRecords, shownTiles, author, others };
    const { head, content } = renderParts(page, { ...plain, format, pictures });
    if (pictures.isIncomplete) return encodePage(origin);
    return encodePage(origin, { section, head: toLiveHtml(head, nonce), content: toLiveHtml(content, nonce) });
  }

  #store(): void {
    if (this.#made.length > 0) this.#pages.use((file) => file.put(this.#made));
    this.#made = [];
  }

  /** Lets requests be served: between pages, and for longer if there are many. */
  async #rest(workedMs: number): Promise<void> {
    const before = performance.eventLoopUtilization();
    const restMs = this.#isBusy ? restWhenBusy * workedMs : 0;
    await pause(restMs, undefined, { signal: this.#stopping.signal, ref: false });
    this.#isBusy = performance.eventLoopUtilization(before).utilization > busyShare;
  }
}

/** Notes whether the size of a picture was not known: the page would move while it loads. */
class NotedPictures {
  isIncomplete = false;
  readonly pictureUrl: Frame["pictures"]["pictureUrl"];
  readonly #sizeOf: Frame["pictures"]["pictureSize"];

  constructor({ pictureUrl, pictureSize }: Frame["pictures"]) {
    this.pictureUrl = pictureUrl;
    this.#sizeOf = pictureSize;
  }

  pictureSize = (url: string): Size | undefined => {
    const size = this.#sizeOf?.(url);
    if (!size) this.isIncomplete = true;
    return size;
  };
}
