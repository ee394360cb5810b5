// Sends a ZIP archive whose length is known before its first byte, with a tag of its list of contents.
import type { OutgoingHttpHeaders } from "node:http";
import { Readable } from "node:stream";
import { crc32 } from "node:zlib";
import type { FastifyReply } from "fastify";
import { entityTag, isUnchanged } from "#platform/http/answers.js";
import type { Call } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import { type Source, streamArchive } from "./stream-archive.js";
import { archiveSize } from "./zip.js";

export interface Archive {
  /** With its extension. */
  fileName: string;
  type: string;
  /** Names or contains all other entries with their hashes, so it changes with each of them. */
  list: Buffer;
  sources: readonly Source[];
  isPublic: boolean;
  /** Called if the bytes are sent. */
  onSend?: () => void;
  onChecksum?: (source: Source, checksum: number) => void;
}

/** An entry whose bytes are in memory. */
export const toMemorySource = (name: string, bytes: Buffer, time: number): Source => ({
  ...{ name, size: bytes.length, time, crc32: crc32(bytes) },
  open: async () => Readable.from([bytes]),
});

export async function sendArchive(
  { request, reply }: Pick<Call, "request" | "reply">,
  resources: Resources,
  { fileName, type, list, sources, isPublic, onSend, onChecksum }: Archive,
): Promise<FastifyReply> {
  const tag = entityTag(list);
  reply.headers({
    etag: `"${tag}"`,
    "content-type": type,
    "content-disposition": `attachment; filename="${fileName}"`,
    "content-security-policy": "sandbox; default-src 'none'",
    "cache-control": isPublic ? "no-cache" : "private, no-store",
  });
  if (isUnchanged(request.headers["if-none-match"], tag)) return reply.code(304).removeHeader("content-type").send();
  reply.header("content-length", archiveSize(sources));
  // HEAD needs no bytes; an empty stream keeps Fastify from setting its own Content-Length.
  if (request.method === "HEAD") return reply.send(Readable.from([]));
  onSend?.();
  if (resources.readiness.isStopping) reply.header("connection", "close");
  reply.hijack();
  reply.raw.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders);
  // On error the connection is closed, and the client sees from the length that the archive is incomplete.
  await streamArchive(reply.raw, sources, onChecksum).catch((error) =>
    resources.log.debug({ err: error }, "A download of several files was interrupted"),
  );
  return reply;
}
