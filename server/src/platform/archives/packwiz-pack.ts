// Reads a packwiz folder in a ZIP archive: pack.toml names the index, the index names every file with its hash, and a
// metafile (.pw.toml) says where a file is downloaded. The folder may be inside of one other folder.
import { createHash } from "node:crypto";
import { parse as parseToml } from "smol-toml";
import { gameIds } from "./manifest-table.js";
import {
  createPathRegister,
  type FoundPack,
  finishFiles,
  isObject,
  mostIndexBytes,
  type PackFile,
  type PackRules,
  type PackSide,
  refusePack,
  splitOwn,
  toHash,
  toHost,
  toLine,
} from "./pack-parts.js";
import { quoteName } from "./problems.js";
import type { NestedArchive, OuterFile } from "./walk.js";

export const packFile = "pack.toml";
export const indexFile = "index.toml";
export const metafile = ".pw.toml";
export const mostMetafileBytes = 8 * 1024;
/** The files that an index may list, including the pack's own. */
const mostListed = 20_000;
/** TOML is parsed recursively. */
const maxDepth = 16;

interface Contents {
  kept: ReadonlyMap<string, Buffer>;
  outer: readonly OuterFile[];
  nested: readonly NestedArchive[];
}

/** The folder of the pack, with a slash at its end. Undefined if the archive is no packwiz pack. */
export function findPackwizRoot(outer: readonly OuterFile[]): string | undefined {
  const names = new Set(outer.map(({ path }) => path));
  if (names.has(packFile) && names.has(indexFile)) return "";
  const first = outer[0]?.path ?? "";
  const folder = first.slice(0, first.indexOf("/") + 1);
  const isWhole = folder !== "" && outer.every(({ path }) => path.startsWith(folder));
  return isWhole && names.has(folder + packFile) && names.has(folder + indexFile) ? folder : undefined;
}

export function readPackwizPack(contents: Contents, root: string, rules: PackRules): FoundPack {
  const { kept, outer, nested } = contents;
  const sizes = new Map(outer.map(({ path, size }) => [path, size]));
  const pack = parse(packFile, kept.get(root + packFile));
  const index = isObject(pack.index) ? pack.index : {};
  if (index.file !== indexFile) refusePack("indexMissing", quoteName(String(index.file ?? indexFile)));
  const bytes = kept.get(root + indexFile);
  if (bytes) checkHash(indexFile, bytes, index["hash-format"], index.hash);
  const listing = parse(indexFile, bytes);
  const entries = listing.files === undefined ? [] : listing.files;
  if (!Array.isArray(entries)) refusePack("wrongField", "files");
  if (entries.length > mostListed) refusePack("tooManyFiles", mostListed);
  const register = createPathRegister();
  const downloaded: PackFile[] = [];
  const own: { at: string; path: string; size: number; client: PackSide; server: PackSide }[] = [];
  for (const [at, entry] of entries.entries()) {
    const path = isObject(entry) ? entry.file : undefined;
    if (!isObject(entry) || typeof path !== "string") refusePack("wrongField", `files[${at}].file`);
    register(path);
    const size = sizes.get(root + path);
    if (size === undefined) refusePack("fileMissing", quoteName(path));
    if (entry.metafile === true) {
      const content = kept.get(root + path);
      if (content) checkHash(path, content, entry["hash-format"] ?? listing["hash-format"], entry.hash);
      downloaded.push(readMetafile(path, content, rules, register));
    } else own.push({ at: root + path, path, size, client: "required", server: "required" });
  }
  const split = splitOwn(own, nested);
  const files = [...downloaded, ...split.files];
  if (files.length + split.own.files === 0) refusePack("empty");
  const versions = isObject(pack.versions) ? pack.versions : {};
  const game = Object.keys(versions).find((id) => gameIds.includes(id));
  return {
    format: "packwiz",
    name: toLine(pack.name),
    version: toLine(pack.version),
    summary: toLine(pack.description),
    gameVersion: game === undefined ? undefined : toLine(versions[game]),
    loaders: Object.keys(versions).filter((id) => !gameIds.includes(id) && /^[a-z][a-z0-9_-]{1,31}$/.test(id)),
    files: finishFiles(files),
    own: split.own,
  };
}

function parse(name: string, bytes: Buffer | undefined): Record<string, unknown> {
  // It is in the archive, so it is longer than what was kept.
  if (!bytes) refusePack("indexTooLarge", name, (name.endsWith(metafile) ? mostMetafileBytes : mostIndexBytes) / 1024);
  try {
    return parseToml(bytes.toString("utf8").replace(/^\ufeff/, ""), { maxDepth });
  } catch {
    return refusePack("notToml", quoteName(name));
  }
}

const checkedFormats: readonly unknown[] = ["sha256", "sha512", "sha1", "md5"];

function checkHash(name: string, bytes: Buffer, format: unknown, hash: unknown): void {
  if (typeof hash !== "string" || hash === "" || !checkedFormats.includes(format))
    refusePack("packwizHashMissing", quoteName(name));
  const found = createHash(format as string)
    .update(bytes)
    .digest("hex");
  if (found !== hash.toLowerCase()) refusePack("packwizHashWrong", quoteName(name));
}

function readMetafile(
  path: string,
  bytes: Buffer | undefined,
  rules: PackRules,
  register: (path: string) => void,
): PackFile {
  if (!path.endsWith(metafile)) refusePack("notToml", quoteName(path));
  const { filename, side, option, download } = parse(path, bytes);
  if (typeof filename !== "string" || filename.includes("/")) refusePack("metafileField", quoteName(path), "filename");
  if (!isObject(download)) refusePack("metafileField", quoteName(path), "download");
  const target = path.slice(0, path.lastIndexOf("/") + 1) + filename;
  register(target);
  const { mode, url, hash } = download;
  const format = download["hash-format"];
  if (typeof hash !== "string" || hash === "") refusePack("hashMissing", quoteName(path), String(format ?? "hash"));
  // Some sites give no address: the launcher asks them for it.
  const isElsewhere = typeof mode === "string" && mode.startsWith("metadata:") && url === undefined;
  const isOptional = isObject(option) && option.optional === true;
  const wanted: PackSide = isOptional ? "optional" : "required";
  if (side !== undefined && side !== "" && side !== "both" && side !== "client" && side !== "server")
    refusePack("sideMalformed", quoteName(path));
  return {
    path: target,
    size: null,
    sha1: format === "sha1" ? toHash(path, "sha1", hash) : null,
    sha512: format === "sha512" ? toHash(path, "sha512", hash) : null,
    client: side === "server" ? "unsupported" : wanted,
    server: side === "client" ? "unsupported" : wanted,
    host: isElsewhere ? null : toHost(path, [url], rules),
    isInside: false,
  };
}
