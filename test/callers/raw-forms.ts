// Multipart forms written byte by byte and sent over a bare socket, which no library would send.
import { parseRaw, type RawReply, sendRaw } from "#test/callers/raw-http.js";

export const boundary = "----cut-here";
export const formEnd = Buffer.from(`--${boundary}--\r\n`);

/** One part; the heading follows "form-data;". */
export const rawPart = (heading: string, content: string | Buffer, headers = ""): Buffer =>
  Buffer.concat([
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${heading}\r\n${headers}\r\n`),
    Buffer.from(content as string),
    Buffer.from("\r\n"),
  ]);

export const textPart = (name: string, value: string): Buffer => rawPart(`name="${name}"`, value);

export const filePart = (name: string, fileName: string, bytes: string | Buffer): Buffer =>
  rawPart(`name="${name}"; filename="${fileName}"`, bytes, "Content-Type: application/octet-stream\r\n");

export interface RawUpload {
  method?: string;
  path: string;
  token: string;
  body: Buffer;
  contentType?: string;
  /** Replaces the body's true length; "chunked" sends it in one chunk without the final one. */
  length?: number | "chunked";
}

export function rawUpload(upload: RawUpload): Buffer {
  const { method = "POST", path, token, body, length = body.length } = upload;
  const { contentType = `multipart/form-data; boundary=${boundary}` } = upload;
  const head = [
    `${method} ${path} HTTP/1.1`,
    "host: modshelf.test",
    `authorization: Bearer ${token}`,
    `content-type: ${contentType}`,
    length === "chunked" ? "transfer-encoding: chunked" : `content-length: ${length}`,
    "connection: close",
    "\r\n",
  ].join("\r\n");
  const chunkHead = length === "chunked" ? `${body.length.toString(16)}\r\n` : "";
  return Buffer.concat([Buffer.from(head + chunkHead), body]);
}

export const sendUpload = async (origin: string, upload: RawUpload): Promise<RawReply> =>
  parseRaw(await sendRaw(origin, rawUpload(upload)));
