// Prepared projects in a worker that is not the first: it reads the files that the first worker writes (record-sharing.ts),
// and asks it to prepare. While the first worker is being replaced, the files that are known are still used, and
// projects that have changed are prepared here.
import { closeSync, openSync, readSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { namesIn } from "#content/records/answers-store.js";
import type { FiguresChange } from "#content/records/figures.js";
import { type Place, readJournal, segmentPath } from "#content/records/journal.js";
import { openRecord } from "#content/records/prepared-project.js";
import type { Prepared, PrepareInput, PreparingTasks } from "#content/records/preparing-tasks.js";
import { Rounds } from "#lib/rounds.js";
import type { Change } from "#platform/changes/change-log.js";
import type { Resources } from "#platform/http/resources.js";
import { applyMissed, readMissed } from "./missed-changes.js";
import type { PreparedCatalog } from "./prepared-catalog.js";
import type { FilesState, News, Opening, PreparedPlaces, Question } from "./record-sharing.js";

const mostTries = 3;
const retryMs = 1000;

export class FollowedRecords {
  readonly #resources: Resources;
  readonly #catalog: PreparedCatalog;
  readonly #spare: PreparingTasks;
  readonly #onOpened: () => void;
  readonly #attaching = new Rounds(() => this.#attach());
  readonly #closing = new AbortController();
  #state: FilesState | undefined;
  #folder = "";
  /** While the files are being opened: they are applied afterwards. */
  #early: News[] | undefined;

  /** `spare` prepares in this process. `onOpened` is called when files of the first worker were opened. */
  constructor(resources: Resources, catalog: PreparedCatalog, spare: PreparingTasks, onOpened: () => void) {
    this.#resources = resources;
    this.#catalog = catalog;
    this.#spare = spare;
    this.#onOpened = onOpened;
  }

  /** Opens the files of the first worker, if it runs; those of each replacement are opened later. */
  async open(): Promise<void> {
    this.#catalog.open({ tasks: this.tasks, spare: this.#spare, folder: undefined, content: undefined });
    this.#resources.peers.listenToFirst({
      onServing: () => void this.#attaching.next(),
      onNews: (news) => this.#hear(news as News),
    });
    await this.#attaching.next();
  }

  readonly tasks: PreparingTasks = {
    isStarted: false,
    ownsFiles: false,
    wake: ({ ids }) => this.#ask<void>({ ask: "wake", ids }),
    prepare: (input) => this.#prepare(input),
    setFigures: () => this.#writtenFigures(),
    readFigures: (ids) => this.#ask<FiguresChange[]>({ ask: "readFigures", ids }),
    listIds: async () => [],
    noteStale: async () => {},
    mark: async () => {},
    move: async () => [],
    removeSegment: async () => {},
    forgetTaxonomy: async () => {},
    close: async () => this.#closing.abort(),
  };

  #ask<T>(question: Question): Promise<T> {
    return this.#resources.peers.askFirst(question) as Promise<T>;
  }

  async #attach(): Promise<void> {
    const heard: Change[] = [];
    const stopHearing = this.#resources.changeLog.subscribe((change) => void heard.push(change));
    this.#early = [];
    try {
      const { folder, ...state } = await this.#ask<Opening>({ ask: "open" });
      if (folder === undefined || state.run === this.#state?.run) return;
      const content = readJournal(folder);
      // The first worker may have read more of the change log.
      await this.#resources.changeLog.catchUp();
      const missed = content && (await readMissed(this.#resources, content.mark));
      if (this.#closing.signal.aborted) return;
      // From here to the end nothing else runs.
      const { tasks } = this;
      this.#catalog.open({ tasks, spare: this.#spare, folder, content: missed && content });
      if (missed) applyMissed(this.#catalog, missed);
      for (const change of heard) this.#catalog.apply(change);
      this.#state = state;
      this.#folder = folder;
      this.#onOpened();
    } catch (error) {
      this.#resources.log.warn({ err: error }, "The prepared answers of the first worker cannot be used now");
    } finally {
      const early = this.#early;
      this.#early = undefined;
      for (const news of early) this.#take(news);
      stopHearing();
    }
  }

  #hear(news: News): void {
    if (this.#early) this.#early.push(news);
    else this.#take(news);
  }

  #take({ run, told, position, stored, moved, removed }: News): void {
    if (run !== this.#state?.run || told <= this.#state.told) return;
    this.#state = { run, told };
    // A change that only this worker has read may concern a stored record. Then it is asked for when it is needed.
    if (this.#resources.changeLog.position <= position) for (const each of stored) this.#catalog.adopt(...each);
    this.#catalog.moved(moved);
    for (const segment of removed) this.#catalog.removeSegment(segment);
  }

  async #prepare({ ids, builtAt: position }: PrepareInput): Promise<(Prepared | undefined)[]> {
    for (let tries = 0; tries < mostTries; tries++) {
      const { run, told, places } = await this.#ask<PreparedPlaces>({ ask: "prepare", ids, position });
      if (run !== this.#state?.run) await this.#attaching.next();
      // News that were told after the answer may have arrived before it, and may say that records were moved.
      if (run !== this.#state?.run || told !== this.#state.told) continue;
      return places.map((place) => (place === null ? undefined : this.#read(place)));
    }
    throw new Error("The files of the first worker change too quickly");
  }

  #read(place: Place): Prepared {
    const header = Buffer.allocUnsafeSlow(place.headerLength);
    const file = openSync(segmentPath(this.#folder, place.segment), "r");
    try {
      if (readSync(file, header, 0, header.length, place.offset) !== header.length)
        throw new Error("The record is incomplete");
    } finally {
      closeSync(file);
    }
    const { details } = openRecord(header);
    return { place: { ...place, dependsOn: namesIn(details) }, header };
  }

  /** Resolves when the first worker, or its replacement, has written the figures that are known here now. */
  async #writtenFigures(): Promise<void> {
    const { position } = this.#resources.changeLog;
    const { signal } = this.#closing;
    while (!signal.aborted) {
      const isWritten = await this.#ask<boolean>({ ask: "writtenFigures", position }).catch(() => undefined);
      if (isWritten === false) this.#catalog.hasLostFigures = true;
      if (isWritten !== undefined) return;
      await pause(retryMs, undefined, { ref: false, signal }).catch(() => undefined);
    }
  }
}
