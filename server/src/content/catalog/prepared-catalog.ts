// The prepared projects of this server: cores that are used often are in memory, everything else is in files. A project
// is stale from the moment when the change log names it, or a user or organization that it depends on; then it is
// prepared again before it is used. So every answer contains all changes that this server knows of.
import { type CacheFigures, indexFigures } from "#platform/changes/cache.js";
import type { Change } from "#platform/changes/change-log.js";
import { perServer } from "#platform/changes/server-memory.js";
import type { Resources } from "#platform/http/resources.js";
import { BlockCache } from "./block-cache.js";
import { type Build, newBuild } from "./builds.js";
import { Dependents } from "./dependents.js";
import { type FiguresChange, figuresOf } from "./figures.js";
import { fingerprintKeyOf } from "./fingerprint-secret.js";
import { hashIndexOf } from "./hash-index.js";
import { everyProject, type Place, type Stored } from "./journal.js";
import { KeptProjects } from "./kept-projects.js";
import { OfferedSets } from "./offered-sets.js";
import { Places } from "./places.js";
import { PreparedFiles } from "./prepared-files.js";
import { openRecord, PreparedProject } from "./prepared-project.js";
import type { OpenedFiles, Prepared, PreparingTasks } from "./preparing-tasks.js";
import type { RecordSource } from "./record-source.js";
import { StaleNotes } from "./stale-notes.js";
import { toRecordFigure } from "./stored-record.js";
import { type RecordFigure, UnwrittenFigures } from "./unwritten-figures.js";

/** A project that changes faster than it can be prepared is refused after this many tries. */
const mostTries = 10;

export class PreparedCatalog {
  readonly sets = new OfferedSets();
  /** Some figures are outdated, and it is not known which (prepared-upkeep.ts reads all of them again). */
  hasLostFigures = false;
  readonly #resources: Resources;
  readonly #kept: KeptProjects;
  readonly #building = new Map<string, Build>();
  readonly #dependents: Dependents;
  readonly #figures: UnwrittenFigures;
  readonly #blocks: BlockCache;
  #places: Places;
  #files: PreparedFiles;
  #opened: Omit<OpenedFiles, "content"> | undefined;
  #writes = 0;
  readonly #stale = new StaleNotes();

