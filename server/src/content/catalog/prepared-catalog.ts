// The prepared projects of this server: headers that are used often are in memory, everything else is in files. A project
// is stale from the moment when the change log names it, or a user or organization that it depends on; then it is
// prepared again before it is used. So every answer contains all changes that this server knows of.
import type { FingerprintKey } from "#lib/fingerprint-key.js";
import { FingerprintTable } from "#lib/fingerprint-table.js";
import type { Change } from "#platform/changes/change-log.js";
import { perServer } from "#platform/changes/server-memory.js";
import type { Resources } from "#platform/http/resources.js";
import type { FigureChange } from "./answers-store.js";
import { type FiguresChange, figuresOf } from "./figures.js";
import { fingerprintKeyOf } from "./fingerprint-secret.js";
import { hashIndexOf } from "./hash-index.js";
import { everyProject, type Place, type Stored } from "./journal.js";
import { KeptProjects } from "./kept-projects.js";
import { NumberedSlots } from "./numbered-slots.js";
import { OfferedSets } from "./offered-sets.js";
import { Places } from "./places.js";
import { openRecord, PreparedProject } from "./prepared-project.js";
import type { Moved, OpenedFiles, Prepared, PreparingTasks, RecordsListener } from "./preparing-tasks.js";
import { ProjectBuilds } from "./project-builds.js";
import { UnwrittenFigures } from "./unwritten-figures.js";

