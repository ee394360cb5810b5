// Looks after the prepared projects in the background: writes marks, empties files that are mostly garbage, and prepares
// everything that was never requested, at a pace that leaves time for requests.
import { performance } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { hashIndexOf } from "#content/hashes/hash-index.js";
import { figuresOf } from "#content/records/figures.js";
import type { Resources } from "#platform/http/resources.js";
import type { PreparedCatalog } from "./prepared-catalog.js";

const markEveryMs = 10_000;
const idsAtOnce = 500;
/** A request waits at most for so many projects that are prepared in the background. */
const projectsAtOnce = 8;
const projectsLearntAtOnce = 32;
const bytesMovedAtOnce = 4 * 1024 * 1024;
/** With fewer changes since the last mark, the thread is not started to write another one: the next start reads them again. */
const manyChanges = 10_000;
const reportEveryMs = 15_000;
/** The start has more urgent work. */
const fillAfterMs = 3000;
/** The share of the time that the main thread works at which requests are being served, and not only this preparing. */
const busyShare = 0.25;

export class PreparedUpkeep {
  readonly #catalog: PreparedCatalog;
  readonly #resources: Resources;
  readonly #stopping = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #marked = -1;
  #running: Promise<void> = Promise.resolve();
  #filling: Promise<void> | undefined;

  constructor(resources: Resources, catalog: PreparedCatalog) {
    this.#resources = resources;
    this.#catalog = catalog;
  }

  /** With `fill`, everything is prepared. `marked` is the position of the last mark. */
  start({ fill, marked }: { fill: boolean; marked: number }): void {
    const { log } = this.#resources;
    this.#marked = marked + this.#catalog.writes;
    this.#timer = setInterval(() => {
      this.#running = this.#running
        .then(() => this.tidy())
        .catch((error) => log.warn({ err: error }, "The files with prepared answers could not be looked after"));
    }, markEveryMs).unref();
    if (fill) this.fill();
  }

  /** Prepares everything, and makes all files known to look-ups. It is called again if all records are others. */
  fill(): void {
    this.#filling = (this.#filling ?? Promise.resolve())
      .then(() => this.#fill())
      .catch((error) => {
        if (!this.#stopping.signal.aborted)
          this.#resources.log.warn(
            { err: error },
            "Not all answers could be prepared now; the others are prepared when they are requested",
          );
      });
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    clearInterval(this.#timer);
    await this.#filling;
    await this.#running;
    // Without a thread, nothing was written since the last mark.
    if (!this.#catalog.tasks?.isStarted) return;
    await this.#mark().catch((error) =>
      this.#resources.log.warn({ err: error }, "The files with prepared answers could not be completed"),
    );
  }

  /** Reads lost figures, writes a mark, and empties one file if one is mostly garbage. */
  async tidy(): Promise<void> {
    if (this.#catalog.hasLostFigures) await this.#readFigures();
    await this.#mark();
    const { places, tasks } = this.#catalog;
    const wasteful = tasks?.ownsFiles ? places.takeWasteful() : undefined;
    if (!wasteful || !tasks) return;
    let batch: typeof wasteful.records = [];
    let bytes = 0;
    const flush = async () => {
      await this.#catalog.move(batch);
      [batch, bytes] = [[], 0];
    };
    for (const record of wasteful.records) {
      batch.push(record);
      bytes += record.place.length;
      if (bytes >= bytesMovedAtOnce) await flush();
    }
    await flush();
    // Until the next mark the journal names the old places.
    this.#marked = -1;
    await this.#mark();
    this.#catalog.removeSegment(wasteful.segment);
    await tasks.removeSegment(wasteful.segment);
  }

  async #readFigures(): Promise<void> {
    const { places, tasks } = this.#catalog;
    this.#catalog.hasLostFigures = false;
    try {
      for (let start = 0; start < places.count; start += idsAtOnce) {
        const length = Math.min(idsAtOnce, places.count - start);
        const figures = await tasks?.readFigures(Array.from({ length }, (_, index) => places.idOf(start + index)));
        this.#catalog.figuresChanged(figures ?? []);
      }
    } catch (error) {
      this.#catalog.hasLostFigures = true;
      throw error;
    }
  }

  async #mark(): Promise<void> {
    const { position } = this.#resources.changeLog;
    const { tasks, writes } = this.#catalog;
    // While figures are lost, a mark would say that they are there.
    const news = position + writes - this.#marked;
    if (!tasks || writes === 0 || this.#catalog.hasLostFigures || news === 0) return;
    if (!tasks.isStarted && news < manyChanges) return;
    // Afterwards every change up to this position is in the files, or noted as missing.
    await figuresOf(this.#resources).settled();
    await this.#catalog.noteStale();
    await tasks.mark(position);
    this.#marked = position + writes;
  }

  /** Makes the files of all projects known to look-ups (prepared-files.ts): about 55 µs for each project. */
  async #learnFiles(): Promise<void> {
    const { signal } = this.#stopping;
    const index = hashIndexOf(this.#resources);
    await index.settled();
    for (let slot = 0; slot < this.#catalog.places.count && index.isReady && !signal.aborted; slot++) {
      this.#catalog.files?.learn(slot);
      if (slot % projectsLearntAtOnce === 0) await pause(0, undefined, { signal, ref: false });
    }
  }

  async #fill(): Promise<void> {
    const { clock, log } = this.#resources;
    const { signal } = this.#stopping;
    await pause(fillAfterMs, undefined, { signal, ref: false });
    await this.#learnFiles();
    let [after, prepared, toldAt] = ["", 0, clock.now()];
    for (;;) {
      const ids = (await this.#catalog.tasks?.listIds(after, idsAtOnce)) ?? [];
      if (signal.aborted) return;
      if (ids.length === 0) break;
      after = ids.at(-1)!;
      await pause(0, undefined, { signal, ref: false });
      const missing = ids.filter((id) => !this.#catalog.places.isSettled(id));
      for (let start = 0; start < missing.length && !signal.aborted; start += projectsAtOnce) {
        const began = clock.now();
        const loopBefore = performance.eventLoopUtilization();
        const group = missing.slice(start, start + projectsAtOnce);
        await this.#catalog.load(group);
        prepared += group.length;
        if (clock.now() - toldAt > reportEveryMs) {
          log.info({ prepared }, "Answers are being prepared in the background");
          toldAt = clock.now();
        }
        // While requests are being served, half of the time is left to them.
        const { utilization } = performance.eventLoopUtilization(loopBefore);
        const restMs = utilization > busyShare ? Math.max(0, clock.now() - began) : 0;
        await pause(restMs, undefined, { signal, ref: false });
      }
    }
    this.#catalog.isFilled = true;
    if (prepared > 0) log.info({ prepared }, "All answers are prepared");
  }
}
