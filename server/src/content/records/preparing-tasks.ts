// The tasks of the thread that prepares projects (content/versions/preparing.ts), as the catalogue calls them.
import type { FigureChange } from "./answers-store.js";
import type { FiguresChange } from "./figures.js";
import type { JournalContent, Place, Stored } from "./journal.js";

/** A prepared project: in the files, or as a whole if there are no files. */
export type Prepared = { place: Stored; header: Uint8Array } | { record: Uint8Array };

export interface PrepareInput {
  ids: readonly string[];
  /** The position of the change log now. */
  builtAt: number;
  /** Earlier records of these projects, whose unchanged pieces are used again. */
  before: readonly (Place | undefined)[];
  /** The only versions that may look different now than in these records. Undefined: all of them may. */
  touched: readonly (readonly string[] | undefined)[];
}

export interface Moved {
  id: string;
  from: Place;
  to: Place;
}

export interface PreparingTasks {
  /** Whether there is a thread. A task starts one if there is none, which takes a while. */
  readonly isStarted: boolean;
  /** Whether this process writes the files. Otherwise tasks that only concern the files do nothing. */
  readonly ownsFiles: boolean;
  /**
   * Starts the thread, and has it prepare these projects without using the result: only a first time takes long. With
   * `haveNewTexts`, it also gets ready to render descriptions.
   */
  wake(input: PrepareInput, haveNewTexts: boolean): Promise<void>;
  /** In the order of the ids; undefined for projects that are not public. */
  prepare(input: PrepareInput): Promise<(Prepared | undefined)[]>;
  noteStale(ids: readonly string[], since: number): Promise<void>;
  mark(position: number): Promise<void>;
  move(records: readonly { id: string; place: Place }[]): Promise<Moved[]>;
  removeSegment(segment: number): Promise<void>;
  setFigures(changes: readonly FigureChange[]): Promise<void>;
  readFigures(ids: readonly string[]): Promise<FiguresChange[]>;
  /** Public projects in the order of their ids. */
  listIds(after: string, limit: number): Promise<string[]>;
  forgetTaxonomy(): Promise<void>;
  close(): Promise<void>;
}

/** Hears where the records are. */
export interface RecordsListener {
  stored(id: string, place: Stored): void;
  moved(records: readonly Moved[]): void;
  removed(segment: number): void;
}

/** Everything that the catalogue needs to prepare projects. */
export interface OpenedFiles {
  /** In a thread, or on the main thread. */
  tasks: PreparingTasks;
  /** On the main thread, if the thread fails. */
  spare: PreparingTasks;
  /** Undefined if there are no files. */
  folder: string | undefined;
  content: JournalContent | undefined;
}