  constructor(resources: Resources) {
    this.#resources = resources;
    this.#kept = new KeptProjects(resources);
    this.#blocks = new BlockCache(resources);
    this.#dependents = new Dependents(fingerprintKeyOf(resources));
    this.#figures = new UnwrittenFigures(resources.log);
    [this.#places, this.#files] = this.#openPlaces("");
    resources.memory.showIndex(this);
    resources.changeLog.subscribe((change) => this.apply(change));
    figuresOf(resources).subscribe({
      figuresChanged: (changes) => this.figuresChanged(changes),
      figuresLost: () => {
        this.hasLostFigures = true;
      },
    });
  }

  /** From now on projects can be used. The change log is followed already. */
  open({ content, ...opened }: OpenedFiles): void {
    this.#opened = opened;
    [this.#places, this.#files] = this.#openPlaces(opened.folder ?? "");
    for (const [id, place] of content?.places ?? []) this.#put(id, place);
  }

  #openPlaces(folder: string): [Places, PreparedFiles] {
    const onFailure = (slot: number, error: unknown) => this.#dropDamaged(slot, error);
    const onHold = (slot: number, record: RecordSource) => this.#kept.update(slot, record);
    const [events, blocks, unwritten] = [{ onFailure, onHold }, this.#blocks, this.#figures];
    const places = new Places(folder, fingerprintKeyOf(this.#resources), { events, blocks, unwritten });
    return [places, new PreparedFiles(hashIndexOf(this.#resources), places, this.sets, onFailure)];
  }

  close(): void {
    this.#opened = undefined;
    this.#places.close();
  }

  /** Bytes of the tables that hold something about every project. */
  get bytes(): number {
    return this.#places.bytes + this.#files.bytes + this.#dependents.bytes;
  }

  figures = (): CacheFigures => indexFigures("preparedIndex", this.bytes, this.#places.count);

  /** Grows with every record. */
  get writes(): number {
    return this.#writes;
  }

  get places(): Places {
    return this.#places;
  }

  /** Only while it is open. */
  get tasks(): PreparingTasks | undefined {
    return this.#opened?.tasks;
  }

  /** The project with this id, if it is public and was prepared since it last changed. */
  peek(id: string): PreparedProject | undefined {
    const slot = this.#places.find(id);
    return slot === undefined ? undefined : this.peekAt(slot);
  }

  /** The same by its number in the hash index; null if the project is not public. */
  peekNumbered(number: number): PreparedProject | null | undefined {
    if (!this.#opened) return undefined;
    const slot = this.#files.slotOf(number);
    return this.peekAt(slot) ?? (this.#places.isHidden(slot) ? null : undefined);
  }

  /** Undefined while prepared projects cannot be used. */
  get files(): PreparedFiles | undefined {
    return this.#opened && this.#resources.changeLog.isFollowing ? this.#files : undefined;
  }

  peekAt(slot: number): PreparedProject | undefined {
    if (!this.#opened || !this.#resources.changeLog.isFollowing) return undefined;
    const known = this.#kept.get(slot);
    if (known) return known;
    const place = this.#places.current(slot);
    if (!place) return undefined;
    try {
      return this.#kept.keep(slot, this.#files.readAt(slot, place));
    } catch (error) {
      this.#dropDamaged(slot, error);
      return undefined;
    }
  }

  /** The public projects among these; those that were not prepared since they last changed are prepared now. */
  async load(ids: readonly string[]): Promise<Map<string, PreparedProject>> {
    const found = new Map<string, PreparedProject>();
    const missing: string[] = [];
    for (const id of ids) {
      const known = this.peek(id);
      if (known) found.set(id, known);
      else if (!this.#places.isHidden(this.#places.find(id) ?? -1)) missing.push(id);
    }
    if (missing.length === 0 || !this.#opened) return found;
    const started = missing.filter((id) => !this.#building.has(id));
    this.#build([...new Set(started)]);
    await Promise.all(
      missing.map(async (id) => {
        const project = await this.#building.get(id)!.promise;
        if (project) found.set(id, project);
      }),
    );
    return found;
  }

  /** Changes numbers, in memory and in the files. */
  figuresChanged(changed: readonly FiguresChange[]): void {
    if (!this.#opened) return;
    const changes: RecordFigure[] = [];
    for (const figures of changed) {
      const id = figures.projectId;
      this.#building.get(id)?.figures.push(figures);
      const place = this.#places.current(this.#places.find(id) ?? -1);
      const values = this.peek(id)?.setFigures(figures) ?? [];
      if (place) changes.push(...values.map((value) => toRecordFigure(place, value)));
    }
    this.#figures.write(changed, changes, this.#opened.tasks);
  }

  /** Moves records to another file. */
  async move(records: readonly { id: string; place: Place }[]): Promise<void> {
    if (!this.#opened) return;
    const late = this.#figures.beginMove();
    try {
      for (const { id, from, to } of await this.#opened.tasks.move(records)) {
        this.#kept.delete(this.#places.slotOf(id));
        this.#places.move(id, from, to);
      }
    } finally {
      this.#figures.endMove();
    }
    this.figuresChanged(late);
  }

  /** Writes down what is stale. */
  async noteStale(): Promise<void> {
    await this.#stale.write(this.#opened?.tasks);
  }

  apply({ kind, id, seq }: Change): void {
    if (!this.#opened) return;
    if (kind === "project") {
      this.#setStale(id, seq);
      const build = this.#building.get(id);
      if (build) build.isDirty = true;
    } else if (kind === "user" || kind === "organization") {
      for (const slot of this.#dependents.find(id)) this.#setStale(this.#places.idOf(slot), seq);
      for (const build of this.#building.values()) build.isDirty = true;
    } else if (kind === "taxonomy") {
      for (let slot = 0; slot < this.#places.count; slot++) this.#kept.delete(slot);
      this.#places.setAllStale();
      this.#stale.add(everyProject, seq);
      for (const build of this.#building.values()) build.isDirty = true;
      this.#opened?.tasks.forgetTaxonomy().catch(() => undefined);
      this.#opened?.spare.forgetTaxonomy().catch(() => undefined);
    }
  }

  #setStale(id: string, since: number): void {
    const slot = this.#places.find(id);
    if (slot !== undefined) this.#kept.delete(slot);
    this.#places.setStale(id);
    this.#stale.add(id, since);
  }

  /** A record may have been stored that is not used: the journal must not offer it at the next start. */
  #disown(id: string): void {
    this.#stale.add(id, this.#resources.changeLog.position + 1);
  }

  #build(ids: readonly string[]): void {
    for (const id of ids) this.#building.set(id, newBuild());
    if (ids.length > 0) void this.#prepare(ids);
  }

  async #prepare(ids: readonly string[]): Promise<void> {
    let left = ids;
    let failure: unknown = new Error("The projects change faster than they can be prepared");
    try {
      for (let tries = 0; left.length > 0 && tries < mostTries; tries++) {
        const builds = left.map((id) => this.#building.get(id)!);
        for (const build of builds) Object.assign(build, { isDirty: false, figures: [] });
        const builtAt = this.#resources.changeLog.position;
        const before = left.map((id) => this.#places.any(id));
        const made = await this.#perform({ ids: left, builtAt, before });
        left = left.filter((id, index) => {
          const build = builds[index]!;
          if (build.isDirty) this.#disown(id);
          else this.#finish(id, build, made[index]);
          return build.isDirty;
        });
      }
    } catch (error) {
      failure = error;
    }
    for (const id of left) {
      this.#building.get(id)?.reject(failure);
      this.#building.delete(id);
    }
  }

  async #perform(input: Parameters<PreparingTasks["prepare"]>[0]): Promise<(Prepared | undefined)[]> {
    const { tasks, spare } = this.#opened!;
    try {
      return await tasks.prepare(input);
    } catch (error) {
      this.#resources.log.warn({ err: error }, "Answers could not be prepared in the thread; they are prepared here");
      for (const id of input.ids) this.#disown(id);
      return spare.prepare(input);
    }
  }

  #finish(id: string, build: Build, made: Prepared | undefined): void {
    this.#building.delete(id);
    this.#files.forget(this.#places.slotOf(id), this.#places.any(id));
    if (!made) this.#places.setHidden(id);
    build.resolve(made && this.#kept.keep(this.#places.slotOf(id), this.#accept(id, made)));
    if (build.figures.length > 0) this.figuresChanged(build.figures);
  }

  #accept(id: string, made: Prepared): PreparedProject {
    if ("record" in made)
      return openRecord(Buffer.from(made.record.buffer, made.record.byteOffset, made.record.length));
    const { place, header } = made;
    this.#put(id, place);
    this.#files.learn(this.#places.slotOf(id));
    const source = this.#places.open(this.#places.slotOf(id), place);
    return new PreparedProject(Buffer.from(header.buffer, header.byteOffset, header.length), source);
  }

  /** A record could not be read. It is prepared again when it is needed. */
  #dropDamaged(slot: number, error: unknown): void {
    const id = this.#places.idOf(slot);
    if (!this.#places.any(id)) return;
    this.#resources.log.warn({ err: error, project: id }, "A prepared answer could not be read; it is prepared again");
    this.#kept.delete(slot);
    this.#files.forget(slot, undefined);
    this.#places.drop(id);
  }

  #put(id: string, place: Stored): void {
    this.#writes++;
    this.#dependents.add(place.dependsOn, this.#places.put(id, place));
  }
}

export const preparedOf = perServer((resources: Resources) => new PreparedCatalog(resources));
