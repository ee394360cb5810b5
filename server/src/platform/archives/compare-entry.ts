// The changes of one file between two archives: the lines of a text, or the names and strings of a Java class. It
// runs in the process that inspects archives.

import { open } from "node:fs/promises";
import { compareLines, type DiffLine } from "#lib/line-diff.js";
import { ByteInput, fromFile, fromPieces } from "./byte-input.js";
import { type ComparedArchive, isZip } from "./compare.js";
import { createWalk, walks } from "./inspection.js";
import { createBudget, defaultLimits } from "./limits.js";
import { listConstants, toText } from "./read-entry.js";
import { walkZip } from "./zip.js";
import { openIndex } from "./zip-index.js";

/** The bytes that are compared of a file. */
export const comparedBytes = 1024 * 1024;
/** Lines, names and strings that are shown, and characters of each. */
export const mostShown = 2000;
const mostLetters = 400;
/** Lines around a difference, and characters before it in a long line. */
const around = 3;
const lettersBefore = 60;

interface Differences {
  added: string[];
  removed: string[];
}

export type EntryComparison =
  | { ok: true; kind: "text"; parts: DiffLine[][]; isRough: boolean; isShortened: boolean; isCut: boolean }
  | { ok: true; kind: "class"; names: Differences; strings: Differences; isShortened: boolean; isCut: boolean }
  | { ok: true; kind: "other" }
  | { ok: true; kind: "missing" };

interface Start {
  bytes: Buffer;
  isCut: boolean;
}

/** Each file is compared with the file of the same path, or with nothing if one archive does not have it. */
export async function compareEntry(
  beforeArchive: ComparedArchive,
  afterArchive: ComparedArchive,
  entry: string,
): Promise<EntryComparison> {
  const [before, after] = [await readStart(beforeArchive, entry), await readStart(afterArchive, entry)];
  if (!before && !after) return { ok: true, kind: "missing" };
  const empty: Start = { bytes: Buffer.alloc(0), isCut: false };
  return compareStarts(before ?? empty, after ?? empty);
}

function compareStarts(before: Start, after: Start): EntryComparison {
  const isCut = before.isCut || after.isCut;
  const constants = [before, after].map(({ bytes }) => (bytes.length === 0 ? undefined : listConstants(bytes)));
  if (constants.some((each) => each !== undefined)) {
    const [old, fresh] = constants;
    const names = findDifferences(old?.names ?? [], fresh?.names ?? []);
    const strings = findDifferences(old?.strings ?? [], fresh?.strings ?? []);
    return {
      ok: true,
      kind: "class",
      names: names.shown,
      strings: strings.shown,
      isShortened: names.isShortened || strings.isShortened,
      isCut: isCut || constants.some((each) => each?.isCut),
    };
  }
  const [old, fresh] = [toText(before.bytes, before.isCut), toText(after.bytes, after.isCut)];
  if (old === undefined || fresh === undefined) return { ok: true, kind: "other" };
  const { parts, isRough } = compareLines(old, fresh, around);
  return { ok: true, kind: "text", ...shorten(parts), isRough, isCut };
}

const cut = (texts: readonly string[]): string[] =>
  texts.slice(0, mostShown).map((text) => (text.length > mostLetters ? `${text.slice(0, mostLetters)}…` : text));

function findDifferences(before: readonly string[], after: readonly string[]) {
  const lacking = (these: readonly string[], those: ReadonlySet<string>) => these.filter((each) => !those.has(each));
  const [added, removed] = [lacking(after, new Set(before)), lacking(before, new Set(after))];
  return {
    shown: { added: cut(added), removed: cut(removed) },
    isShortened: added.length > mostShown || removed.length > mostShown,
  };
}

/** Long lines are cut to the part around the first difference: otherwise it could be hidden far to the right. */
function shorten(parts: readonly DiffLine[][]): { parts: DiffLine[][]; isShortened: boolean } {
  let left = mostShown;
  let isShortened = false;
  const shown = parts.flatMap((part) => {
    const lines = part.slice(0, left);
    isShortened ||= lines.length < part.length;
    left -= lines.length;
    return lines.length === 0 ? [] : [lines.map((line, at) => ({ ...line, text: shortenLine(lines, at) }))];
  });
  return { parts: shown, isShortened };
}

function shortenLine(lines: readonly DiffLine[], at: number): string {
  const { text, kind } = lines[at]!;
  if (text.length <= mostLetters) return text;
  const start = kind === "same" ? 0 : Math.max(0, findDifference(text, partnerOf(lines, at)) - lettersBefore);
  const end = start + mostLetters;
  return `${start > 0 ? "…" : ""}${text.slice(start, end)}${end < text.length ? "…" : ""}`;
}

/** The line of the same place in the other text: removed lines are followed by the added ones. */
function partnerOf(lines: readonly DiffLine[], at: number): string {
  const { kind } = lines[at]!;
  const step = kind === "removed" ? 1 : -1;
  let [own, other] = [at, at];
  while (lines[own - 1]?.kind === kind) own--;
  while (lines[other + step]?.kind === kind) other += step;
  if (kind === "removed") return lines[other + 1 + (at - own)]?.text ?? "";
  let first = own - 1;
  while (lines[first]?.kind === "removed") first--;
  const partner = lines[first + 1 + (at - own)];
  return partner?.kind === "removed" ? partner.text : "";
}

function findDifference(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return at;
}

/** The start of a file, also of one inside another archive. Undefined if the archive has no such file. */
const readStart = (archive: ComparedArchive, entry: string): Promise<Start | undefined> =>
  isZip(archive) ? readStartInZip(archive.path, entry) : readStartByWalk(archive, entry);

/** Archives without a directory are read to the end, which also finds a second file of the same path. */
async function readStartByWalk({ path, type }: ComparedArchive, entry: string): Promise<Start | undefined> {
  await using file = await open(path, "r");
  const { size } = await file.stat();
  const reading = createReading(entry);
  await walks[type](new ByteInput(fromFile(file)), { ...createWalk(size), reading });
  return toStart(reading);
}

const createReading = (path: string) => ({ path, most: comparedBytes, pieces: [] as Buffer[], size: -1 });

const toStart = ({ pieces, size }: ReturnType<typeof createReading>): Start | undefined =>
  size < 0 ? undefined : { bytes: Buffer.concat(pieces), isCut: size > comparedBytes };

async function readStartInZip(path: string, entry: string): Promise<Start | undefined> {
  await using index = await openIndex(path, defaultLimits);
  const [outer = "", inner] = splitPath(entry);
  const budget = createBudget(defaultLimits, index.size);
  for await (const record of index.listFiles()) {
    if (record.name !== outer) continue;
    const reading = createReading(entry);
    if (inner !== undefined) {
      const walk = { ...createWalk(index.size), budget, reading };
      await walkZip(new ByteInput(fromPieces(index.openFile(record, budget))), walk, 1, `${outer}!/`);
      return toStart(reading);
    }
    let read = 0;
    for await (const piece of index.openFile(record, budget)) {
      reading.pieces.push(Buffer.from(piece.subarray(0, comparedBytes - read)));
      read += piece.length;
      if (read >= comparedBytes) break;
    }
    return { bytes: Buffer.concat(reading.pieces), isCut: record.size > comparedBytes };
  }
  return undefined;
}

/** "libs/a.jar!/b.class" is the file "b.class" in the archive "libs/a.jar". */
function splitPath(entry: string): [string, string?] {
  const at = entry.indexOf("!/");
  return at < 0 ? [entry] : [entry.slice(0, at), entry.slice(at + 2)];
}
