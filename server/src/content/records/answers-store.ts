// Writes prepared projects to files: records are appended to segments, and the journal says where they are. Only the thread
// that prepares writes; the main thread reads records by their place (places.ts). The files are a cache: they may be
// deleted while no server uses them.
import {
  closeSync,
  existsSync,
  fdatasyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import {
  type JournalContent,
  journalPath,
  lastSegment,
  listSegments,
  markLine,
  type Place,
  putLine,
  readJournal,
  type Stored,
  segmentPath,
  shortBytes,
  staleLine,
  writeJournal,
} from "./journal.js";
import { headerLengthOf } from "./prepared-core.js";
import type { Details } from "./prepared-format.js";
import { openRecord } from "./prepared-project.js";
import { FileRecord } from "./record-source.js";

const largestSegment = 128 * 1024 * 1024;
const privateMode = 0o600;
/** The journal is written again when it has become this many times as long, at the next mark. */
const journalGrowth = 4;
const smallestJournal = 4 * 1024 * 1024;

/** A new value of a figure in a record. */
export interface FigureChange {
  segment: number;
  /** In the segment. */
  position: number;
  value: number;
}

/**
 * Prepares the folder and says what is in it. Its content is dropped if it was written with another stamp. Throws if the
 * folder cannot be written.
 */
export function openFolder(folder: string, stamp: string): JournalContent | undefined {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const found = hasStamp(folder, stamp) ? readJournal(folder) : undefined;
  // Lines after the last mark must not become valid by the next one.
  if (found) truncateSync(journalPath(folder), found.length);
  else dropContent(folder);
  writeFileSync(stampPath(folder), stamp, { mode: privateMode });
  return found;
}

/** Forgets all records, and the pages that were made of them. The folder keeps its stamp. */
export function dropContent(folder: string): void {
  keepSegments(folder, new Set());
  dropPages(folder);
  writeFileSync(journalPath(folder), "\n", { mode: privateMode });
}

/** Removes all other segments. */
export function keepSegments(folder: string, used: ReadonlySet<number>): void {
  for (const segment of listSegments(folder)) if (!used.has(segment)) rmSync(segmentPath(folder, segment));
}

export const hasStamp = (folder: string, stamp: string): boolean =>
  existsSync(stampPath(folder)) && readFileSync(stampPath(folder), "utf8") === stamp;

/** The file of pages that were made of the records (web/frame/page-file.ts). */
export const pagesName = "pages.db";

/** SQLite has further files beside it, whose names begin with its name. */
export function dropPages(folder: string): void {
  for (const name of readdirSync(folder)) if (name.startsWith(pagesName)) rmSync(join(folder, name));
}

const stampPath = (folder: string): string => join(folder, "stamp");

/** The users and the organization that the answers about a project name. */
export const namesIn = ({ userIds, orgId }: Details): string[] => [...userIds, ...(orgId === null ? [] : [orgId])];

export class AnswersStore {
  readonly #folder: string;
  readonly #firstSegment: number;
  readonly #written = new Map<number, number>();
  #journal: number;
  #journalBytes: number;
  #journalLimit: number;
  #segment = -1;
  #at = largestSegment;

  /**
   * The folder was opened before (openFolder). Segments from `firstSegment` on were written by earlier threads of this server:
   * it goes on with the last one, so that there are not many small ones.
   */
  constructor(folder: string, firstSegment = Number.POSITIVE_INFINITY) {
    this.#folder = folder;
    this.#firstSegment = firstSegment;
    this.#journal = openSync(journalPath(folder), "a", privateMode);
    this.#journalBytes = statSync(journalPath(folder)).size;
    this.#journalLimit = limitFor(shortBytes(folder));
  }

  append(record: Buffer): Stored {
    if (this.#at + record.length > largestSegment) this.#beginSegment(record.length);
    const { builtAt, details } = openRecord(record);
    const headerLength = headerLengthOf(record);
    const place = { segment: this.#segment, offset: this.#at, headerLength, length: record.length, builtAt };
    const stored = { ...place, dependsOn: namesIn(details) };
    writeAll(this.#written.get(this.#segment)!, record, this.#at);
    this.#at += record.length;
    this.#note(putLine(details.id, stored));
    return stored;
  }

  /** Throws if its file is gone. The caller closes it. */
  open(place: Place): FileRecord {
    return new FileRecord(this.#folder, place);
  }

  /** Undefined if it cannot be read. */
  read({ segment, offset, length }: Place): Buffer | undefined {
    try {
      return this.#withFile(segment, "r", (file) => {
        const record = Buffer.allocUnsafeSlow(length);
        return readSync(file, record, 0, length, offset) === length ? record : undefined;
      });
    } catch {
      return undefined;
    }
  }

  /** Moves records to the end, so that their segment can be removed. Records that cannot be read are left out. */
  move(records: readonly { id: string; place: Place }[]): { id: string; from: Place; to: Place }[] {
    return records.flatMap(({ id, place }) => {
      const record = this.read(place);
      return record ? [{ id, from: place, to: this.append(record) }] : [];
    });
  }

  setFigures(changes: readonly FigureChange[]): void {
    const value = Buffer.alloc(8);
    for (const [segment, group] of Map.groupBy(changes, (change) => change.segment)) {
      // The segment may have been removed since; then its records are elsewhere, with current figures.
      if (!existsSync(segmentPath(this.#folder, segment))) continue;
      this.#withFile(segment, "r+", (file) => {
        for (const change of group) {
          value.writeDoubleLE(change.value);
          writeAll(file, value, change.position);
        }
      });
    }
  }

  noteStale(ids: readonly string[], since: number): void {
    this.#note(ids.map((id) => staleLine(id, since)).join(""));
  }

  /** Everything before this is on the disk afterwards. */
  mark(position: number): void {
    for (const [segment, file] of this.#written) {
      fdatasyncSync(file);
      if (segment === this.#segment) continue;
      closeSync(file);
      this.#written.delete(segment);
    }
    this.#note(markLine(position));
    fdatasyncSync(this.#journal);
    if (this.#journalBytes > this.#journalLimit) this.#shortenJournal();
  }

  /** Only after a mark: until then the journal may still name the segment. */
  removeSegment(segment: number): void {
    rmSync(segmentPath(this.#folder, segment), { force: true });
  }

  close(): void {
    for (const file of this.#written.values()) closeSync(file);
    this.#written.clear();
    closeSync(this.#journal);
  }

  #beginSegment(length: number): void {
    const last = Math.max(lastSegment(this.#folder), this.#segment);
    const mayGoOn = this.#segment < 0 && last >= this.#firstSegment;
    const written = mayGoOn ? statSync(segmentPath(this.#folder, last)).size : largestSegment;
    const goesOn = written + length <= largestSegment;
    this.#segment = goesOn ? last : last + 1;
    this.#at = goesOn ? written : 0;
    const path = segmentPath(this.#folder, this.#segment);
    this.#written.set(this.#segment, openSync(path, goesOn ? "r+" : "wx+", privateMode));
  }

  #note(lines: string): void {
    writeAll(this.#journal, Buffer.from(lines, "latin1"), null);
    this.#journalBytes += lines.length;
  }

  #shortenJournal(): void {
    const content = readJournal(this.#folder);
    if (!content) return;
    const draft = `${journalPath(this.#folder)}.new`;
    writeFileSync(draft, writeJournal(content), { mode: privateMode, flush: true });
    renameSync(draft, journalPath(this.#folder));
    closeSync(this.#journal);
    this.#journal = openSync(journalPath(this.#folder), "a", privateMode);
    this.#journalBytes = statSync(journalPath(this.#folder)).size;
    this.#journalLimit = limitFor(shortBytes(this.#folder));
  }

  #withFile<T>(segment: number, flags: "r" | "r+", work: (file: number) => T): T {
    const open = this.#written.get(segment);
    if (open !== undefined) return work(open);
    const file = openSync(segmentPath(this.#folder, segment), flags);
    try {
      return work(file);
    } finally {
      closeSync(file);
    }
  }
}

const limitFor = (bytes: number): number => Math.max(smallestJournal, journalGrowth * bytes);

function writeAll(file: number, bytes: Uint8Array, position: number | null): void {
  for (let at = 0; at < bytes.length; )
    at += writeSync(file, bytes, at, bytes.length - at, position === null ? null : position + at);
}
