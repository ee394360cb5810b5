// Keeps the index in memory up to date: loads it, reads changes from the change log, and applies them before the next
// query. Counted downloads only move projects in the orders. One per server.

import { figuresOf } from "#content/records/figures.js";
import { dayOf } from "#lib/days.js";
import type { CacheFigures } from "#platform/changes/cache.js";
import type { Change } from "#platform/changes/change-log.js";
import { catchUp } from "#platform/changes/consumer.js";
import { perServer } from "#platform/changes/server-memory.js";
import type { Resources } from "#platform/http/resources.js";
import { DescribedWords } from "./described.js";
import { loadCommonTexts } from "./description-words.js";
import { searchConsumer } from "./indexing.js";
import { type LoadedIndex, loadIndex, recountFigures, refreshIndex, storeIndex } from "./loading.js";
import { namedOf } from "./named.js";
import { SearchFile } from "./search-file.js";
import type { SearchIndex } from "./search-index.js";
import { TextSets } from "./text-sets.js";

/** How long a query waits for the index to catch up before it uses the current state. */
const patienceMs = 3000;

/** After so many changed projects the index is updated without waiting for a query. */
const manyChanges = 500;

/** Counting the memory of the index takes milliseconds, so it is counted again only after so many new slots. */
const slotsBetweenCounts = 1000;

const noTexts = new TextSets();

export class LiveIndex {
  readonly #resources: Resources;
  #current: Promise<LoadedIndex> | undefined;
  /** The same once it is loaded. */
  #loadedNow: LoadedIndex | undefined;
  #searchIndex: SearchIndex | undefined;
  #counted: { of: SearchIndex | undefined; slots: number; bytes: number } = { of: undefined, slots: 0, bytes: 0 };
  #isBehind = true;
  /** Projects that changed since the last refresh. */
  #changed = new Set<string>();
  /** New totals of downloads that the index does not have yet. */
  #downloads = new Map<string, number>();
  #areFiguresLost = false;
  #refreshing: Promise<void> | undefined;
  #isTidying = false;
  #warmGeneration: number | undefined;
  readonly #described = new DescribedWords((error) => this.#warn(error, "The words in descriptions cannot be read"));
  /** Resolves once common words are loaded; queries do not wait for it. */
  warming: Promise<void> = Promise.resolve();

