// A pack as the commands see it, whatever its format: the files for one side, with their hashes and where they come from.
import { createHash } from "node:crypto";
import { badPack } from "./paths.js";
import { maxFiles } from "./zip.js";

export const sides = ["client", "server"] as const;
export type Side = (typeof sides)[number];
export type Algorithm = "sha1" | "sha256" | "sha512";
export type Hashes = Partial<Record<Algorithm, string>>;

export interface PackFile {
  path: string;
  /** The same in the next version of the pack, where the name of the file may be another. */
  id: string;
  hashes: Hashes;
  /** Undefined where the pack does not say. */
  size: number | undefined;
  /** Where it can be downloaded; empty for a file that is in the pack. */
  urls: readonly string[];
  /** The content of a file that is in the pack. */
  read?: () => AsyncIterable<Uint8Array>;
  /** The user decides about it. */
  choice?: { name: string; isDefault: boolean };
  /** The author ships it disabled. */
  isOff?: boolean;
  /** Belongs to the user once it is there. */
  isPreserved?: boolean;
}

/** What the format says. */
export interface PackContent {
  format: "mrpack" | "packwiz";
  name: string;
  /** The version, as the author numbers it. */
  number: string;
  /** The game and the loader with their versions. */
  requires: Record<string, string>;
  files: PackFile[];
}
export interface Pack extends PackContent {
  /** Of the whole file; for a folder, of its pack.toml, which names the hashes of all else. */
  sha512: string;
  close(): Promise<void>;
}

/** The files in an archive or a folder. */
export interface Contents {
  /** Those of a folder are not listed. */
  names: readonly string[];
  read(name: string): AsyncIterable<Uint8Array>;
}

export function checkCount(count: number): void {
  if (count > maxFiles) throw badPack(`The pack has ${count} files, which are more than ${maxFiles} files.`);
}

/** The hashes in hex, and the size. */
export async function digest(
  pieces: AsyncIterable<Uint8Array>,
  algorithms: readonly Algorithm[],
): Promise<{ hashes: Hashes; size: number }> {
  const sums = algorithms.map((name) => [name, createHash(name)] as const);
  let size = 0;
  for await (const piece of pieces) {
    size += piece.length;
    for (const [, sum] of sums) sum.update(piece);
  }
  return { hashes: Object.fromEntries(sums.map(([name, sum]) => [name, sum.digest("hex")])), size };
}

/** A short text of the pack, such as its index. */
export async function readText(contents: Contents, name: string, maxBytes: number): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of contents.read(name)) {
    size += piece.length;
    if (size > maxBytes) throw badPack(`${name} in the pack is too large.`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}

const lengths: Record<Algorithm, number> = { sha1: 40, sha256: 64, sha512: 128 };
export const isHash = (algorithm: Algorithm, text: unknown): text is string =>
  typeof text === "string" && text.length === lengths[algorithm] && /^[0-9a-f]+$/i.test(text);

/** A text of a pack that people see. */
export const isText = (value: unknown): value is string =>
  typeof value === "string" && value.trim() !== "" && value.length < 300;

/** Where the name of a file has its version, as in sodium-fabric-mc1.21-0.6.jar. */
const version = /[-_+. ](?:v|mc)?\d.*$/i;

/** What stays the same in the names of a mod's files: its project in the address, or the name without the version. */
export function toId(path: string, urls: readonly string[]): string {
  for (const url of urls) {
    const project = /\/data\/(?:project\/)?([^/]+)\/versions?\//.exec(url)?.[1];
    if (project) return `project ${project.slice(0, 100)}`;
  }
  return /\.(?:jar|zip)$/i.test(path)
    ? path
        .replace(/\.\w+$/, "")
        .replace(version, "")
        .toLowerCase()
    : path;
}
