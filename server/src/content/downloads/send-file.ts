// Sends a stored file: whole or in part, conditionally, as an attachment that no browser executes. A proxy or an object
// store can send the bytes instead (settings MODSHELF_SENDFILE, MODSHELF_S3_REDIRECTS).
import type { OutgoingHttpHeaders } from "node:http";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import type { Config } from "#config/config.js";
import { contentTypeOf } from "#platform/archives/file-types.js";
import { toBlobPath } from "#platform/blobs/address.js";
import { fail } from "#platform/errors.js";
import { isUnchanged } from "#platform/http/answers.js";
import type { Call } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import { isAnswered } from "#platform/http/watchdog.js";
import { isRangeWanted, parseRange, type RangeRequest } from "./byte-range.js";
import { noteDownload } from "./counters.js";
import { fileMemoryOf, smallFileBytes } from "./file-memory.js";

/** A file of a version (content/versions/entries.ts). */
interface StoredFile {
  name: string;
  type: string;
  size: number;
  sha512: string;
  isPrimary: boolean;
}

export interface SentFile {
  projectId: string;
  versionId: string;
  file: StoredFile;
  isPublic: boolean;
}

type Transfer = Pick<Call, "request" | "reply" | "viewer" | "address">;

const signedSeconds = 300;

/** Headers of a file, whatever part of it is sent. */
export const ownFileHeaders = ({ name, sha512 }: Pick<StoredFile, "name" | "sha512">) => ({
  etag: `"${sha512}"`,
  "content-disposition": `attachment; filename="${name}"`,
});

/** Headers of all files. */
export const constantFileHeaders = {
  "accept-ranges": "bytes",
  "content-security-policy": "sandbox; default-src 'none'",
  "cross-origin-resource-policy": "cross-origin",
};

/** Whether a proxy or an object store sends the bytes instead of this server. */
export const isSentElsewhere = ({ http, storage }: Config): boolean =>
  storage.kind === "disk" ? http.sendfile !== "off" : http.s3Redirects;

export async function sendFile(
  call: Transfer,
  resources: Resources,
  sent: SentFile,
  cacheControl: string,
): Promise<FastifyReply> {
  const { request, reply } = call;
  const { file } = sent;
  const headers = ownFileHeaders(file);
  const type = contentTypeOf(file.type);
  reply.headers({
    ...headers,
    ...constantFileHeaders,
    "cache-control": sent.isPublic ? cacheControl : "private, no-store",
  });
  if (isUnchanged(request.headers["if-none-match"], file.sha512)) return reply.code(304).send();
  const range = isRangeWanted(request.headers["if-range"]?.toString(), headers.etag)
    ? parseRange(request.headers.range, file.size)
    : { kind: "whole" as const };
  if (range.kind === "unsatisfiable")
    return reply.code(416).header("content-range", `bytes */${file.size}`).removeHeader("content-disposition").send();
  if (request.method === "GET" && startsAtZero(range) && file.isPrimary) noteDownload(call, resources, sent);
  reply.type(type);
  const { sendfile, s3Redirects } = resources.config.http;
  const { storage } = resources.config;
  if (sendfile !== "off" && storage.kind === "disk") return sendByProxy(reply, storage, file, sendfile);
  if (s3Redirects) {
    const signed = {
      expiresSeconds: signedSeconds,
      contentType: type,
      contentDisposition: headers["content-disposition"],
    };
    const url = await resources.blobs.signedUrl(file.sha512, signed);
    if (url) return reply.header("cache-control", "private, no-store").redirect(url, 302);
  }
  return sendBytes(call, resources, file, range);
}

const startsAtZero = (range: RangeRequest): boolean =>
  range.kind === "whole" || (range.kind === "part" && range.start === 0);

async function sendBytes(
  { request, reply }: Transfer,
  resources: Resources,
  file: StoredFile,
  range: RangeRequest,
): Promise<FastifyReply> {
  const part = range.kind === "part" ? { start: range.start, end: range.end } : undefined;
  if (part) reply.code(206).header("content-range", `bytes ${part.start}-${part.end}/${file.size}`);
  reply.header("content-length", part ? part.end - part.start + 1 : file.size);
  // HEAD needs no bytes; an empty stream keeps Fastify from setting its own Content-Length.
  if (request.method === "HEAD") return reply.send(Readable.from([]));
  if (file.size <= smallFileBytes) {
    const found = await fileMemoryOf(resources).get(file);
    if (!found) throw fail.fileNotFound();
    const bytes = Buffer.isBuffer(found) ? found : found.bytes;
    return reply.send(part ? bytes.subarray(part.start, part.end + 1) : bytes);
  }
  const { blobs, readiness, log } = resources;
  const blob = await blobs.openToSend(file.sha512, part);
  if (!blob) throw fail.fileNotFound();
  if (isAnswered(reply)) {
    blob.cancel();
    return reply;
  }
  // Bypasses Fastify, whose streams allocate memory for every chunk. All headers are set at this point.
  if (readiness.isStopping) reply.header("connection", "close");
  reply.hijack();
  reply.raw.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders);
  // On error the connection is closed, and the client sees from the length that the file is incomplete.
  await blob.sendTo(reply.raw).catch((error) => log.debug({ err: error }, "A download was interrupted"));
  return reply;
}

/** nginx and Apache read the file themselves, including ranges. */
function sendByProxy(
  reply: FastifyReply,
  storage: { path: string },
  file: StoredFile,
  how: "x-accel-redirect" | "x-sendfile",
): FastifyReply {
  const path = toBlobPath(file.sha512);
  if (how === "x-accel-redirect") return reply.header("x-accel-redirect", `/modshelf-files/${path}`).send();
  return reply.header("x-sendfile", join(storage.path, path)).send();
}
