// Keeps the index in memory true: loads it, hears of changes through the feed, and brings it up to date before the next
// question is answered. One per server.

import { dayOf } from "#lib/days.js";
import type { Change, ChangeLog } from "#platform/changes/change-log.js";
import { catchUp } from "#platform/changes/consumer.js";
import type { Resources } from "#platform/http/resources.js";
import { searchConsumer } from "./indexing.js";
import { loadCommonTexts, loadShelf, type Position, refreshFigures, refreshShelf } from "./loading.js";
import type { Shelf } from "./shelf.js";

/** How long a question waits for the index to catch up; then it is answered from what is known. */
const patienceMs = 3000;

/** So many changed projects are looked at before anybody asks. */
const manyChanges = 500;

interface Held {
  shelf: Shelf;
  position: Position;
  /** The day that the recent downloads were counted on. */
  day: number;
}

export class SearchKeeper {
  readonly #resources: Resources;
  #held: Promise<Held> | undefined;
  #isBehind = true;
  /** Projects that were named since the last look. */
  #changed = new Set<string>();
  #refreshing: Promise<void> | undefined;
  #isTidying = false;
  #warmGeneration: number | undefined;
  /** Until common words are known; questions do not wait for it. */
  warming: Promise<void> = Promise.resolve();

  constructor(resources: Resources) {
    this.#resources = resources;
    resources.changeLog.subscribe((change) => this.#hear(change));
  }

  /** The index with everything in it that this server has made or heard of. */
  async current(): Promise<Shelf> {
    // Without the feed nobody says what has changed.
    if (!this.#resources.changeLog.isFollowing) {
      await catchUp(this.#resources, searchConsumer);
      return (await this.#load()).shelf;
    }
    const held = await this.#loaded();
    if (this.#isBehind || this.#refreshing) await this.#withPatience(this.#refresh(held));
    this.#tidy(held);
    this.#warm(held.shelf);
    return held.shelf;
  }

  /** Looks common words up ahead, after loading and whenever they were forgotten. */
  #warm(shelf: Shelf): void {
    const { generation } = shelf.texts;
    if (this.#warmGeneration === generation) return;
    this.#warmGeneration = generation;
    this.warming = loadCommonTexts(this.#resources.db, shelf).catch((error) =>
      this.#warn(error, "Common words could not be looked up ahead"),
    );
  }

  #loaded(): Promise<Held> {
    this.#held ??= this.#load().catch((error) => {
      // A failure is not kept; the next caller tries again.
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

  #hear({ kind, id }: Change): void {
    if (kind !== "search" && !searchConsumer.kinds.has(kind)) return;
    this.#isBehind = true;
    if (kind !== "project") return;
    this.#changed.add(id);
    // Where nobody asks for long, the next one would have to wait for all of it.
    if (this.#changed.size !== manyChanges) return;
    const notLoaded = () => undefined;
    void this.#held?.then((held) => this.#refresh(held), notLoaded);
  }

  async #refresh(held: Held): Promise<void> {
    // What runs may have begun before the last news.
    await this.#refreshing;
    if (this.#isBehind)
      this.#refreshing ??= this.#bringUp(held).finally(() => {
        this.#refreshing = undefined;
      });
    // Whoever asked at the same time may have begun it.
    await this.#refreshing;
  }

  /** Where no more can be learned at the moment, a question is answered from what is known rather than refused. */
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

  /** What need not be waited for: counting the days anew once one is over, and getting rid of dead slots. */
  #tidy(held: Held): void {
    const today = this.#today();
    if (this.#isTidying || (held.day === today && !held.shelf.isMostlyDead)) return;
    this.#isTidying = true;
    const work = held.shelf.isMostlyDead ? this.#renew() : this.#recount(held, today);
    work
      .catch((error) => this.#warn(error, "The search index cannot be tidied up; trying again"))
      .finally(() => {
        this.#isTidying = false;
      });
  }

  async #recount(held: Held, today: number): Promise<void> {
    const { day } = held;
    // Whatever changes meanwhile is counted by the new day already.
    held.day = today;
    try {
      await refreshFigures(this.#resources.db, held.shelf, held.shelf.listIds(), today);
    } catch (error) {
      held.day = day;
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
    // At the stop the database goes while something may still be under way.
    if (this.#resources.changeLog.isFollowing) this.#resources.log.warn({ err }, message);
  }
}

const keepers = new WeakMap<ChangeLog, SearchKeeper>();

export function keeperOf(resources: Resources): SearchKeeper {
  let keeper = keepers.get(resources.changeLog);
  if (!keeper) {
    keeper = new SearchKeeper(resources);
    keepers.set(resources.changeLog, keeper);
  }
  return keeper;
}
