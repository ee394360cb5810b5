// The journal of the files with prepared projects (answers-store.ts): lines that say where the newest record of each
// project is, and which records are stale. A mark says that everything before it is on the disk, and that all changes up
// to a position of the change log are taken into account. Lines after the last mark are ignored at a start, so a
// crash at any moment costs only work.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** Where a record is. */
export interface Place {
  segment: number;
  offset: number;
  headerLength: number;
  length: number;
  /** The position of the change log before its rows were read. */
  builtAt: number;
}

export interface Stored extends Place {
  /** Users and organizations that the project's answers name. */
  dependsOn: readonly string[];
}

export interface JournalContent {
  /** The position of the last mark. */
  mark: number;
  places: Map<string, Stored>;
}

/** Instead of an id: all projects. */
export const everyProject = "*";

export const journalPath = (folder: string): string => join(folder, "journal");
export const segmentPath = (folder: string, segment: number): string => join(folder, `${segment}.records`);

export const listSegments = (folder: string): number[] =>
  readdirSync(folder).flatMap((name) => (/^\d+\.records$/.test(name) ? [Number.parseInt(name, 10)] : []));

/** -1 if there is none. */
export const lastSegment = (folder: string): number => Math.max(-1, ...listSegments(folder));

// A line that was not written completely lacks the dot.
export const markLine = (position: number): string => `mark ${position} .\n`;
/** Records of the project that were made before this change are stale. */
export const staleLine = (id: string, since: number): string => `stale ${id} ${since} .\n`;
export const putLine = (id: string, { segment, offset, headerLength, length, builtAt, dependsOn }: Stored): string =>
  `put ${id} ${segment} ${offset} ${headerLength} ${length} ${builtAt} ${dependsOn.join(",")} .\n`;

/** Undefined if there is no mark. */
export function readJournal(folder: string): JournalContent | undefined {
  const path = journalPath(folder);
  const text = existsSync(path) ? readFileSync(path, "latin1") : "";
  const marked = text.lastIndexOf("\nmark ");
  if (marked < 0) return undefined;
  const places = new Map<string, Stored>();
  const stale = new Map<string, number>();
  let mark = -1;
  // The first line is empty, so that a mark is always preceded by the end of a line.
  for (const line of text.slice(1, text.indexOf("\n", marked + 1)).split("\n")) {
    const [kind, id = "", a, b, c, d, e, names = ""] = line.split(" ");
    if (!line.endsWith(" .")) return undefined;
    if (kind === "put")
      places.set(id, {
        segment: Number(a),
        offset: Number(b),
        headerLength: Number(c),
        length: Number(d),
        builtAt: Number(e),
        dependsOn: names === "" ? [] : names.split(","),
      });
    else if (kind === "stale") stale.set(id, Number(a));
    else if (kind === "mark") mark = Number(id);
  }
  const sizes = new Map(listSegments(folder).map((each) => [each, statSync(segmentPath(folder, each)).size]));
  const allStale = stale.get(everyProject) ?? -1;
  for (const [id, { segment, offset, length, builtAt }] of places) {
    const isWhole = (sizes.get(segment) ?? 0) >= offset + length;
    if (!isWhole || builtAt < Math.max(allStale, stale.get(id) ?? -1)) places.delete(id);
  }
  return { mark, places };
}

/** How long the journal was when it was last written in as few lines as possible: these end with the first mark. */
export const shortBytes = (folder: string): number =>
  readFileSync(journalPath(folder), "latin1").indexOf("\nmark ") + 1;

/** The same content in as few lines as possible. */
export const writeJournal = ({ mark, places }: JournalContent): string =>
  `\n${Array.from(places, ([id, place]) => putLine(id, place)).join("")}${markLine(mark)}`;