  constructor(resources: Resources) {
    this.#resources = resources;
    resources.changeLog.subscribe((change) => this.#onChange(change));
    figuresOf(resources).subscribe({
      figuresChanged: (changes) => {
        for (const { projectId, downloads } of changes) this.#downloads.set(projectId, downloads);
      },
      figuresLost: () => {
        this.#areFiguresLost = true;
      },
    });
  }

  /** The memory of all indexes in this folder, without the sets of words in descriptions. */
  get bytes(): number {
    const searchIndex = this.#searchIndex;
    const named = Object.values(namedOf(this.#resources)).reduce((sum, { bytes }) => sum + bytes, 0);
    if (!searchIndex) return named;
    const { of, slots } = this.#counted;
    if (of !== searchIndex || searchIndex.slots - slots > slotsBetweenCounts)
      this.#counted = { of: searchIndex, slots: searchIndex.slots, bytes: searchIndex.countBytes() };
    return this.#counted.bytes + this.#described.bytes + named;
  }

  /** The figures of the sets of words in descriptions. */
  wordFigures = (): CacheFigures => (this.#searchIndex?.texts ?? noTexts).figures();

  figures(): CacheFigures {
    const { bytes } = this;
    return { name: "searchIndex", bytes, limit: bytes, entries: this.#searchIndex?.size ?? 0, hits: 0, misses: 0 };
  }

  /** The index, if it is loaded. It may miss the last changes. */
  get known(): SearchIndex | undefined {
    return this.#searchIndex;
  }

  /** The index, if it has all changes that this server has made or read, and nothing has to be waited for. */
  currentNow(): SearchIndex | undefined {
    const isReady = this.#resources.changeLog.isFollowing && !this.#isBehind && !this.#refreshing;
    return isReady && this.#loadedNow ? this.#use(this.#loadedNow) : undefined;
  }

  /** The index with all changes that this server has made or read. */
  async current(): Promise<SearchIndex> {
    // Without the change log there is no way to learn of changes.
    if (!this.#resources.changeLog.isFollowing) {
      await catchUp(this.#resources, searchConsumer);
      return (await this.#load()).searchIndex;
    }
    const loaded = await this.#loaded();
    if (this.#isBehind || this.#refreshing) await this.#withPatience(this.#refresh(loaded));
    return this.#use(loaded);
  }

  #use(loaded: LoadedIndex): SearchIndex {
    this.#takeDownloads(loaded.searchIndex);
    this.#tidy(loaded);
    this.#warm(loaded.searchIndex);
    this.#readWords(loaded.searchIndex);
    return loaded.searchIndex;
  }

  /** Loads common words ahead, after loading and whenever they were dropped. */
  #warm(searchIndex: SearchIndex): void {
    const { generation } = searchIndex.texts;
    if (this.#warmGeneration === generation) return;
    this.#warmGeneration = generation;
    this.warming = loadCommonTexts(this.#resources.db, searchIndex).catch((error) =>
      this.#warn(error, "Common words could not be loaded ahead of time"),
    );
  }

  /** The words in descriptions are in a file, which is written in the background. */
  #readWords(searchIndex: SearchIndex): void {
    const { db, clock } = this.#resources;
    const findPlace = () => new SearchFile(this.#resources).placeOfWords(searchIndex);
    this.#described
      .keepReady(db, searchIndex, clock.now(), findPlace)
      ?.catch((error) => this.#warn(error, "The words in descriptions could not be read; the database finds them"));
  }

  #loaded(): Promise<LoadedIndex> {
    this.#current ??= this.#load().then(
      (loaded) => {
        this.#loadedNow = loaded;
        return loaded;
      },
      (error) => {
        // A failure is not cached; the next caller tries again.
        this.#current = undefined;
        throw error;
      },
    );
    return this.#current;
  }

  async #load(): Promise<LoadedIndex> {
    const file = new SearchFile(this.#resources);
    const loaded = await loadIndex(this.#resources.db, this.#today(), file, this.#searchIndex?.described);
    this.#searchIndex = loaded.searchIndex;
    return loaded;
  }

  /** Stores the index for the next start, at the end of a server that answers nothing any more. */
  async store(): Promise<void> {
    const { db, changeLog } = this.#resources;
    const file = new SearchFile(this.#resources);
    const { position, isFollowing } = changeLog;
    if (!this.#searchIndex || !isFollowing || !file.isWorthWriting(this.#searchIndex, this.#searchIndex.size)) return;
    await figuresOf(this.#resources).settled();
    await this.current();
    const loaded = await this.#loaded();
    const isCurrent = !this.#isBehind && !this.#refreshing && !this.#isTidying && !this.#areFiguresLost;
    if (isCurrent) await storeIndex(db, loaded, file, position);
  }

  #today = (): number => dayOf(this.#resources.clock.now());

  #onChange({ kind, id }: Change): void {
    if (kind !== "search" && !searchConsumer.kinds.has(kind)) return;
    this.#isBehind = true;
    if (kind !== "project") return;
    this.#changed.add(id);
    // The figures of a project that changed are read again.
    this.#downloads.delete(id);
    // Without queries for a long time, the next one would have to wait for all changes.
    if (this.#changed.size !== manyChanges) return;
    const notLoaded = () => undefined;
    void this.#current?.then((loaded) => this.#refresh(loaded), notLoaded);
  }

  async #refresh(loaded: LoadedIndex): Promise<void> {
    // A refresh that is running may have started before the last change.
    await this.#refreshing;
    if (this.#isBehind)
      this.#refreshing ??= this.#bringUp(loaded).finally(() => {
        this.#refreshing = undefined;
      });
    // A concurrent caller may have started it.
    await this.#refreshing;
  }

  /** Not while figures are read from the database: earlier ones would overwrite these. */
  #takeDownloads(searchIndex: SearchIndex): void {
    if (this.#refreshing || this.#isTidying || this.#downloads.size === 0) return;
    for (const [id, downloads] of this.#downloads) searchIndex.setDownloads(id, downloads);
    this.#downloads.clear();
  }

  /** If the index cannot be updated at the moment, a query is answered from the current state rather than refused. */
  async #bringUp(loaded: LoadedIndex): Promise<void> {
    const changed = this.#changed;
    this.#changed = new Set();
    this.#isBehind = false;
    try {
      await catchUp(this.#resources, searchConsumer);
      const { db } = this.#resources;
      loaded.position = await refreshIndex(db, loaded.searchIndex, {
        from: loaded.position,
        changed,
        today: loaded.day,
      });
    } catch (error) {
      this.#isBehind = true;
      for (const id of changed) this.#changed.add(id);
      this.#warn(error, "The search index cannot catch up; answering from what is known");
    }
  }

  async #withPatience(work: Promise<void>): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, patienceMs);
    await Promise.race([work, promise]);
    clearTimeout(timer);
  }

  /** Work that queries do not wait for: recounting when a new day starts, and removing dead slots. */
  #tidy(loaded: LoadedIndex): void {
    const today = this.#today();
    const isTidy = loaded.day === today && !this.#areFiguresLost && !loaded.searchIndex.isMostlyDead;
    if (this.#isTidying || isTidy) return;
    this.#isTidying = true;
    const work = loaded.searchIndex.isMostlyDead ? this.#renew() : this.#recount(loaded, today);
    work
      .catch((error) => this.#warn(error, "The search index could not be cleaned up; trying again"))
      .finally(() => {
        this.#isTidying = false;
      });
  }

  async #recount(loaded: LoadedIndex, today: number): Promise<void> {
    const { day } = loaded;
    // Concurrent changes already use the new day.
    loaded.day = today;
    this.#areFiguresLost = false;
    try {
      await recountFigures(this.#resources.db, loaded.searchIndex, today);
    } catch (error) {
      loaded.day = day;
      this.#areFiguresLost = true;
      throw error;
    }
  }

  async #renew(): Promise<void> {
    const heard = new Set<string>();
    const stopHearing = this.#resources.changeLog.subscribe(({ kind, id }) => {
      if (kind === "project") heard.add(id);
    });
    try {
      this.#loadedNow = await this.#load();
      this.#current = Promise.resolve(this.#loadedNow);
    } finally {
      stopHearing();
      // Their figures may have been read before they changed.
      for (const id of heard) this.#changed.add(id);
      this.#isBehind = true;
    }
  }

  #warn(err: unknown, message: string): void {
    // During a stop the database closes while a refresh may still run.
    if (this.#resources.changeLog.isFollowing) this.#resources.log.warn({ err }, message);
  }
}

export const liveIndexOf = perServer((resources: Resources) => {
  const liveIndex = new LiveIndex(resources);
  resources.memory.showIndex(liveIndex);
  resources.memory.showIndex({
    get bytes() {
      return liveIndex.wordFigures().bytes;
    },
    figures: liveIndex.wordFigures,
  });
  return liveIndex;
});
