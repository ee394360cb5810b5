// The records of prepared projects that this server knows, and everything that depends on where they are: projects in memory,
// the places of versions in the hash index (prepared-files.ts), figures that are not written yet, and names.

import { fingerprintKeyOf } from "#content/hashes/fingerprint-secret.js";
import { hashIndexOf } from "#content/hashes/hash-index.js";
import { namesIn } from "#content/records/answers-store.js";
import type { FiguresChange } from "#content/records/figures.js";
import type { Stored } from "#content/records/journal.js";
import { OfferedSets } from "#content/records/offered-sets.js";
import { openRecord, PreparedProject } from "#content/records/prepared-project.js";
import type { Moved, Prepared } from "#content/records/preparing-tasks.js";
import type { Resources } from "#platform/http/resources.js";
import { BlockCache } from "./block-cache.js";
import { Dependents } from "./dependents.js";
import { KeptProjects } from "./kept-projects.js";
import { Places } from "./places.js";
import { PreparedFiles } from "./prepared-files.js";
import { ReadPace } from "./read-pace.js";
import { type RecordFigure, UnwrittenFigures } from "./unwritten-figures.js";

export class KnownRecords {
  readonly sets = new OfferedSets();
  readonly places: Places;
  readonly files: PreparedFiles;
  readonly figures: UnwrittenFigures;
  readonly pace: ReadPace;
  /** Grows with every record. */
  writes = 0;
  readonly #resources: Resources;
  readonly #kept: KeptProjects;
  #dependents: Dependents;

  constructor(resources: Resources) {
    this.#resources = resources;
    this.#kept = new KeptProjects(resources);
    this.#dependents = new Dependents(fingerprintKeyOf(resources));
    this.figures = new UnwrittenFigures(resources.log);
    this.pace = new ReadPace(resources.clock);
    const onFailure = (slot: number, error: unknown) => this.#dropDamaged(slot, error);
    this.places = new Places("", fingerprintKeyOf(resources), {
      events: { onFailure, onHold: (slot, record) => this.#kept.update(slot, record) },
      blocks: new BlockCache(resources),
      unwritten: this.figures,
      pace: this.pace,
    });
    this.files = new PreparedFiles(hashIndexOf(resources), this.places, this.sets, onFailure);
  }

  /** Bytes of the tables that hold something about every project. */
  get bytes(): number {
    return this.places.bytes + this.files.bytes + this.#dependents.bytes;
  }

  /** From now on the records are those in another folder. */
  open(folder: string, places: Iterable<[id: string, place: Stored]>): void {
    this.forgetKept();
    this.places.reset(folder);
    this.files.reset();
    this.#dependents = new Dependents(fingerprintKeyOf(this.#resources));
    for (const [id, place] of places) this.#putIfThere(id, place);
    this.figures.renewAll((figures) => this.setFigures(figures));
  }

  /** The project at this slot, from memory or from its current record. */
  read(slot: number): PreparedProject | undefined {
    const known = this.#kept.get(slot);
    if (known) return known;
    const place = this.places.current(slot);
    if (!place) return undefined;
    try {
      // A part of a buffer that others share is enough for a project that is used only now.
      if (!this.#kept.wants(slot, place.headerLength)) return this.files.readAt(slot, place, Buffer.allocUnsafe);
      return this.#kept.keep(slot, this.files.readAt(slot, place));
    } catch (error) {
      this.#dropDamaged(slot, error);
      return undefined;
    }
  }

  /** Uses a result of preparing; it is undefined if the project is not public. */
  accept(id: string, made: Prepared | undefined): PreparedProject | undefined {
    const slot = this.places.slotOf(id);
    const before = this.places.any(id);
    if (!made) {
      this.files.forget(slot, before);
      this.places.setHidden(id);
      return undefined;
    }
    if ("record" in made) {
      this.files.forget(slot, before);
      const { buffer, byteOffset, length } = made.record;
      const project = openRecord(Buffer.from(buffer, byteOffset, length));
      this.#dependents.add(namesIn(project.details), slot);
      return this.#kept.keep(slot, project);
    }
    const { place, header } = made;
    // Another record may be in memory, which must not get the figures of this one.
    this.#kept.delete(slot);
    this.files.replace(slot, before, () => this.#put(id, place));
    const source = this.places.open(slot, place);
    const project = new PreparedProject(Buffer.from(header.buffer, header.byteOffset, header.length), source);
    this.#kept.keep(slot, project);
    this.#renewFigures(id);
    return project;
  }

  /** Uses a record that another process has stored. */
  adopt(id: string, place: Stored): void {
    const slot = this.places.slotOf(id);
    const known = this.places.current(slot);
    if (known?.segment === place.segment && known.offset === place.offset) return;
    this.#kept.delete(slot);
    this.files.replace(slot, this.places.any(id), () => this.#putIfThere(id, place));
    this.#renewFigures(id);
  }

  /** Notes that records were moved. Their bytes are the same, so the index of hashes still has the right places in them. */
  moved(records: readonly Moved[]): void {
    for (const { id, from, to } of records) {
      const slot = this.places.slotOf(id);
      this.#kept.delete(slot);
      try {
        this.places.move(id, from, to);
        this.#renewFigures(id);
      } catch (error) {
        this.#dropDamaged(slot, error);
      }
    }
  }

  /** Records that are still in the segment are not used any more. */
  removeSegment(segment: number): void {
    for (const { id, place } of this.places.recordsIn(segment)) {
      const slot = this.places.slotOf(id);
      this.#kept.delete(slot);
      this.files.forget(slot, place);
      this.places.drop(id);
    }
    this.places.removeSegment(segment);
  }

  /** Returns false if the record is newer than this change. */
  setStale(id: string, since: number): boolean {
    if (!this.places.setStale(id, since)) return false;
    const slot = this.places.find(id);
    if (slot !== undefined) this.#kept.delete(slot);
    return true;
  }

  /** The projects that may name a user or an organization. */
  naming(id: string): string[] {
    return this.#dependents.find(id).map((slot) => this.places.idOf(slot));
  }

  forgetKept(): void {
    for (let slot = 0; slot < this.places.count; slot++) this.#kept.delete(slot);
  }

  /** Changes numbers in memory, and says where they are in the current record. */
  setFigures(figures: FiguresChange): RecordFigure[] {
    const slot = this.places.find(figures.projectId) ?? -1;
    let changes: RecordFigure[] = [];
    const set = (project: PreparedProject) => {
      changes = this.places.figuresAt(slot, project.setFigures(figures));
    };
    const known = this.#kept.get(slot);
    if (!known) this.files.withProject(slot, set);
    else
      try {
        set(known);
      } catch (error) {
        this.#dropDamaged(slot, error);
      }
    return changes;
  }

  /** A record could not be read. It is prepared again when it is needed. */
  #dropDamaged(slot: number, error: unknown): void {
    const id = this.places.idOf(slot);
    if (!this.places.any(id)) return;
    this.#resources.log.warn({ err: error, project: id }, "A prepared answer could not be read; it is prepared again");
    this.#kept.delete(slot);
    this.files.forget(slot, undefined);
    this.places.drop(id);
  }

  /** Another process may have removed the file since it told the place. */
  #putIfThere(id: string, place: Stored): void {
    try {
      this.#put(id, place);
    } catch {
      this.places.drop(id);
    }
  }

  #put(id: string, place: Stored): void {
    this.writes++;
    this.#dependents.add(place.dependsOn, this.places.put(id, place));
  }

  /** Figures that are not written yet concern a record at another place now. */
  #renewFigures(id: string): void {
    this.figures.renew(id, (figures) => this.setFigures(figures));
  }
}
