// A request as bytes, damaged in a few places, like a broken client, a broken proxy or an attacker would send it.
import { type Choose, pick } from "./fitting-values.js";
import type { FuzzRequest } from "./fuzz-requests.js";

type Breakage = (bytes: Buffer, choose: Choose) => Buffer;

const oddBytes = ["\0", "\r", "\n", "\r\n", "\t", " ", ":", ",", "\x80", "\xff", "\x7f", "\r\n ", "\r\r\n"];

const oddLines = [
  "Content-Length: 0",
  "Content-Length: 5",
  "Content-Length: -1",
  "Content-Length: +5",
  "Content-Length: 5, 6",
  "Content-Length: 0x5",
  "Content-Length: 99999999999999999999",
  "Content-Length : 5",
  "Transfer-Encoding: chunked",
  "Transfer-Encoding: identity, chunked",
  "Transfer-Encoding: chunked, chunked",
  "Transfer-Encoding:\x0bchunked",
  "transfer-encoding: \tchunked",
  "Host: evil.example",
  "Connection: content-length",
  "X-Folded: a\r\n b",
  "\r\nGET /healthz HTTP/1.1",
  `X-Long: ${"l".repeat(20_000)}`,
  "Expect: 100-continue",
  "Upgrade: h2c",
  ": no name",
];

const firstLines = [
  "GET http://evil.example/healthz HTTP/1.1",
  "GET * HTTP/1.1",
  "CONNECT evil.example:443 HTTP/1.1",
  "GET /healthz",
  "GET /healthz HTTP/2.0",
  "GET /healthz HTTP/1.0",
  "GET  /healthz HTTP/1.1",
  "get /healthz HTTP/1.1",
  "PRI * HTTP/2.0",
  "",
];

const splice = (bytes: Buffer, at: number, removed: number, added = ""): Buffer =>
  Buffer.concat([bytes.subarray(0, at), Buffer.from(added, "latin1"), bytes.subarray(at + removed)]);

const breakages: readonly Breakage[] = [
  (bytes, choose) => splice(bytes, choose(bytes.length), 0, pick(oddBytes, choose)),
  (bytes, choose) => splice(bytes, choose(bytes.length), 1 + choose(20)),
  (bytes, choose) => splice(bytes, choose(bytes.length), 1, String.fromCharCode(choose(256))),
  (bytes, choose) => splice(bytes, bytes.indexOf("\r\n"), 0, `\r\n${pick(oddLines, choose)}`),
  (bytes, choose) => splice(bytes, bytes.indexOf("\r\n"), 0, `\r\n${pick(oddLines, choose)}`),
  (bytes, choose) => splice(bytes, 0, bytes.indexOf("\r\n"), pick(firstLines, choose)),
  (bytes) => Buffer.from(bytes.toString("latin1").replaceAll("\r\n", "\n"), "latin1"),
  // Half a request.
  (bytes, choose) => bytes.subarray(0, choose(bytes.length)),
  // Another request after it, complete or cut off.
  (bytes, choose) => Buffer.concat([bytes, bytes.subarray(0, choose(bytes.length + 1))]),
  (bytes) => Buffer.concat([bytes, Buffer.from("\x16\x03\x01\x02\0garbage", "latin1")]),
];

export function brokenBytes({ method, path, headers, body }: FuzzRequest, choose: Choose): Buffer {
  const lines = Object.entries(headers).flatMap(([name, value]) => [value].flat().map((text) => `${name}: ${text}`));
  const isChunked = body !== undefined && choose(3) === 0;
  const framing = isChunked ? ["transfer-encoding: chunked"] : body ? [`content-length: ${body.length}`] : [];
  const head = [`${method} ${path} HTTP/1.1`, "host: modshelf.test", ...lines, ...framing, "", ""].join("\r\n");
  const chunk = isChunked
    ? [Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from("\r\n0\r\n\r\n")]
    : [body];
  let bytes = Buffer.concat([Buffer.from(head, "latin1"), ...chunk.map((part) => part ?? Buffer.alloc(0))]);
  for (let times = 1 + choose(3); times > 0; times--) bytes = Buffer.from(pick(breakages, choose)(bytes, choose));
  return bytes;
}
