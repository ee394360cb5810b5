// Everything that can be wrong with an archive: a stable code for programs, a sentence for the author.

const sentences = {
  notAnArchive: "The file does not begin like an archive of its type",
  empty: "The archive holds no files",
  truncated: "The archive ends in the middle",
  trailingData: "More data follows after the end of the archive",
  hiddenData: "The archive holds bytes that belong to no entry",
  hiddenEntry: "The archive holds an entry that its directory does not list",
  missingEntry: "The directory lists an entry that is not there, or that overlaps another",
  recordsDisagree: "The archive describes the same thing in two ways that do not agree",
  brokenRecord: "A record of the archive is malformed",
  brokenData: "The compressed data of an entry is broken",
  wrongSize: "An entry is not as long as the archive says",
  wrongChecksum: "The content of an entry does not fit its checksum",
  encrypted: "An entry is encrypted",
  unsupportedMethod: "An entry is neither stored nor deflated",
  specialEntry: "An entry is a link, a device or another special file",
  unsafePath: "The path of an entry leads out of the archive",
  invalidName: "The name of an entry cannot be used on every system",
  pathTooLong: "The path of an entry is too long",
  pathTooDeep: "The path of an entry has too many folders",
  duplicateEntry: "Two entries have the same name, at least where upper and lower case count as the same",
  tooManyEntries: "The archive has too many entries",
  entryTooLarge: "An entry is too large",
  tooLarge: "The archive unpacks to too much",
  tooCompressed: "The archive unpacks to far more than its own size",
  nestedTooDeep: "Archives lie inside archives too deeply",
  tooManyNested: "The archive holds too many other archives",
  tookTooLong: "The inspection of the archive took too long",
  tooMuchMemory: "The inspection of the archive took too much memory",
  inspectionFailed: "The inspection of the archive ended unexpectedly",
} as const;

export type ArchiveProblem = keyof typeof sentences;

export const archiveProblems = Object.keys(sentences) as ArchiveProblem[];

export class ArchiveRefused extends Error {
  override name = "ArchiveRefused";
  readonly reason: ArchiveProblem;
  readonly #detail: string | undefined;
  /** The entry, and the archives around it, from the outermost. */
  readonly #path: readonly string[];

  constructor(reason: ArchiveProblem, detail?: string, path: readonly string[] = []) {
    super(toMessage(reason, detail, path));
    this.reason = reason;
    this.#detail = detail;
    this.#path = path;
  }

  /** The same, seen from one archive further out. */
  within(entry: string): ArchiveRefused {
    return new ArchiveRefused(this.reason, this.#detail, [entry, ...this.#path]);
  }
}

export function refuse(reason: ArchiveProblem, entry?: string, detail?: string): never {
  throw new ArchiveRefused(reason, detail, entry === undefined ? [] : [entry]);
}

export function toMessage(reason: ArchiveProblem, detail?: string, path: readonly string[] = []): string {
  const place = path.length > 0 ? `: ${path.map(quoteName).join(" → ")}` : "";
  return `${sentences[reason]}${detail === undefined ? "" : ` (${detail})`}${place}.`;
}

/** A name from an archive, safe to show: what cannot be seen is spelled out, and the middle of a long one left out. */
export function quoteName(name: string): string {
  const characters = [...name];
  const short = characters.length > 80 ? [...characters.slice(0, 50), "…", ...characters.slice(-25)] : characters;
  return `"${short.map((character) => (isPlain(character) ? character : escapeCharacter(character))).join("")}"`;
}

const isPlain = (character: string): boolean => !/[\p{C}\p{Zl}\p{Zp}"\\]/u.test(character);
const escapeCharacter = (character: string): string => `\\u{${character.codePointAt(0)!.toString(16)}}`;
