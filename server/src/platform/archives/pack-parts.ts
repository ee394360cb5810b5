// The parts that all readers of packs share (modrinth-pack.ts, packwiz-pack.ts): the result, the bounds, the refusals, and the checks
// of paths, hashes and download addresses. They run in the process that inspects archives.
import type { Words } from "#words/en/catalogue.js";
import { checkPath, createNameRegister } from "./entry-names.js";
import { defaultLimits } from "./limits.js";
import { type ArchiveDetail, type ArchiveProblem, ArchiveRefused, quoteName } from "./problems.js";
import type { NestedArchive } from "./walk.js";

export type PackSide = "required" | "optional" | "unsupported";

export interface PackFile {
  /** Where the file is put, relative to the folder of the game. */
  path: string;
  size: number | null;
  /** In lower-case hexadecimal. */
  sha1: string | null;
  sha512: string | null;
  client: PackSide;
  server: PackSide;
  /** Where it is downloaded; null if the pack contains it, or does not say. */
  host: string | null;
  isInside: boolean;
}

/** Files of the pack itself, such as configurations. */
export interface OwnFiles {
  files: number;
  bytes: number;
  /** The folders with most files; an empty name stands for files outside of any folder. */
  folders: { name: string; files: number }[];
}

export interface FoundPack {
  format: "modrinth" | "packwiz";
  name?: string | undefined;
  version?: string | undefined;
  summary?: string | undefined;
  gameVersion?: string | undefined;
  loaders: string[];
  files: PackFile[];
  own: OwnFiles;
}

export interface PackRules {
  /** Hosts that downloads may name, besides this site. */
  hosts: readonly string[];
  /** The origins of this site, which may be without TLS. */
  origins: readonly string[];
}

export const mostPackFiles = 2000;
export const mostIndexBytes = 2 * 1024 * 1024;
const mostFolders = 6;
const mostDownloads = 16;
const mostUrlLength = 2048;

type Problems = Words["packs"];
export type PackProblem = keyof Problems;
type Parts<K extends PackProblem> = Problems[K] extends (...parts: infer P) => string ? P : [];

/** The reason why a pack is refused: a sentence in words/<language>/packs.ts, its parts, and what is wrong with a path. */
export interface PackFault {
  problem: PackProblem;
  parts: readonly (string | number)[];
  why?: { reason: ArchiveProblem; detail: ArchiveDetail | undefined } | undefined;
}

export class PackRefused extends Error {
  readonly fault: PackFault;

  constructor(fault: PackFault) {
    super(fault.problem);
    this.fault = fault;
  }
}

export function refusePack<K extends Exclude<PackProblem, "unsafePath">>(problem: K, ...parts: Parts<K>): never {
  throw new PackRefused({ problem, parts: parts as readonly (string | number)[] });
}

/** Refuses a path that is unsafe, or that two files have, also in another case. */
export function createPathRegister(): (path: string) => void {
  const names = createNameRegister(defaultLimits);
  return (path) => {
    try {
      checkPath(path.endsWith("/") ? "" : path, defaultLimits);
      names.add(path);
    } catch (error) {
      if (!(error instanceof ArchiveRefused)) throw error;
      const { reason, detail } = error;
      throw new PackRefused({ problem: "unsafePath", parts: [quoteName(path)], why: { reason, detail } });
    }
  };
}

const hashForms = { sha1: /^[0-9a-f]{40}$/i, sha512: /^[0-9a-f]{128}$/i };

/** In lower case. */
export function toHash(path: string, algorithm: keyof typeof hashForms, value: unknown): string {
  if (typeof value !== "string" || value === "") refusePack("hashMissing", quoteName(path), algorithm);
  if (!hashForms[algorithm].test(value)) refusePack("hashMalformed", quoteName(path), algorithm);
  return value.toLowerCase();
}

/** The host of the first address. Each must be allowed, because launchers try one after the other. */
export function toHost(path: string, urls: unknown, rules: PackRules): string {
  const list = Array.isArray(urls) ? urls : [];
  if (list.length === 0) refusePack("downloadMissing", quoteName(path));
  if (list.length > mostDownloads) refusePack("tooManyDownloads", quoteName(path), mostDownloads);
  return list.map((url) => checkUrl(path, url, rules))[0]!;
}

function checkUrl(path: string, given: unknown, { hosts, origins }: PackRules): string {
  const url = typeof given === "string" && given.length <= mostUrlLength ? URL.parse(given) : null;
  if (url?.username !== "" || url.password !== "") refusePack("urlMalformed", quoteName(path));
  if (origins.includes(url.origin)) return url.host;
  if (url.protocol !== "https:") refusePack("notHttps", quoteName(path), quoteName(url.host));
  if (!hosts.includes(url.host)) refusePack("hostNotAllowed", quoteName(path), quoteName(url.host), hosts.join(", "));
  return url.host;
}

/** Archives that the pack contains are files that can be known here, everything else is its own. */
export function splitOwn(
  own: readonly { path: string; size: number; client: PackSide; server: PackSide; at: string }[],
  nested: readonly NestedArchive[],
): { files: PackFile[]; own: OwnFiles } {
  const digests = new Map(nested.map(({ path, sha512 }) => [path, sha512]));
  const files: PackFile[] = [];
  const folders = new Map<string, number>();
  let [count, bytes] = [0, 0];
  for (const { path, size, client, server, at } of own) {
    const sha512 = digests.get(at);
    if (sha512 !== undefined)
      files.push({ path, size, sha1: null, sha512, client, server, host: null, isInside: true });
    else {
      const folder = path.includes("/") ? path.slice(0, path.indexOf("/")) : "";
      folders.set(folder, (folders.get(folder) ?? 0) + 1);
      count++;
      bytes += size;
    }
  }
  const most = [...folders].sort(([a, many], [b, more]) => more - many || (a < b ? -1 : 1)).slice(0, mostFolders);
  return { files, own: { files: count, bytes, folders: most.map(([name, files]) => ({ name, files })) } };
}

/** In the order in which people read them. */
export function finishFiles(files: readonly PackFile[]): PackFile[] {
  if (files.length > mostPackFiles) refusePack("tooManyFiles", mostPackFiles);
  return files.toSorted((a, b) => (a.path.toLowerCase() < b.path.toLowerCase() ? -1 : 1));
}

const mostText = 256;

/** A text for people, or undefined if it is none. */
export function toLine(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const text = value
    .replace(/\p{C}+/gu, " ")
    .normalize("NFC")
    .trim();
  return text === "" ? undefined : [...text].slice(0, mostText).join("");
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
