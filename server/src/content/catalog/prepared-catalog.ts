// The prepared projects of this server: cores that are used often are in memory, everything else is in files. A project
// is stale from the moment when the change log names it, or a user or organization that it depends on; then it is
// prepared again before it is used. So every answer contains all changes that this server knows of.

import type { CoreSource } from "#content/records/core-pieces.js";
import { type FiguresChange, figuresOf } from "#content/records/figures.js";
import { everyProject, type Place, type Stored } from "#content/records/journal.js";
import type { OfferedSets } from "#content/records/offered-sets.js";
import type { PreparedProject } from "#content/records/prepared-project.js";
import type {
  Moved,
  OpenedFiles,
  Prepared,
  PrepareInput,
  PreparingTasks,
  RecordsListener,
} from "#content/records/preparing-tasks.js";
import { type CacheFigures, indexFigures } from "#platform/changes/cache.js";
import type { Change } from "#platform/changes/change-log.js";
import { perServer } from "#platform/changes/server-memory.js";
import type { Resources } from "#platform/http/resources.js";
import { KnownRecords } from "./known-records.js";
import type { Places } from "./places.js";
import type { PreparedFiles } from "./prepared-files.js";
import { ProjectBuilds } from "./project-builds.js";
import type { ReadPace } from "./read-pace.js";
import { StaleNotes } from "./stale-notes.js";
import { StaleVersions } from "./stale-versions.js";

/** Shorter than the time after which the thread that renders texts ends. */
const expectTextsEveryMs = 10_000;

