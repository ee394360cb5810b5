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

type Encoding = "br" | "gzip";

const compress: Record<Encoding, (bytes: Buffer) => Promise<Buffer>> = {
  // Quality 4 costs about as much as gzip and packs better.
  br: (bytes) => brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (bytes) => gzipped(bytes, { level: 5 }),
};

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

/** If-None-Match, where a tag stands for all encodings of the same answer. */
export function isUnchanged(header: string | undefined, tag: string): boolean {
  if (!header) return false;
  if (header.trim() === "*") return true;
  return header.split(",").some(
    (part) =>
      part
        .trim()
        .replace(/^W\//, "")
        .replace(/^"|"$/g, "")
        .replace(/-(br|gzip)$/, "") === tag,
  );
}

/** Sends text with an ETag (GET and HEAD only), answering 304 where the caller has it already. */
export async function sendText(request: FastifyRequest, reply: FastifyReply, text: string): Promise<FastifyReply> {
  const bytes = Buffer.from(text);
  const isRead = request.method === "GET" || request.method === "HEAD";
  const tag = isRead && reply.statusCode === 200 ? entityTag(bytes) : undefined;
  if (tag && isUnchanged(request.headers["if-none-match"], tag)) {
    return reply.code(304).header("etag", `"${tag}"`).removeHeader("content-type").send();
  }
  const encoding = bytes.length >= worthCompressing ? chooseEncoding(request.headers["accept-encoding"]) : undefined;
  if (tag) reply.header("etag", encoding ? `"${tag}-${encoding}"` : `"${tag}"`);
  if (!encoding) return reply.send(bytes);
  return reply.header("content-encoding", encoding).send(await compress[encoding](bytes));
}
