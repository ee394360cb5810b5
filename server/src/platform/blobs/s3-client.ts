// Sends one S3 request: signed, and retried with growing pauses while the failure looks temporary. Tries and time are
// limited.
import * as http from "node:http";
import * as https from "node:https";
import { pipeline, type Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import type { Clock } from "#lib/clock.js";
import { hasErrorCode } from "#lib/file-system.js";
import type { Random } from "#lib/random.js";
import { BlobStorageFull, BlobStorageUnavailable } from "./errors.js";
import { ObjectConnections, type Receiver } from "./s3-connections.js";
import { createS3Signer, emptySha256, type S3Location, type S3Signer } from "./s3-signer.js";
import { findText } from "./s3-xml.js";
import type { ByteRange } from "./store.js";

export interface S3Timeouts {
  tries: number;
  /** An answer, or its next byte, must arrive within this time. */
  idleMs: number;
  /** The limit for all tries and pauses of one request together. */
  requestMs: number;
  /** The first pause; each further pause may be twice as long. */
  backoffMs: number;
}

export const defaultS3Timeouts: S3Timeouts = { tries: 5, idleMs: 10_000, requestMs: 60_000, backoffMs: 100 };

export interface S3Request {
  method: "GET" | "HEAD" | "PUT" | "POST" | "DELETE";
  /** Absent for the bucket itself. */
  key?: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: { length: number; open(): Readable };
  /** The statuses that the caller handles; every other one is an error. */
  accept: readonly number[];
}

export interface S3Answer {
  status: number;
  headers: http.IncomingHttpHeaders;
  text: string;
  code: string | undefined;
}

export interface S3Client {
  send(request: S3Request): Promise<S3Answer>;
  /** Like send, but returns the body of a 200 or 206 as a stream, which must be read or destroyed. */
  receive(request: S3Request): Promise<S3Answer & { body: http.IncomingMessage }>;
  /**
   * Gives the bytes of an object to the receiver, in one try. Returns whether they have begun to arrive; if not, `receive`
   * finds out why.
   */
  readInto(receiver: Receiver, key: string, range?: ByteRange): Promise<boolean>;
  signUrl: S3Signer["signUrl"];
  patience: S3Timeouts;
  close(): void;
}

const maxTextBytes = 16 * 1024 * 1024;
const temporaryStatuses = new Set([408, 409, 425, 429, 500, 502, 503, 504]);
const fullCodes = new Set(["QuotaExceeded", "XMinioStorageFull", "XMinioAdminBucketQuotaExceeded"]);

export function createS3Client(
  location: S3Location,
  { clock, random, patience }: { clock: Clock; random: Random; patience: S3Timeouts },
): S3Client {
  const signer = createS3Signer(location, clock);
  const { protocol, hostname, port } = new URL(location.endpoint);
  const transport = protocol === "https:" ? https : http;
  // An IPv6 address has brackets in a URL, but not here.
  const server = { hostname: hostname.replace(/^\[|\]$/g, ""), port };
  // No limit of sockets: slow downloads hold theirs, and uploads must not wait for them.
  const agent = new transport.Agent({ keepAlive: true, maxFreeSockets: 16 });
  const isSecure = transport === https;
  const connections = new ObjectConnections(
    { host: server.hostname, port: Number(port) || (isSecure ? 443 : 80), isSecure },
    patience.idleMs,
  );

  function exchange(request: S3Request, signal: AbortSignal): Promise<http.IncomingMessage> {
    const { method, key, query = {}, headers = {}, body } = request;
    const signed = signer.sign(method, key, query, { "x-amz-content-sha256": emptySha256, ...headers });
    return new Promise((resolve, reject) => {
      const { idleMs: timeout } = patience;
      if (body) signed.headers["content-length"] = String(body.length);
      const outgoing = transport.request({ ...server, ...signed, method, agent, signal, timeout });
      outgoing.on("timeout", () => outgoing.destroy(new Error(`no answer for ${timeout} ms`)));
      outgoing.on("error", reject);
      outgoing.on("response", (incoming) => {
        // A refusal may arrive before the whole body is sent: the rest need not be sent.
        incoming.once("close", () => outgoing.writableFinished || outgoing.destroy());
        resolve(incoming);
      });
      if (body && body.length > 0) pipeline(body.open(), outgoing, (error) => error && reject(error));
      else outgoing.end();
    });
  }

  async function attempt(request: S3Request, streaming: boolean, signal: AbortSignal) {
    const body = await exchange(request, signal);
    const status = body.statusCode ?? 0;
    const answer = { status, headers: body.headers, text: "", code: undefined as string | undefined, body };
    if (streaming && (status === 200 || status === 206)) {
      // From here the reader checks the timeout: a slow consumer is not the server's fault.
      body.setTimeout(0);
      return answer;
    }
    answer.text = await readText(body);
    // S3 may start an answer with 200 and report a failure in the body.
    if (status >= 300 || answer.text.includes("<Error>")) answer.code = toSafeCode(findText(answer.text, "Code"));
    return answer;
  }

  async function request(request: S3Request, streaming: boolean) {
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(new Error(`not within ${patience.requestMs} ms`)), patience.requestMs);
    let failure: Error | undefined;
    try {
      for (let tries = 0; tries < patience.tries && !limit.signal.aborted; tries += 1) {
        if (tries > 0) await pause(toPause(patience.backoffMs, tries, random), undefined, { signal: limit.signal });
        try {
          const answer = await attempt(request, streaming, limit.signal);
          if (isAccepted(request, answer)) return answer;
          failure = toFailure(request, answer);
          if (!isTemporary(answer)) throw failure;
        } catch (error) {
          if (error === failure) throw error;
          failure = toSilence(request, limit.signal.aborted ? limit.signal.reason : error);
        }
      }
    } catch (error) {
      // The pause was aborted: the failure before it is reported.
      if (!hasErrorCode(error, "ABORT_ERR")) throw error;
    } finally {
      clearTimeout(timer);
    }
    throw failure ?? toSilence(request, limit.signal.reason);
  }

  return {
    send: (options) => request(options, false),
    receive: (options) => request(options, true),
    readInto(receiver, key, range) {
      return connections.ask(signer.headOfGet(key, range), receiver);
    },
    signUrl: signer.signUrl,
    patience,
    close() {
      agent.destroy();
      connections.close();
    },
  };
}

