// Keeps the index in memory up to date: loads it, reads changes from the change log, and applies them before the next
// query. Counted downloads only move projects in the orders. One per server.

import { figuresOf } from "#content/catalog/figures.js";
import { dayOf } from "#lib/days.js";
import type { Change } from "#platform/changes/change-log.js";
import { catchUp } from "#platform/changes/consumer.js";
import { perServer } from "#platform/changes/server-memory.js";
import type { Resources } from "#platform/http/resources.js";
import { searchConsumer } from "./indexing.js";
import { loadCommonTexts, loadShelf, type Position, refreshFigures, refreshShelf } from "./loading.js";
import type { Shelf } from "./shelf.js";

/** How long a query waits for the index to catch up before it uses the current state. */
const patienceMs = 3000;

/** After so many changed projects the index is updated without waiting for a query. */
const manyChanges = 500;

interface Held {
  shelf: Shelf;
  position: Position;
  /** The day for which the recent downloads were counted. */
  day: number;
}

export class SearchKeeper {
  readonly #resources: Resources;
  #held: Promise<Held> | undefined;
  #isBehind = true;
  /** Projects that changed since the last refresh. */
  #changed = new Set<string>();
  /** New totals of downloads that the index does not have yet. */
  #downloads = new Map<string, number>();
  #areFiguresLost = false;
  #refreshing: Promise<void> | undefined;
  #isTidying = false;
  #warmGeneration: number | undefined;
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

  /** The index with all changes that this server has made or read. */
  async current(): Promise<Shelf> {
    // Without the change log there is no way to learn of changes.
    if (!this.#resources.changeLog.isFollowing) {
      await catchUp(this.#resources, searchConsumer);
      return (await this.#load()).shelf;
    }
    const held = await this.#loaded();
    if (this.#isBehind || this.#refreshing) await this.#withPatience(this.#refresh(held));
    this.#takeDownloads(held.shelf);
    this.#tidy(held);
    this.#warm(held.shelf);
    return held.shelf;
  }

  /** Loads common words ahead, after loading and whenever they were dropped. */
  #warm(shelf: Shelf): void {
    const { generation } = shelf.texts;
    if (this.#warmGeneration === generation) return;
    this.#warmGeneration = generation;
    this.warming = loadCommonTexts(this.#resources.db, shelf).catch((error) =>
      this.#warn(error, "Common words could not be loaded ahead of time"),
    );
  }

  #loaded(): Promise<Held> {
    this.#held ??= this.#load().catch((error) => {
      // A failure is not cached; the next caller tries again.
      this.#held = undefined;
      throw error;
    });
    return this.#held;
  }

  async #load(): Promise<Held> {
    const { db } = this.#resources;
    const day = this.#today();
    return { ...(await loadShelf(db, day)), day };
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
    void this.#held?.then((held) => this.#refresh(held), notLoaded);
  }

  async #refresh(held: Held): Promise<void> {
    // A refresh that is running may have started before the last change.
    await this.#refreshing;
    if (this.#isBehind)
      this.#refreshing ??= this.#bringUp(held).finally(() => {
        this.#refreshing = undefined;
      });
    // A concurrent caller may have started it.
    await this.#refreshing;
  }

  /** Not while figures are read from the database: earlier ones would overwrite these. */
  #takeDownloads(shelf: Shelf): void {
    if (this.#refreshing || this.#isTidying || this.#downloads.size === 0) return;
    for (const [id, downloads] of this.#downloads) shelf.setDownloads(id, downloads);
    this.#downloads.clear();
  }

  /** If the index cannot be updated at the moment, a query is answered from the current state rather than refused. */
  async #bringUp(held: Held): Promise<void> {
    const changed = this.#changed;
    this.#changed = new Set();
    this.#isBehind = false;
    try {
      await catchUp(this.#resources, searchConsumer);
      const { db } = this.#resources;
      held.position = await refreshShelf(db, held.shelf, { from: held.position, changed, today: held.day });
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
  #tidy(held: Held): void {
    const today = this.#today();
    const isTidy = held.day === today && !this.#areFiguresLost && !held.shelf.isMostlyDead;
    if (this.#isTidying || isTidy) return;
    this.#isTidying = true;
    const work = held.shelf.isMostlyDead ? this.#renew() : this.#recount(held, today);
    work
      .catch((error) => this.#warn(error, "The search index could not be cleaned up; trying again"))
      .finally(() => {
        this.#isTidying = false;
      });
  }

  async #recount(held: Held, today: number): Promise<void> {
    const { day } = held;
    // Concurrent changes already use the new day.
    held.day = today;
    this.#areFiguresLost = false;
    try {
      await refreshFigures(this.#resources.db, held.shelf, held.shelf.listIds(), today);
    } catch (error) {
      held.day = day;
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
      this.#held = Promise.resolve(await this.#load());
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

export const keeperOf = perServer((resources: Resources) => new SearchKeeper(resources));
