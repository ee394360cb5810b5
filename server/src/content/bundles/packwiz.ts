// A pack as packwiz keeps it: pack.toml, index.toml, and a small file for each download (docs/exporting.md).
import { hash } from "node:crypto";
import { stringify } from "smol-toml";
import { storedFileName } from "#lib/file-names.js";
import { type Pack, type PackFile, toPaths } from "./pack.js";

export interface TextFile {
  name: string;
  bytes: Buffer;
}

const hashFormat = "sha256";

const toml = (name: string, content: Record<string, unknown>): TextFile => ({
  name,
  bytes: Buffer.from(`${stringify(content).trim()}\n`),
});

/** pack.toml is the first file; it has the hash of index.toml, which has those of all others. */
export function toPackwiz({ name, version, summary, minecraft, loader, files }: Pack): TextFile[] {
  const paths = toPaths(files);
  const metaPaths = toPaths(
    files.map(({ folder, slug }) => ({ folder, slug, name: storedFileName(`${slug}.pw.toml`) ?? "file.pw.toml" })),
  );
  const metafiles = files
    .map((file, at) => toml(metaPaths[at]!, toMetafile(file, paths[at]!.slice(file.folder.length + 1))))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const index = toml("index.toml", {
    "hash-format": hashFormat,
    files: metafiles.map((file) => ({ file: file.name, hash: hash(hashFormat, file.bytes), metafile: true })),
  });
  const pack = toml("pack.toml", {
    name: name.toWellFormed(),
    version: version.toWellFormed(),
    ...(summary !== "" && { description: summary.toWellFormed() }),
    "pack-format": "packwiz:1.1.0",
    index: { file: index.name, "hash-format": hashFormat, hash: hash(hashFormat, index.bytes) },
    versions: { ...(minecraft !== undefined && { minecraft }), ...(loader && { [loader.name]: loader.version }) },
  });
  return [pack, index, ...metafiles];
}

/** Without [update]: packwiz would look for our ids at another registry. */
const toMetafile = (file: PackFile, filename: string) => ({
  name: file.title.toWellFormed(),
  filename,
  side: sideOf(file),
  download: { url: file.url, "hash-format": "sha512", hash: file.sha512 },
});

function sideOf({ clientSide, serverSide }: PackFile): "both" | "client" | "server" {
  if (clientSide === "unsupported" && serverSide !== "unsupported") return "server";
  return serverSide === "unsupported" && clientSide !== "unsupported" ? "client" : "both";
}
