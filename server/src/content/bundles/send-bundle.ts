// Sends several stored files as one archive with a manifest. Each file counts as downloaded.
import type { OutgoingHttpHeaders } from "node:http";
import { Readable } from "node:stream";
import { crc32 } from "node:zlib";
import type { FastifyReply } from "fastify";
import { noteDownload } from "#content/downloads/counters.js";
import type { FileEntry } from "#content/versions/entries.js";
import { perServer } from "#platform/changes/server-memory.js";
import { entityTag, isUnchanged } from "#platform/http/answers.js";
import type { Call } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import { toEntryNames } from "./entry-names.js";
import { type Source, streamArchive } from "./stream-archive.js";
import { archiveSize } from "./zip.js";

export interface BundledFile {
  projectId: string;
  projectSlug: string;
  projectName: string;
  versionId: string;
  versionNumber: string;
  datePublished: number;
  file: FileEntry;
  /** The URL of the single file. */
  url: string;
}

export interface Bundle {
  /** Name of the archive, without ".zip". */
  name: string;
  /** The purpose of the bundle, for the manifest. */
  about: Record<string, unknown>;
  files: readonly BundledFile[];
  isPublic: boolean;
}

const manifestName = "manifest.json";

type Transfer = Pick<Call, "request" | "reply" | "viewer" | "address">;

export async function sendBundle(call: Transfer, resources: Resources, bundle: Bundle): Promise<FastifyReply> {
  const { request, reply } = call;
  const { files, isPublic } = bundle;
  const names = toEntryNames(
    files.map(({ file, projectSlug }) => ({ name: file.name, prefix: projectSlug })),
    [manifestName],
  );
  const manifest = toManifest(bundle, names);
  const tag = entityTag(manifest);
  const time = Math.max(0, ...files.map(({ datePublished }) => datePublished));
  const sources: Source[] = [
    {
      name: manifestName,
      size: manifest.length,
      time,
      crc32: crc32(manifest),
      open: async () => Readable.from([manifest]),
    },
    ...files.map((each, at) => toSource(resources, each, names[at]!)),
  ];
  reply.headers({
    etag: `"${tag}"`,
    "content-type": "application/zip",
    "content-disposition": `attachment; filename="${bundle.name}.zip"`,
    "content-security-policy": "sandbox; default-src 'none'",
    "cache-control": isPublic ? "no-cache" : "private, no-store",
  });
  if (isUnchanged(request.headers["if-none-match"], tag)) return reply.code(304).removeHeader("content-type").send();
  reply.header("content-length", archiveSize(sources));
  // HEAD needs no bytes; an empty stream keeps Fastify from setting its own Content-Length.
  if (request.method === "HEAD") return reply.send(Readable.from([]));
  for (const each of files) noteDownload(call, resources, each);
  if (resources.readiness.isStopping) reply.header("connection", "close");
  reply.hijack();
  reply.raw.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders);
  // On error the connection is closed, and the client sees from the length that the archive is incomplete.
  await streamArchive(reply.raw, sources, (source, checksum) => remember(resources, source, checksum)).catch((error) =>
    resources.log.debug({ err: error }, "A download of several files was interrupted"),
  );
  return reply;
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