/** The headers of a request for the bytes of an object. */
export function getHeaders(range: ByteRange | undefined): Record<string, string> {
  return { "accept-encoding": "identity", ...(range && { range: `bytes=${range.start}-${range.end}` }) };
}

function isAccepted({ accept }: S3Request, { status, code }: S3Answer): boolean {
  // A missing bucket is a configuration error, not a missing object.
  return accept.includes(status) && !(status < 300 && code) && code !== "NoSuchBucket";
}

function isTemporary({ status, code }: S3Answer): boolean {
  return temporaryStatuses.has(status) || code === "RequestTimeout" || (status < 300 && code !== undefined);
}

function toFailure({ method }: S3Request, { status, code }: S3Answer): Error {
  if (status === 507 || (code !== undefined && fullCodes.has(code))) return new BlobStorageFull();
  const advice =
    status === 401 || status === 403 ? ". Check the access key, its secret, the region and what the key may do" : "";
  return new BlobStorageUnavailable(`S3 answered ${method} with ${code ? `${status} ${code}` : status}${advice}`);
}

function toSilence({ method }: S3Request, error: unknown): Error {
  const reason = error instanceof Error ? error.message : String(error);
  return new BlobStorageUnavailable(`S3 did not answer ${method}: ${reason}`, { cause: error });
}

/** Doubles with each try; half of the pause is random, so that many clients do not retry at once. */
function toPause(firstMs: number, tries: number, random: Random): number {
  const longest = firstMs * 2 ** (tries - 1);
  return Math.round(longest / 2 + (longest / 2) * (random.bytes(1).readUInt8() / 255));
}

/** Codes go into error messages; a server's free text does not, because it may repeat signed data. */
function toSafeCode(code: string | undefined): string | undefined {
  return code === undefined || /^[A-Za-z0-9.]{1,64}$/.test(code) ? code : "Unknown";
}

async function readText(body: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.byteLength;
    if (size > maxTextBytes) throw new Error("the answer is too long");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
