// Requests as existing programs send them: their headers in their order and case, and nothing added by a library.
import { once } from "node:events";
import { type ClientRequest, type IncomingMessage, request } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { Reply } from "#test/callers/actors.js";

export type HeaderLine = readonly [name: string, value: string];

export interface WireRequest {
  method?: string;
  path: string;
  headers?: readonly HeaderLine[];
  body?: Buffer;
}

export async function send(origin: string, { method = "GET", path, headers = [], body }: WireRequest): Promise<Reply> {
  const { host } = new URL(origin);
  const lines = [["Host", host], ...headers, ...(body ? [["Content-Length", String(body.length)]] : [])];
  const call = request(origin + path, { method, headers: lines.flat(), agent: false });
  const answered = once(call, "response") as Promise<[IncomingMessage]>;
  const isPatient = headers.some(([name, value]) => name.toLowerCase() === "expect" && value === "100-continue");
  // A client that sends Expect may get its answer before it sends the body.
  if (!isPatient || (await isInvited(call, answered))) call.end(body);
  const [answer] = await answered;
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk);
  call.destroy();
  return toReply(answer, Buffer.concat(chunks));
}

async function isInvited(call: ClientRequest, answered: Promise<unknown>): Promise<boolean> {
  call.flushHeaders();
  return Promise.race([once(call, "continue").then(() => true), answered.then(() => false)]);
}

const unpack: Record<string, (bytes: Buffer) => Buffer> = { gzip: gunzipSync, br: brotliDecompressSync };

function toReply(answer: IncomingMessage, packed: Buffer): Reply {
  const headers = new Headers();
  for (const [name, values] of Object.entries(answer.headersDistinct))
    for (const value of values ?? []) headers.append(name, value);
  const bytes = unpack[headers.get("content-encoding") ?? ""]?.(packed) ?? packed;
  const text = bytes.toString("utf8");
  const isJson = headers.get("content-type")?.startsWith("application/json") && text !== "";
  return { status: answer.statusCode ?? 0, headers, text, bytes, body: isJson ? JSON.parse(text) : undefined };
}