export class PreparedCatalog {
  readonly sets = new OfferedSets();
  /** Some figures are outdated, and it is not known which (prepared-upkeep.ts reads all of them again). */
  hasLostFigures = false;
  /** It tells the other workers (record-sharing.ts). */
  listener: RecordsListener | undefined;
  readonly #resources: Resources;
  readonly #kept: KeptProjects;
  readonly #builds = new ProjectBuilds({
    prepare: (ids) => this.#prepare(ids),
    finish: (id, made) => this.#finish(id, made),
    disown: (id) => this.#disown(id),
    figuresChanged: (figures) => this.figuresChanged(figures),
  });
  /** From users and organizations to the projects that depend on them; it may name more. */
  readonly #dependents = new FingerprintTable();
  readonly #key: FingerprintKey;
  readonly #figures: UnwrittenFigures;
  readonly #places = new Places("");
  #numberedSlots: NumberedSlots | undefined;
  #opened: OpenedFiles | undefined;
  #writes = 0;
  #unnoted: string[] = [];
  #unnotedSince = 0;

  constructor(resources: Resources) {
    this.#resources = resources;
    this.#kept = new KeptProjects(resources, (slot, error) => this.#dropDamaged(slot, error));
    this.#key = fingerprintKeyOf(resources);
    this.#figures = new UnwrittenFigures(resources.log);
    resources.changeLog.subscribe((change) => this.apply(change));
    figuresOf(resources).subscribe({
      figuresChanged: (changes) => this.figuresChanged(changes),
      figuresLost: () => {
        this.hasLostFigures = true;
      },
    });
  }

  /** From now on projects can be used; if it is open, with other files. The change log is followed already. */
  open(opened: OpenedFiles): void {
    this.#opened = opened;
    this.#forgetKept();
    this.#places.reset(opened.folder ?? "");
    const index = hashIndexOf(this.#resources);
    this.#numberedSlots ??= new NumberedSlots((number) => this.#places.slotOf(index.idOf(number)));
    for (const [id, place] of opened.content?.places ?? []) this.adopt(id, place);
  }

  close(): void {
    this.#opened = undefined;
    this.#numberedSlots = undefined;
    this.#places.close();
  }

  /** Grows with every record. */
  get writes(): number {
    return this.#writes;
  }

  get places(): Places {
    return this.#places;
  }

  /** Resolves when the files contain all figures that this server knows of. */
  get figuresWritten(): Promise<unknown> {
    return this.#figures.written;
  }

  /** Only while it is open. */
  get tasks(): PreparingTasks | undefined {
    return this.#opened?.tasks;
  }

  /** The project with this id, if it is public and was prepared since it last changed. */
  peek(id: string): PreparedProject | undefined {
    const slot = this.#places.find(id);
    return slot === undefined ? undefined : this.#peekAt(slot);
  }

  /** The same by its number in the hash index; null if the project is not public. */
  peekNumbered(number: number): PreparedProject | null | undefined {
    if (!this.#opened) return undefined;
    const slot = this.#numberedSlots!.get(number);
    return this.#peekAt(slot) ?? (this.#places.isHidden(slot) ? null : undefined);
  }

  #peekAt(slot: number): PreparedProject | undefined {
    if (!this.#opened || !this.#resources.changeLog.isFollowing) return undefined;
    const known = this.#kept.get(slot);
    if (known) return known;
    const place = this.#places.current(slot);
    if (!place) return undefined;
    const id = this.#places.ids[slot]!;
    try {
      const project = this.#kept.read(this.#places, slot, place);
      for (const figures of this.#figures.of(id)) project.setFigures(figures);
      return this.#kept.keep(slot, project);
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
    for (const [index, project] of (await this.#builds.wait(missing)).entries())
      if (project) found.set(missing[index]!, project);
    return found;
  }

  /** Changes numbers, in memory and in the files. */
  figuresChanged(changed: readonly FiguresChange[]): void {
    if (!this.#opened) return;
    const changes: FigureChange[] = [];
    for (const figures of changed) {
      const id = figures.projectId;
      this.#builds.noteFigures(figures);
      const place = this.#places.current(this.#places.find(id) ?? -1);
      const values = this.peek(id)?.setFigures(figures) ?? [];
      if (!place) continue;
      for (const { at, value } of values) changes.push({ segment: place.segment, position: place.offset + at, value });
    }
    this.#figures.write(changed, changes, this.#opened.tasks);
  }

  /** Moves records to another file. */
  async move(records: readonly { id: string; place: Place }[]): Promise<void> {
    if (!this.#opened) return;
    const late = this.#figures.beginMove();
    try {
      const moved = await this.#opened.tasks.move(records);
      this.moved(moved);
      this.listener?.moved(moved);
    } finally {
      this.#figures.endMove();
    }
    this.figuresChanged(late);
  }

  /** Notes that records were moved. */
  moved(records: readonly Moved[]): void {
    for (const { id, from, to } of records) {
      this.#kept.delete(this.#places.slotOf(id));
      this.#places.move(id, from, to);
    }
  }

  removeSegment(segment: number): void {
    this.#places.removeSegment(segment);
    this.listener?.removed(segment);
  }

  /** Writes down what is stale. */
  async noteStale(): Promise<void> {
    const ids = this.#unnoted.splice(0);
    if (ids.length > 0) await this.#opened?.tasks.noteStale(ids, this.#unnotedSince);
  }

  apply({ kind, id, seq }: Change): void {
    if (!this.#opened) return;
    if (kind === "project") {
      this.#setStale(id, seq);
      this.#builds.setDirty(id);
    } else if (kind === "user" || kind === "organization") {
      this.#key.readText(id);
      for (const slot of this.#dependents.find(this.#key.high, this.#key.low))
        this.#setStale(this.#places.ids[slot]!, seq);
      this.#builds.setDirty();
    } else if (kind === "taxonomy") {
      this.#forgetKept();
      this.#places.setAllStale();
      this.#note(everyProject, seq);
      this.#builds.setDirty();
      this.#opened?.tasks.forgetTaxonomy().catch(() => undefined);
      this.#opened?.spare.forgetTaxonomy().catch(() => undefined);
    }
  }

  #setStale(id: string, since: number): void {
    const slot = this.#places.find(id);
    // Another process may have read the change earlier, and prepared the project since.
    if (slot !== undefined && (this.#places.current(slot)?.builtAt ?? -1) >= since) return;
    if (slot !== undefined) this.#kept.delete(slot);
    this.#places.setStale(id);
    this.#note(id, since);
  }

  #note(id: string, since: number): void {
    this.#unnoted.push(id);
    this.#unnotedSince = since;
  }

  /** A record may have been stored that is not used: the journal must not offer it at the next start. */
  #disown(id: string): void {
    this.#note(id, this.#resources.changeLog.position + 1);
  }

  async #prepare(ids: readonly string[]): Promise<(Prepared | undefined)[]> {
    const { tasks, spare } = this.#opened!;
    const builtAt = this.#resources.changeLog.position;
    const input = { ids, builtAt, before: ids.map((id) => this.#places.any(id)) };
    try {
      return await tasks.prepare(input);
    } catch (error) {
      this.#resources.log.warn({ err: error }, "Answers could not be prepared in the thread; they are prepared here");
      for (const id of ids) this.#disown(id);
      return spare.prepare(input);
    }
  }

  #finish(id: string, made: Prepared | undefined): PreparedProject | undefined {
    if (!made) this.#places.setHidden(id);
    return made && this.#kept.keep(this.#places.slotOf(id), this.#accept(id, made));
  }

  #accept(id: string, made: Prepared): PreparedProject {
    if ("record" in made)
      return openRecord(Buffer.from(made.record.buffer, made.record.byteOffset, made.record.length));
    const { place, header } = made;
    this.#put(id, place);
    this.listener?.stored(id, place);
    const source = this.#kept.open(this.#places, this.#places.slotOf(id), place);
    return new PreparedProject(Buffer.from(header.buffer, header.byteOffset, header.length), source);
  }

  /** A record could not be read. It is prepared again when it is needed. */
  #dropDamaged(slot: number, error: unknown): void {
    const id = this.#places.ids[slot]!;
    this.#resources.log.warn({ err: error, project: id }, "A prepared answer could not be read; it is prepared again");
    this.#kept.delete(slot);
    this.#places.drop(id);
  }

  /** Uses a record that another process has stored, or an earlier run. */
  adopt(id: string, place: Stored): void {
    const known = this.#places.current(this.#places.slotOf(id));
    if (known?.segment === place.segment && known.offset === place.offset) return;
    this.#kept.delete(this.#places.slotOf(id));
    try {
      this.#put(id, place);
    } catch {
      // Its file was removed since.
      this.#places.drop(id);
    }
  }

  #forgetKept(): void {
    for (const slot of this.#places.ids.keys()) this.#kept.delete(slot);
  }

  #put(id: string, place: Stored): void {
    this.#writes++;
    this.#places.put(id, place);
    for (const name of place.dependsOn) {
      this.#key.readText(name);
      this.#dependents.add(this.#key.high, this.#key.low, this.#places.slotOf(id));
    }
  }
}

export const preparedOf = perServer((resources: Resources) => new PreparedCatalog(resources));
