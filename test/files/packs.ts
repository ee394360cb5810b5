// Packs for tests: archives in Modrinth's format and folders of packwiz, made of the given parts.
import { createHash } from "node:crypto";
import { type ZipEntry, zip } from "#test/files/archives.js";

export const digest = (algorithm: string, content: string | Buffer): string =>
  createHash(algorithm).update(content).digest("hex");

export interface IndexFile {
  path: string;
  hashes: Record<string, string>;
  env?: Record<string, string>;
  downloads: string[];
  fileSize: number;
}

/** The entry of an index for a file with this content. */
export const indexFile = (path: string, content: string | Buffer, more: Partial<IndexFile> = {}): IndexFile => ({
  path,
  hashes: { sha1: digest("sha1", content), sha512: digest("sha512", content) },
  env: { client: "required", server: "required" },
  downloads: [`https://cdn.modrinth.com/${encodeURI(path)}`],
  fileSize: content.length,
  ...more,
});

/** Values of the index may be anything, to be wrong. */
export const mrpackIndex = (files: readonly unknown[], more: Record<string, unknown> = {}): string =>
  JSON.stringify({
    ...{ formatVersion: 1, game: "minecraft", versionId: "1.2.0", name: "Test pack", summary: "For tests" },
    files,
    dependencies: { minecraft: "1.20.1", "quilt-loader": "0.20.0" },
    ...more,
  });

export const mrpack = (
  files: readonly unknown[],
  overrides: readonly ZipEntry[] = [],
  more: Record<string, unknown> = {},
): Buffer => zip([{ name: "modrinth.index.json", content: mrpackIndex(files, more) }, ...overrides]);

export interface PackwizFile {
  /** Path in the folder. */
  file: string;
  content: string | Buffer;
  isMetafile?: boolean;
  hash?: string;
}

export const metafile = (
  name: string,
  content: string | Buffer,
  { side = "both", download = "", more = "" }: { side?: string; download?: string; more?: string } = {},
): PackwizFile => ({
  file: `mods/${name}.pw.toml`,
  isMetafile: true,
  content: [
    ...[`name = "${name}"`, `filename = "${name}.jar"`, `side = "${side}"`, "[download]"],
    download ||
      `url = "https://cdn.modrinth.com/${name}.jar"\nhash-format = "sha512"\nhash = "${digest("sha512", content)}"`,
    more,
  ].join("\n"),
});

interface PackwizOptions {
  /** With a slash at its end. */
  folder?: string;
  indexHash?: string;
  pack?: string;
  index?: string;
  others?: readonly ZipEntry[];
}

export function packwiz(files: readonly PackwizFile[], options: PackwizOptions = {}): Buffer {
  const { folder = "", others = [] } = options;
  const index =
    options.index ??
    [
      'hash-format = "sha256"',
      ...files.map(({ file, content, isMetafile, hash = digest("sha256", content) }) =>
        ["[[files]]", `file = "${file}"`, `hash = "${hash}"`, isMetafile ? "metafile = true" : ""].join("\n"),
      ),
    ].join("\n");
  const pack =
    options.pack ??
    `name = "Wiz pack"\nauthor = "Ada"\nversion = "2.0.0"\npack-format = "packwiz:1.1.0"\n[index]\nfile = "index.toml"\n` +
      `hash-format = "sha256"\nhash = "${options.indexHash ?? digest("sha256", index)}"\n[versions]\nminecraft = "1.20.1"\nquilt = "0.20.0"\n`;
  return zip([
    { name: `${folder}pack.toml`, content: pack },
    { name: `${folder}index.toml`, content: index },
    ...files.map(({ file, content }) => ({ name: `${folder}${file}`, content })),
    ...others,
  ]);
}
