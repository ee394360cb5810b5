// Sends JSON with a strong ETag, 304, compression, and the headers of every answer. Ready bytes are sent unchanged.
import { hash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

/** Compressing a smaller answer saves no packet. */
export const worthCompressing = 1400;

export type Encoding = "br" | "gzip";

/**
 * Levels of Brotli and gzip. Answers that are sent often are compressed better; 11 would be ten times the work for 2 %
 * more. At the quick levels both give the same size, and gzip needs two thirds of the time. A page is made for each
 * request: at level 2 it takes two thirds of the time of level 5. Pages of guests have 12 to 15 % more bytes, half of
 * them because their parts are compressed one by one.
 */
const effort = { page: { br: 4, gzip: 2 }, quick: { br: 4, gzip: 5 }, thorough: { br: 9, gzip: 9 } } as const;

/** The level of gzip for pages. */
export const pageLevel = effort.page.gzip;

export type Effort = keyof typeof effort;

/** Up to about this length, compressing takes a millisecond, and handing it to a thread costs as much again. */
const mostAtOnce = 64 * 1024;

function compress(bytes: Buffer, encoding: Encoding, how: Effort): Buffer | Promise<Buffer> {
  const isSmall = how !== "thorough" && bytes.length <= mostAtOnce;
  if (encoding === "gzip") return (isSmall ? gzipSync : gzipped)(bytes, { level: effort[how].gzip });
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: effort[how].br,
    // A window for the longest possible answer would cost more than compressing a short one.
    [constants.BROTLI_PARAM_LGWIN]: Math.min(22, Math.max(16, Math.ceil(Math.log2(bytes.length + 16)))),
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  return (isSmall ? brotliCompressSync : brotli)(bytes, { params });
}

interface Choice {
  /** The best encoding that the caller accepts. */
  best: Encoding | undefined;
  /** As best, but gzip if the caller accepts it at all: the cheapest to make. */
  joined: Encoding | undefined;
  /** For answers that consist of prepared pieces: only gzip costs nothing, and no compression. */
  ofPieces: Encoding | undefined;
}

const noChoice: Choice = { best: undefined, joined: undefined, ofPieces: undefined };
/** The choices for recent headers: there are many callers, but few different headers. */
const chosen = new Map<string, Choice>();
const mostChosen = 200;
const longestRemembered = 200;

export function chooseEncoding(header: string | undefined): Choice {
  if (!header) return noChoice;
  if (header.length > longestRemembered) return weighEncodings(header);
  const known = chosen.get(header);
  if (known !== undefined) return known;
  if (chosen.size >= mostChosen) chosen.clear();
  const choice = weighEncodings(header);
  chosen.set(header, choice);
  return choice;
}

/** A quality of 0 means "not acceptable". */
function weighEncodings(header: string): Choice {
  const accepted = new Map<string, number>();
  for (const part of header.toLowerCase().split(",")) {
    const [name = "", ...parameters] = part.trim().split(";");
    const quality = parameters.map((text) => /^\s*q=([\d.]+)\s*$/.exec(text)?.[1]).find((text) => text !== undefined);
    accepted.set(name.trim(), quality === undefined ? 1 : Number(quality));
  }
  const weight = (name: string) => accepted.get(name) ?? accepted.get("*") ?? 0;
  const gzip = weight("gzip") > 0 ? "gzip" : undefined;
  const best = weight("br") > 0 && weight("br") >= weight("gzip") ? "br" : gzip;
  const isPlainRefused = (accepted.get("identity") ?? accepted.get("*")) === 0;
  return { best, joined: gzip ?? best, ofPieces: gzip ?? (isPlainRefused ? best : undefined) };
}

export const entityTag = (bytes: string | Uint8Array): string => hash("sha256", bytes, "base64url").slice(0, 22);

/** Each encoding is a separate representation and has its own tag. */
export const tagOf = (tag: string, encoding: Encoding | undefined): string => (encoding ? `${tag}-${encoding}` : tag);

/** Evaluates If-None-Match: whether the caller has the representation with this tag, by weak comparison. */
export function isUnchanged(header: string | undefined, tag: string): boolean {
  if (!header) return false;
  if (header.trim() === "*") return true;
  for (const [, given] of header.matchAll(/"([^"]*)"/g)) if (given === tag) return true;
  return false;
}

/** Node.js sends a string together with the head; up to about this length that is cheaper than separate bytes. */
const mostAsText = 6 * 1024;

/** One encoding of an answer, as it is sent. */
export class Representation {
  readonly bytes: Buffer;
  readonly encoding: Encoding | undefined;
  readonly contentLength: string;
  readonly #makeTag: () => string;
  #tag: string | undefined;
  #isSent = false;
  #text: string | undefined;

  constructor(bytes: Buffer, encoding: Encoding | undefined, makeTag: () => string) {
    this.bytes = bytes;
    this.encoding = encoding;
    this.contentLength = String(bytes.length);
    this.#makeTag = makeTag;
  }

  /** The memory that it takes: short ones are kept as text too. */
  get weight(): number {
    return this.bytes.length > mostAsText ? this.bytes.length : 2 * this.bytes.length;
  }

  /** Includes the quotes. */
  get etag(): string {
    this.#tag ??= `"${this.#makeTag()}"`;
    return this.#tag;
  }

  /** The bytes, or the same as a latin1 string, which is kept at the second use: most answers are sent only once. */
  get body(): Buffer | string {
    if (this.#text !== undefined) return this.#text;
    if (this.bytes.length > mostAsText) return this.bytes;
    const text = this.bytes.toString("latin1");
    if (this.#isSent) this.#text = text;
    this.#isSent = true;
    return text;
  }
}

/** JSON or text that is ready to be sent: bytes, their tag, and compressed forms once they were requested. */
export class ReadyAnswer {
  readonly #makeBytes: (() => Buffer) | undefined;
  #bytes: Buffer | undefined;
  readonly #makeTag: () => string;
  readonly #effort: Effort;
  #tag: string | undefined;
  #plain: Representation | undefined;
  /** Compressed forms, or the promises of them, once there is one. */
  #encoded: Map<Encoding, Representation | Promise<Representation>> | undefined;

  /**
   * The bytes may be made at their first use. So is the tag: from the bytes, or by the caller if there is a cheaper way.
   */
  constructor(
    bytes: Buffer | (() => Buffer),
    makeTag: () => string = () => entityTag(this.bytes),
    how: Effort = "quick",
  ) {
    if (typeof bytes === "function") this.#makeBytes = bytes;
    else this.#bytes = bytes;
    this.#makeTag = makeTag;
    this.#effort = how;
  }

  get bytes(): Buffer {
    this.#bytes ??= this.#makeBytes!();
    return this.#bytes;
  }

  /** The memory that it takes in a cache: the compressed form is kept too, which adds up to a half. */
  get weight(): number {
    return 1.5 * this.bytes.length;
  }

  get tag(): string {
    this.#tag ??= this.#makeTag();
    return this.#tag;
  }

  /** Undefined if it is sent uncompressed. */
  encodingFor(acceptEncoding: string | undefined): Encoding | undefined {
    if (this.bytes.length < worthCompressing) return undefined;
    return chooseEncoding(acceptEncoding)[this.#effort === "thorough" ? "best" : "joined"];
  }

  /** Synchronous if it was compressed before or need not be. */
  as(encoding: Encoding | undefined): Representation | Promise<Representation> {
    if (encoding) return this.#encoded?.get(encoding) ?? this.#encode(encoding);
    this.#plain ??= new Representation(this.bytes, undefined, () => this.tag);
    return this.#plain;
  }

  #encode(encoding: Encoding): Representation | Promise<Representation> {
    const encoded = this.#encoded ?? new Map();
    this.#encoded = encoded;
    const keep = (bytes: Buffer): Representation => {
      const made = new Representation(bytes, encoding, () => tagOf(this.tag, encoding));
      encoded.set(encoding, made);
      return made;
    };
    const packed = compress(this.bytes, encoding, this.#effort);
    if (!(packed instanceof Promise)) return keep(packed);
    const promise = packed.then(keep);
    encoded.set(encoding, promise);
    return promise;
  }
}

export const sendText = (request: FastifyRequest, reply: FastifyReply, text: string): Promise<FastifyReply> =>
  sendReady(request, reply, new ReadyAnswer(Buffer.from(text)));

/** Sends bytes with an ETag (GET and HEAD only), and answers 304 if the caller has them already. */
export async function sendReady(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: ReadyAnswer,
): Promise<FastifyReply> {
  const encoding = answer.encodingFor(request.headers["accept-encoding"]);
  const isRead = request.method === "GET" || request.method === "HEAD";
  if (isRead && reply.statusCode === 200) {
    const tag = tagOf(answer.tag, encoding);
    reply.header("etag", `"${tag}"`);
    if (isUnchanged(request.headers["if-none-match"], tag)) return reply.code(304).removeHeader("content-type").send();
  }
  if (!encoding) return reply.send(answer.bytes);
  return reply.header("content-encoding", encoding).send((await answer.as(encoding)).bytes);
}
