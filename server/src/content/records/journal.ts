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
  /** A project may be named several times; then the last place counts. Each is read from the journal when it is its turn. */
  places: Iterable<[id: string, place: Stored]>;
  /** The length of the journal up to its last mark, in bytes. */
  length: number;
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

/** Undefined if there is no mark, or if the journal is damaged. */
export function readJournal(folder: string): JournalContent | undefined {
  const path = journalPath(folder);
  const bytes = existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
  const marked = bytes.lastIndexOf("\nmark ");
  const length = bytes.indexOf(lineFeed, marked + 1) + 1;
  if (marked < 0 || length === 0) return undefined;
  const stale = new Map<string, number>();
  // The first line is empty, so that a mark is always preceded by the end of a line.
  for (let at = 1; at < length; at = bytes.indexOf(lineFeed, at) + 1) {
    const end = bytes.indexOf(lineFeed, at);
    if (bytes[end - 1] !== dot || bytes[end - 2] !== space) return undefined;
    if (bytes[at] === staleLetter) {
      const [, id = "", since] = bytes.toString("latin1", at, end).split(" ");
      stale.set(id, Number(since));
    }
  }
  const mark = Number.parseInt(bytes.toString("latin1", marked + "\nmark ".length, length), 10);
  const sizes = new Map(listSegments(folder).map((each) => [each, statSync(segmentPath(folder, each)).size]));
  const allStale = stale.get(everyProject) ?? -1;
  const isUsable = (id: string, { segment, offset, length, builtAt }: Place): boolean =>
    (sizes.get(segment) ?? 0) >= offset + length &&
    builtAt >= allStale &&
    (stale.size === 0 || builtAt >= (stale.get(id) ?? -1));
  return { mark, length, places: { [Symbol.iterator]: () => listPlaces(bytes, length, isUsable) } };
}

const [lineFeed, dot, space, staleLetter, putLetter] = [..."\n. sp"].map((each) => each.charCodeAt(0)) as [
  ...[number, number, number, number, number],
];

/** Reads the lines of `putLine`. Objects of all of them at once would take a hundred megabytes at full size. */
function* listPlaces(
  bytes: Buffer,
  length: number,
  isUsable: (id: string, place: Place) => boolean,
): Generator<[id: string, place: Stored]> {
  let at = 1;
  const word = (): string => {
    const [from, end] = [at, bytes.indexOf(space, at)];
    at = end + 1;
    return bytes.toString("latin1", from, end);
  };
  const number = (): number => {
    let value = 0;
    for (; bytes[at] !== space; at++) value = 10 * value + bytes[at]! - 0x30;
    at++;
    return value;
  };
  for (; at < length; at = bytes.indexOf(lineFeed, at) + 1) {
    if (bytes[at] !== putLetter) continue;
    at += "put ".length;
    const id = word();
    const [segment, offset, headerLength, recordLength, builtAt] = [number(), number(), number(), number(), number()];
    const names = word();
    const dependsOn = names === "" ? [] : names.split(",");
    const place = { segment, offset, headerLength, length: recordLength, builtAt, dependsOn };
    if (isUsable(id, place)) yield [id, place];
  }
}

/** How long the journal was when it was last written in as few lines as possible: these end with the first mark. */
export const shortBytes = (folder: string): number =>
  readFileSync(journalPath(folder), "latin1").indexOf("\nmark ") + 1;

/** The same content in as few lines as possible. */
export const writeJournal = ({ mark, places }: JournalContent): string =>
  `\n${Array.from(new Map(places), ([id, place]) => putLine(id, place)).join("")}${markLine(mark)}`;
