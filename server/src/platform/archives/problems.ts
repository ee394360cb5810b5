// The faults of archives: a stable code for programs, and a sentence for the author (words/<language>/archives.ts).
import type { Words } from "#words/en/catalogue.js";

export type ArchiveProblem = keyof Words["archives"];

type Details = Words["archiveDetails"];
/** The key of a detail and its arguments: `["limit", 100]`. */
export type ArchiveDetail = {
  [K in keyof Details]: Details[K] extends (...parts: infer P) => string ? readonly [K, ...P] : readonly [K];
}[keyof Details];

export class ArchiveRefused extends Error {
  override name = "ArchiveRefused";
  readonly reason: ArchiveProblem;
  readonly detail: ArchiveDetail | undefined;
  /** The entry, after the archives that contain it, from the outermost. */
  readonly path: readonly string[];

  constructor(reason: ArchiveProblem, detail?: ArchiveDetail, path: readonly string[] = []) {
    super([reason, ...(detail ?? []), ...path.map(quoteName)].join(" "));
    this.reason = reason;
    this.detail = detail;
    this.path = path;
  }

  /** The same fault, with the name of the archive that contains this one. */
  within(entry: string): ArchiveRefused {
    return new ArchiveRefused(this.reason, this.detail, [entry, ...this.path]);
  }
}

export function refuse(reason: ArchiveProblem, entry?: string, detail?: ArchiveDetail): never {
  throw new ArchiveRefused(reason, detail, entry === undefined ? [] : [entry]);
}

/** A name from an archive, safe to show: invisible characters are escaped, and long names are shortened. */
export function quoteName(name: string): string {
  const characters = [...name];
  const short = characters.length > 80 ? [...characters.slice(0, 50), "…", ...characters.slice(-25)] : characters;
  return `"${short.map((character) => (isPlain(character) ? character : escapeCharacter(character))).join("")}"`;
}

const isPlain = (character: string): boolean => !/[\p{C}\p{Zl}\p{Zp}"\\]/u.test(character);
const escapeCharacter = (character: string): string => `\\u{${character.codePointAt(0)!.toString(16)}}`;
