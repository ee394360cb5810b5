// The workers of a server share the files with prepared projects: the first worker prepares and writes them, the others read
// them (followed-records.ts). This is the part of the first worker. It answers the questions of the others, and
// tells them where it has stored records.

import { figuresOf } from "#content/records/figures.js";
import type { Place, Stored } from "#content/records/journal.js";
import type { Moved, RecordsListener } from "#content/records/preparing-tasks.js";
import { newId } from "#lib/random.js";
import { Rounds } from "#lib/rounds.js";
import type { Resources } from "#platform/http/resources.js";
import type { PreparedCatalog } from "./prepared-catalog.js";

export type Question =
  | { ask: "open" }
  /** These projects will change soon. */
  | { ask: "wake"; ids: readonly string[] }
  /** `position`: the changes up to this one must be in the answer. */
  | { ask: "prepare"; ids: readonly string[]; position: number }
  /** Answered when the figures that were known at this position are in the files; false if some of them are lost. */
  | { ask: "writtenFigures"; position: number }
  | { ask: "readFigures"; ids: readonly string[] };

/** Identifies a state of the files: numbers of segments mean others after a restart of the first worker. */
export interface FilesState {
  run: string;
  /** How many news were told before. */
  told: number;
}

/** Without a folder, records are in the memory of the first worker only. */
export type Opening = FilesState & { folder: string | undefined };
/** Where the records are; null for projects that are not public. */
export type PreparedPlaces = FilesState & { places: (Place | null)[] };

/** `told` counts these news. */
export interface News extends FilesState {
  /** The position of the change log at which the stored records were current. */
  position: number;
  stored: [id: string, place: Stored][];
  moved: Moved[];
  removed: number[];
}

const mostTries = 3;

export class RecordSharing implements RecordsListener {
  readonly #resources: Resources;
  readonly #catalog: PreparedCatalog;
  readonly #folder: string | undefined;
  readonly #run: string;
  readonly #telling = new Rounds(() => this.#tell());
  #told = 0;
  #stored = new Map<string, Stored>();
  #moved: Moved[] = [];
  #removed: number[] = [];

  /** The catalogue is open. */
  constructor(resources: Resources, catalog: PreparedCatalog, folder: string | undefined) {
    this.#resources = resources;
    this.#catalog = catalog;
    this.#folder = folder;
    this.#run = newId(resources.random);
    catalog.listener = this;
    resources.peers.serve((question) => this.#answer(question as Question));
  }

  stored(id: string, place: Stored): void {
    this.#stored.set(id, place);
    void this.#telling.next();
  }

  moved(records: readonly Moved[]): void {
    this.#moved.push(...records);
    void this.#telling.next();
  }

  removed(segment: number): void {
    this.#removed.push(segment);
    void this.#telling.next();
  }

  async #tell(): Promise<void> {
    // Figures that have changed while a record was prepared or moved are written right after this was called.
    await Promise.resolve();
    const [candidates, moved, removed] = [this.#stored, this.#moved, this.#removed];
    this.#stored = new Map();
    [this.#moved, this.#removed] = [[], []];
    // The others read figures from the files. Records that are stored in the time until then are told later.
    await this.#catalog.figuresWritten;
    const stored = [...candidates].filter(([id, place]) => isSame(this.#placeOf(id), place));
    if (stored.length + moved.length + removed.length === 0) return;
    this.#told++;
    const { position } = this.#resources.changeLog;
    this.#resources.peers.tellOthers({ ...this.#state, position, stored, moved, removed } satisfies News);
  }

  get #state(): FilesState {
    return { run: this.#run, told: this.#told };
  }

  #answer(question: Question): Promise<unknown> {
    switch (question.ask) {
      case "open":
        return Promise.resolve({ ...this.#state, folder: this.#folder } satisfies Opening);
      case "wake":
        return Promise.resolve(this.#catalog.expectChange(question.ids));
      case "prepare":
        return this.#prepare(question);
      case "writtenFigures":
        return this.#writeFigures(question.position);
      case "readFigures":
        return this.#catalog.tasks?.readFigures(question.ids) ?? Promise.reject(new Error("The server is stopping"));
    }
  }

  async #prepare({ ids, position }: { ids: readonly string[]; position: number }): Promise<PreparedPlaces> {
    await this.#reach(position);
    for (let tries = 0; tries < mostTries; tries++) {
      await this.#catalog.load(ids.filter((id) => !this.#catalog.places.isSettled(id)));
      await this.#catalog.figuresWritten;
      const places = ids.map((id) => this.#placeOf(id));
      if (!places.includes(undefined)) return { ...this.#state, places: places as (Place | null)[] };
    }
    throw new Error("The first worker could not store the records");
  }

  async #writeFigures(position: number): Promise<boolean> {
    await this.#reach(position);
    await figuresOf(this.#resources).settled();
    await this.#catalog.figuresWritten;
    // A record that was moved before has been told, so that the others do not read the figures at its old place.
    await this.#telling.next();
    return !this.#catalog.hasLostFigures;
  }

  /** The place of the current record; null if the project is not public. */
  #placeOf(id: string): Place | null | undefined {
    const { places } = this.#catalog;
    const slot = places.find(id);
    if (slot === undefined) return undefined;
    return places.current(slot) ?? (places.isHidden(slot) ? null : undefined);
  }

  async #reach(position: number): Promise<void> {
    const { changeLog } = this.#resources;
    if (changeLog.position < position) await changeLog.catchUp();
    if (changeLog.position < position) throw new Error("The first worker could not read the change log");
  }
}

const isSame = (a: Place | null | undefined, b: Place): boolean => a?.segment === b.segment && a.offset === b.offset;
