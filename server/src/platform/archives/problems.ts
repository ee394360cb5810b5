// The faults of archives: a stable code for programs, and a sentence for the author (words/<language>/archives.ts).
import type { Words } from "#words/en/catalogue.js";

export type ArchiveProblem = keyof Words["archives"];

export class ArchiveRefused extends Error {
  override name = "ArchiveRefused";
  readonly reason: ArchiveProblem;
  /** The limit, and the place in the archive, for people. */
  readonly place: string;
  readonly #detail: string | undefined;
  /** The entry, after the archives that contain it, from the outermost. */
  readonly #path: readonly string[];

  constructor(reason: ArchiveProblem, detail?: string, path: readonly string[] = []) {
    const place = toPlace(detail, path);
    super(`${reason}${place}`);
    this.reason = reason;
    this.place = place;
    this.#detail = detail;
    this.#path = path;
  }

  /** The same fault, with the name of the archive that contains this one. */
  within(entry: string): ArchiveRefused {
    return new ArchiveRefused(this.reason, this.#detail, [entry, ...this.#path]);
  }
}

export function refuse(reason: ArchiveProblem, entry?: string, detail?: string): never {
  throw new ArchiveRefused(reason, detail, entry === undefined ? [] : [entry]);
}

function toPlace(detail: string | undefined, path: readonly string[]): string {
  const names = path.length > 0 ? `: ${path.map(quoteName).join(" → ")}` : "";
  return `${detail === undefined ? "" : ` (${detail})`}${names}`;
}

/** A name from an archive, safe to show: invisible characters are escaped, and long names are shortened. */
export function quoteName(name: string): string {
  const characters = [...name];
  const short = characters.length > 80 ? [...characters.slice(0, 50), "…", ...characters.slice(-25)] : characters;
  return `"${short.map((character) => (isPlain(character) ? character : escapeCharacter(character))).join("")}"`;
}

const isPlain = (character: string): boolean => !/[\p{C}\p{Zl}\p{Zp}"\\]/u.test(character);
const escapeCharacter = (character: string): string => `\\u{${character.codePointAt(0)!.toString(16)}}`;
