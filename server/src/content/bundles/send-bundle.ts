// Sends the files of a plan: as one archive with a manifest, where each file counts as downloaded, or as a pack that
// names them (docs/exporting.md), where the downloads of the launcher count.
import { hash } from "node:crypto";
import type { FastifyReply } from "fastify";
import { noteDownload } from "#content/downloads/counters.js";
import type { Environments, Taxonomy } from "#content/taxonomy/taxonomy.js";
import type { FileEntry } from "#content/versions/entries.js";
import { perServer } from "#platform/changes/server-memory.js";
import type { Call } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import { toEntryNames } from "./entry-names.js";
import { mrpackIndex, toMrpackIndex } from "./mrpack.js";
import { folderOf, type Pack } from "./pack.js";
import type { PackFormat, PackTarget } from "./pack-target.js";
import { toPackwiz } from "./packwiz.js";
import { sendArchive, toMemorySource } from "./send-archive.js";
import type { Source } from "./stream-archive.js";

export interface BundledFile extends Environments {
  projectId: string;
  projectSlug: string;
  projectName: string;
  projectTypes: readonly string[];
  versionId: string;
  versionNumber: string;
  loaders: readonly string[];
  datePublished: number;
  file: FileEntry;
  /** The URL of the single file. */
  url: string;
}

interface Contents {
  files: readonly BundledFile[];
  isPublic: boolean;
}

export interface Bundle extends Contents {
  /** Name of the archive, without ".zip". */
  name: string;
  /** The purpose of the bundle, for the manifest. */
  about: Record<string, unknown>;
}

const manifestName = "manifest.json";

type Transfer = Pick<Call, "request" | "reply" | "viewer" | "address">;

const newestOf = (files: readonly BundledFile[]): number =>
  files.reduce((time, { datePublished }) => Math.max(time, datePublished), 0);

export async function sendBundle(call: Transfer, resources: Resources, bundle: Bundle): Promise<FastifyReply> {
  const { files, isPublic, name } = bundle;
  const names = toEntryNames(
    files.map(({ file, projectSlug }) => ({ name: file.name, prefix: projectSlug })),
    [manifestName],
  );
  const manifest = toManifest(bundle, names);
  return sendArchive(call, resources, {
    ...{ fileName: `${name}.zip`, type: "application/zip", list: manifest, isPublic },
    sources: [
      toMemorySource(manifestName, manifest, newestOf(files)),
      ...files.map((each, at) => toSource(resources, each, names[at]!)),
    ],
    onSend: () => {
      for (const each of files) noteDownload(call, resources, each);
    },
    onChecksum: (source, checksum) => remember(resources, source, checksum),
  });
}

function toManifest({ about, files }: Bundle, names: readonly string[]): Buffer {
  const list = files.map(({ file, url, ...each }, at) => ({
    path: names[at],
    project: { id: each.projectId, slug: each.projectSlug, name: each.projectName },
    version: { id: each.versionId, versionNumber: each.versionNumber },
    size: file.size,
    sha1: file.sha1,
    sha512: file.sha512,
    url,
  }));
  return Buffer.from(`${JSON.stringify({ format: 1, ...about, files: list }, undefined, 2)}\n`);
}

interface StoredSource extends Source {
  sha512: string;
}

function toSource(resources: Resources, { file, datePublished }: BundledFile, name: string): StoredSource {
  const { sha512, size } = file;
  return {
    name,
    size,
    time: datePublished,
    sha512,
    crc32: checksumsOf(resources).get(sha512),
    open: async () => {
      const blob = await resources.blobs.open(sha512);
      if (!blob) throw new Error(`The bytes of ${file.name} are not there`);
      return blob.stream;
    },
  };
}

/**
 * Checksums of files that were sent before, so that each file is read only once more. The content of a hash never
 * changes.
 */
const checksumsOf = perServer(({ memory }: Resources) => memory.createCache<number>({ name: "checksums" }));

function remember(resources: Resources, source: Source, checksum: number): void {
  if ("sha512" in source) checksumsOf(resources).set(source.sha512 as string, checksum, 0);
}

export interface ExportedPack extends Contents {
  format: PackFormat;
  /** Name of the file, without its extension. */
  fileName: string;
  /** As launchers show it. */
  name: string;
  /** Undefined if the content itself is the only version that there is. */
  version: string | undefined;
  summary: string;
  target: PackTarget;
  loader: Pack["loader"];
  taxonomy: Taxonomy;
}

export function sendPack(
  call: Pick<Call, "request" | "reply">,
  resources: Resources,
  { format, fileName, files, isPublic, ...about }: ExportedPack,
): Promise<FastifyReply> {
  const pack = toPack(files, about);
  const time = newestOf(files);
  const entries = format === "mrpack" ? [{ name: mrpackIndex, bytes: toMrpackIndex(pack) }] : toPackwiz(pack);
  return sendArchive(call, resources, {
    fileName: format === "mrpack" ? `${fileName}.mrpack` : `${fileName}-packwiz.zip`,
    type: format === "mrpack" ? "application/x-modrinth-modpack+zip" : "application/zip",
    list: entries[0]!.bytes,
    sources: entries.map(({ name, bytes }) => toMemorySource(name, bytes, time)),
    isPublic,
  });
}

function toPack(
  files: readonly BundledFile[],
  { name, version, summary, target, loader, taxonomy }: Omit<ExportedPack, "format" | "fileName" | keyof Contents>,
): Pack {
  const { minecraft } = target;
  return {
    ...{ name, summary, minecraft, loader },
    version: version ?? hash("sha256", files.map(({ file }) => file.sha512).join()).slice(0, 12),
    files: files.map(({ projectSlug, projectName, projectTypes, loaders, file, url, clientSide, serverSide }) => ({
      ...{ slug: projectSlug, title: projectName, url, clientSide, serverSide },
      ...{ name: file.name, size: file.size, sha1: file.sha1, sha512: file.sha512 },
      folder: folderOf(taxonomy, {
        types: projectTypes,
        loaders: loader && loaders.includes(loader.name) ? [loader.name] : loaders,
        fileType: file.type,
      }),
    })),
  };
}