export class PreparedCatalog {
  /** Some figures are outdated, and it is not known which (prepared-upkeep.ts reads all of them again). */
  hasLostFigures = false;
  /** Everything was prepared once (prepared-upkeep.ts). */
  isFilled = false;
  /** It tells the other workers (record-sharing.ts). */
  listener: RecordsListener | undefined;
  readonly #resources: Resources;
  readonly #records: KnownRecords;
  readonly #builds = new ProjectBuilds({
    prepare: (ids) => this.#prepare(ids),
    finish: (id, made) => this.#finish(id, made),
    disown: (id) => this.#disown(id),
    figuresChanged: (figures) => this.figuresChanged(figures),
  });
  readonly #stale = new StaleNotes();
  readonly #touched = new StaleVersions();
  #opened: Omit<OpenedFiles, "content"> | undefined;
  #textsExpectedAt = Number.NEGATIVE_INFINITY;

  constructor(resources: Resources) {
    this.#resources = resources;
    this.#records = new KnownRecords(resources);
    resources.memory.showIndex(this);
    resources.changeLog.subscribe((change) => this.apply(change));
    figuresOf(resources).subscribe({
      figuresChanged: (changes) => this.figuresChanged(changes),
      figuresLost: () => {
        this.hasLostFigures = true;
      },
    });
  }

  /** From now on projects can be used; if it is open, with other files. The change log is followed already. */
  open({ content, ...opened }: OpenedFiles): void {
    this.#opened = opened;
    // Results that are on their way may be in the files that were used before.
    this.#builds.setDirty();
    this.#touched.forgetAll();
    this.#records.open(opened.folder ?? "", content?.places ?? []);
  }

  close(): void {
    this.#opened = undefined;
    this.places.close();
  }

  get bytes(): number {
    return this.#records.bytes;
  }

  figures = (): CacheFigures => indexFigures("preparedIndex", this.bytes, this.places.count);

  get sets(): OfferedSets {
    return this.#records.sets;
  }

  /** Grows with every record. */
  get writes(): number {
    return this.#records.writes;
  }

  get places(): Places {
    return this.#records.places;
  }

  /** How long reads from the files take. */
  get pace(): ReadPace {
    return this.#records.pace;
  }

  /** Resolves when the files contain all figures that this server knows of. */
  get figuresWritten(): Promise<unknown> {
    return this.#records.figures.written;
  }

  /** The folder of the files; undefined if there are none. */
  get folder(): string | undefined {
    return this.#opened?.folder;
  }

  /** Only while it is open. */
  get tasks(): PreparingTasks | undefined {
    return this.#opened?.tasks;
  }

  /** The project with this id, if it is public and was prepared since it last changed. */
  peek(id: string): PreparedProject | undefined {
    const slot = this.places.find(id);
    return slot === undefined ? undefined : this.peekAt(slot);
  }

  /** The same by its number in the hash index; null if the project is not public. */
  peekNumbered(number: number): PreparedProject | null | undefined {
    if (!this.#opened) return undefined;
    const slot = this.#records.files.slotOf(number);
    return this.peekAt(slot) ?? (this.places.isHidden(slot) ? null : undefined);
  }

  peekAt(slot: number): PreparedProject | undefined {
    return this.#opened && this.#resources.changeLog.isFollowing ? this.#records.read(slot) : undefined;
  }

  /** The core of a public project that was prepared since it last changed, if it is in the files. */
  coreAt(slot: number): CoreSource | undefined {
    const record = this.files && this.places.openCurrent(slot);
    return record && { slot, record, headerLength: this.places.headerLengthOf(slot) };
  }

  /** Undefined while prepared projects cannot be used. */
  get files(): PreparedFiles | undefined {
    return this.#opened && this.#resources.changeLog.isFollowing ? this.#records.files : undefined;
  }

  /** The public projects among these; those that were not prepared since they last changed are prepared now. */
  async load(ids: readonly string[]): Promise<Map<string, PreparedProject>> {
    const found = new Map<string, PreparedProject>();
    const missing: string[] = [];
    for (const id of ids) {
      const known = this.peek(id);
      if (known) found.set(id, known);
      else if (!this.places.isHidden(this.places.find(id) ?? -1)) missing.push(id);
    }
    if (missing.length === 0 || !this.#opened) return found;
    for (const [index, project] of (await this.#builds.wait(missing)).entries())
      if (project) found.set(missing[index]!, project);
    return found;
  }

  /**
   * These projects will change soon. The thread that will prepare them has ended if it was idle, and starting it takes longer
   * than preparing: requests for the projects would wait for both.
   */
  expectChange(ids: readonly string[]): void {
    if (!this.#opened?.tasks.isStarted) this.#wake(ids, false);
  }

  /** Projects have changed, and are prepared when they are requested: the threads for it should run by then. */
  #expectRequests(haveNewTexts: boolean): void {
    const { tasks } = this.#opened!;
    const now = this.#resources.clock.now();
    const isTextExpected = haveNewTexts && Math.abs(now - this.#textsExpectedAt) >= expectTextsEveryMs;
    if (!tasks.ownsFiles || (tasks.isStarted && !isTextExpected)) return;
    if (haveNewTexts) this.#textsExpectedAt = now;
    this.#wake([], haveNewTexts);
  }

  #wake(ids: readonly string[], haveNewTexts: boolean): void {
    // If this fails, so does preparing, which says why.
    this.#opened?.tasks
      .wake({ ...this.#toInput(ids), touched: ids.map(() => []) }, haveNewTexts)
      .catch(() => undefined);
  }

  /** Changes numbers, in memory and in the files. */
  figuresChanged(changed: readonly FiguresChange[]): void {
    if (!this.#opened) return;
    const changes = changed.flatMap((figures) => {
      this.#builds.noteFigures(figures);
      return this.#records.setFigures(figures);
    });
    this.#records.figures.write(changed, changes, this.#opened.tasks);
  }

  /** Moves records to another file. */
  async move(records: readonly { id: string; place: Place }[]): Promise<void> {
    if (!this.#opened) return;
    const late = this.#records.figures.beginMove();
    try {
      const moved = await this.#opened.tasks.move(records);
      this.moved(moved);
      this.listener?.moved(moved);
    } finally {
      this.#records.figures.endMove();
    }
    this.figuresChanged(late);
  }

  /** Notes that records were moved. */
  moved(records: readonly Moved[]): void {
    this.#records.moved(records);
  }

  removeSegment(segment: number): void {
    this.#records.removeSegment(segment);
    this.listener?.removed(segment);
  }

  /** Uses a record that another process has stored. */
  adopt(id: string, place: Stored): void {
    this.#records.adopt(id, place);
    this.#touched.forget(id);
  }

  /** Writes down what is stale. */
  async noteStale(): Promise<void> {
    await this.#stale.write(this.#opened?.tasks);
  }

  apply({ kind, id, seq, versions }: Change): void {
    if (!this.#opened) return;
    if (kind === "project") {
      if (this.#setStale(id, seq, versions)) this.#expectRequests(versions === undefined);
      this.#builds.setDirty(id);
    } else if (kind === "user" || kind === "organization") {
      const named = this.#records.naming(id);
      for (const project of named) this.#setStale(project, seq);
      if (named.length > 0) this.#expectRequests(false);
      this.#builds.setDirty();
    } else if (kind === "taxonomy") {
      this.#records.forgetKept();
      this.#touched.forgetAll();
      this.places.setAllStale(seq);
      this.#stale.add(everyProject, seq);
      this.#builds.setDirty();
      this.#opened.tasks.forgetTaxonomy().catch(() => undefined);
      this.#opened.spare.forgetTaxonomy().catch(() => undefined);
    }
  }

  /** Returns whether the project must be prepared before it is used. */
  #setStale(id: string, since: number, versions?: readonly string[]): boolean {
    const wasCurrent = this.places.current(this.places.find(id) ?? -1) !== undefined;
    if (!this.#records.setStale(id, since)) return false;
    this.#touched.note(id, versions, wasCurrent);
    this.#stale.add(id, since);
    return true;
  }

  /** A record may have been stored that is not used: the journal must not offer it at the next start. */
  #disown(id: string): void {
    this.#stale.add(id, this.#resources.changeLog.position + 1);
  }

  async #prepare(ids: readonly string[]): Promise<(Prepared | undefined)[]> {
    const { tasks, spare } = this.#opened!;
    const input = this.#toInput(ids);
    try {
      return await tasks.prepare(input);
    } catch (error) {
      this.#resources.log.warn({ err: error }, "Answers could not be prepared in the thread; they are prepared here");
      for (const id of ids) this.#disown(id);
      return spare.prepare(input);
    }
  }

  #toInput(ids: readonly string[]): PrepareInput {
    const before = ids.map((id) => this.places.any(id));
    const touched = ids.map((id) => this.#touched.get(id));
    return { ids, builtAt: this.#resources.changeLog.position, before, touched };
  }

  #finish(id: string, made: Prepared | undefined): PreparedProject | undefined {
    const project = this.#records.accept(id, made);
    this.#touched.forget(id);
    if (made && "place" in made) this.listener?.stored(id, made.place);
    return project;
  }
}

export const preparedOf = perServer((resources: Resources) => new PreparedCatalog(resources));
