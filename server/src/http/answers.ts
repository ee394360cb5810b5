// Sends JSON: strong ETag, 304, compression, and the headers that every answer carries. Bytes that are ready are sent
// as they are.
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

/** Below this a compressed answer saves no packet. */
const worthCompressing = 1400;

export type Encoding = "br" | "gzip";

/** Brotli and gzip. What is made once and sent for ever is packed well; 11 would be ten times the work for 2 % more. */
const effort = { quick: { br: 4, gzip: 5 }, thorough: { br: 9, gzip: 9 } } as const;

export type Effort = keyof typeof effort;

const compress = (bytes: Buffer, encoding: Encoding, how: Effort): Promise<Buffer> =>
  encoding === "br"
    ? brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: effort[how].br } })
    : gzipped(bytes, { level: effort[how].gzip });

/** The best encoding that the caller takes; a quality of 0 means "not this one". */
export function chooseEncoding(header: string | undefined): Encoding | undefined {
  if (!header) return undefined;
  const accepted = new Map<string, number>();
  for (const part of header.toLowerCase().split(",")) {
    const [name = "", ...parameters] = part.trim().split(";");
    const quality = parameters.map((text) => /^\s*q=([\d.]+)\s*$/.exec(text)?.[1]).find((text) => text !== undefined);
    accepted.set(name.trim(), quality === undefined ? 1 : Number(quality));
  }
  const weight = (name: string) => accepted.get(name) ?? accepted.get("*") ?? 0;
  if (weight("br") > 0 && weight("br") >= weight("gzip")) return "br";
  return weight("gzip") > 0 ? "gzip" : undefined;
}

export const entityTag = (bytes: string | Uint8Array): string =>
  createHash("sha256").update(bytes).digest("base64url").slice(0, 22);

/** Each encoding is a representation of its own, and so has a tag of its own. */
export const tagOf = (tag: string, encoding: Encoding | undefined): string => (encoding ? `${tag}-${encoding}` : tag);

/** If-None-Match: whether the caller has the representation with this tag, by weak comparison. */
export function isUnchanged(header: string | undefined, tag: string): boolean {
  if (!header) return false;
  if (header.trim() === "*") return true;
  for (const [, given] of header.matchAll(/"([^"]*)"/g)) if (given === tag) return true;
  return false;
}

export interface Sendable {
  bytes: Buffer;
  tag(): string;
  encoding: Encoding | undefined;
}

/** JSON or text that is ready to be sent: bytes, their tag, and their compressed forms once somebody asked for them. */
export class ReadyAnswer {
  readonly bytes: Buffer;
  readonly #makeTag: () => string;
  readonly #effort: Effort;
  #tag: string | undefined;
  readonly #encoded = new Map<Encoding, Promise<Buffer>>();
  readonly #encodedNow = new Map<Encoding, Buffer>();

  /** The tag is made when somebody needs it: from the bytes, or cheaper by whoever knows how. */
  constructor(bytes: Buffer, makeTag: () => string = () => entityTag(bytes), how: Effort = "quick") {
    this.bytes = bytes;
    this.#makeTag = makeTag;
    this.#effort = how;
  }

  get tag(): string {
    this.#tag ??= this.#makeTag();
    return this.#tag;
  }

  encoded(encoding: Encoding): Promise<Buffer> {
    let bytes = this.#encoded.get(encoding);
    if (!bytes) {
      bytes = compress(this.bytes, encoding, this.#effort).then((packed) => {
        this.#encodedNow.set(encoding, packed);
        return packed;
      });
      this.#encoded.set(encoding, bytes);
    }
    return bytes;
  }

  /** How to send it to a caller who takes these encodings: at once, where it has been packed before or need not be. */
  at(acceptEncoding: string | undefined): Sendable | Promise<Sendable> {
    const encoding = this.bytes.length >= worthCompressing ? chooseEncoding(acceptEncoding) : undefined;
    const tag = () => tagOf(this.tag, encoding);
    const bytes = encoding ? this.#encodedNow.get(encoding) : this.bytes;
    if (bytes) return { bytes, tag, encoding };
    return this.encoded(encoding!).then((packed) => ({ bytes: packed, tag, encoding }));
  }
}

export const sendText = (request: FastifyRequest, reply: FastifyReply, text: string): Promise<FastifyReply> =>
  sendReady(request, reply, new ReadyAnswer(Buffer.from(text)));

/** Sends bytes with an ETag (GET and HEAD only), answering 304 where the caller has them already. */
export async function sendReady(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: ReadyAnswer,
): Promise<FastifyReply> {
  const worthIt = answer.bytes.length >= worthCompressing;
  const encoding = worthIt ? chooseEncoding(request.headers["accept-encoding"]) : undefined;
  const isRead = request.method === "GET" || request.method === "HEAD";
  if (isRead && reply.statusCode === 200) {
    const tag = tagOf(answer.tag, encoding);
    reply.header("etag", `"${tag}"`);
    if (isUnchanged(request.headers["if-none-match"], tag)) return reply.code(304).removeHeader("content-type").send();
  }
  if (!encoding) return reply.send(answer.bytes);
  return reply.header("content-encoding", encoding).send(await answer.encoded(encoding));
}
