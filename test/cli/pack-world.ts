// Packs made by code, and the files of instances, for tests of the command line.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type ZipEntry, type ZipOptions, zip } from "#test/files/archives.js";

export const hashOf = (bytes: string | Buffer, algorithm = "sha512"): string =>
  createHash(algorithm).update(bytes).digest("hex");

export interface IndexFile {
  path: string;
  hashes: { sha1?: string; sha512?: string };
  env?: Record<string, string>;
  downloads: string[];
  fileSize: number;
}

/** A file of the index, with the right hashes. */
export const indexFile = (path: string, bytes: Buffer, url: string, env?: IndexFile["env"]): IndexFile => ({
  ...{ path, downloads: [url], fileSize: bytes.length, ...(env && { env }) },
  hashes: { sha1: hashOf(bytes, "sha1"), sha512: hashOf(bytes) },
});

export interface MrpackParts {
  name?: string;
  version?: string;
  files?: readonly unknown[];
  /** By their names in the archive, such as "overrides/config/a.toml". */
  inside?: Record<string, string>;
  /** More fields of the index. */
  index?: object;
  entries?: readonly ZipEntry[];
  zip?: ZipOptions;
}

export const mrpack = ({
  name = "Fancy",
  version = "1.0",
  files = [],
  inside = {},
  ...more
}: MrpackParts = {}): Buffer =>
  zip(
    [
      {
        name: "modrinth.index.json",
        content: JSON.stringify({
          ...{ formatVersion: 1, game: "minecraft", versionId: version, name, files },
          ...{ dependencies: { minecraft: "1.21.1", "quilt-loader": "0.27.0" }, ...more.index },
        }),
      },
      ...Object.entries(inside).map(([entry, content]) => ({ name: entry, content })),
      ...(more.entries ?? []),
    ],
    more.zip,
  );

export interface PackwizParts {
  name?: string;
  version?: string;
  /** Plain files by their paths. */
  files?: Record<string, string>;
  /** Descriptions of downloads by their paths. */
  metafiles?: Record<string, string>;
  /** More for the entry of a file in the index. */
  more?: Record<string, string>;
}

/** The files of a folder of packwiz. */
export function packwiz({ name = "Fancy", version = "1.0", files = {}, metafiles = {}, more = {} }: PackwizParts = {}) {
  const entry = (path: string, content: string, isMeta: boolean) =>
    `[[files]]\nfile = "${path}"\nhash = "${hashOf(content, "sha256")}"\n${isMeta ? "metafile = true\n" : ""}${more[path] ?? ""}\n`;
  const index = [
    'hash-format = "sha256"\n',
    ...Object.entries(files).map(([path, content]) => entry(path, content, false)),
    ...Object.entries(metafiles).map(([path, content]) => entry(path, content, true)),
  ].join("\n");
  const top = [
    ...[`name = "${name}"`, `version = "${version}"`, 'pack-format = "packwiz:1.1.0"'],
    ...["[index]", 'file = "index.toml"', 'hash-format = "sha256"', `hash = "${hashOf(index, "sha256")}"`],
    ...["[versions]", 'minecraft = "1.21.1"', 'quilt = "0.27.0"'],
  ].join("\n");
  return { "pack.toml": top, "index.toml": index, ...files, ...metafiles };
}

export const metafile = (fileName: string, url: string, bytes: Buffer, more = "", algorithm = "sha1"): string =>
  `name = "${fileName.replace(/-\d.*/, "")}"\nfilename = "${fileName}"\n${more.includes("side") ? "" : 'side = "both"\n'}${more}
[download]\nurl = "${url}"\nhash-format = "${algorithm}"\nhash = "${hashOf(bytes, algorithm)}"\n`;

export const zipOf = (files: Record<string, string>, top = ""): Buffer =>
  zip(Object.entries(files).map(([name, content]) => ({ name: top + name, content })));

/** Paths and contents of all files below a folder, without shelf's own. */
export function treeOf(folder: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const path of (readdirSync(folder, { recursive: true }) as string[]).sort())
    if (!/^\.shelf(?:\/|$)|^shelf\.lock$/.test(path) && statSync(join(folder, path)).isFile())
      found[path] = readFileSync(join(folder, path)).toString("latin1");
  return found;
}

export function writeTree(folder: string, files: Record<string, string | Buffer>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}
