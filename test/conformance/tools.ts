// How publishing tools write a multipart form: their boundaries, and the headers of each part.
import { randomBytes, randomInt, randomUUID } from "node:crypto";
import type { HeaderLine } from "./wire.js";

export interface Part {
  name: string;
  value: string | Buffer;
  /** Only files have one. */
  fileName?: string;
}

export interface Tool {
  name: string;
  /** Headers except for Host, Content-Type and Content-Length. */
  headers: readonly HeaderLine[];
  boundary(): string;
  /** The headers of a part, without the first one. */
  partLines(part: Part, bytes: Buffer): string[];
  /** The text after the last boundary. */
  ending: string;
}

const digits = (count: number): string => Array.from({ length: count }, () => randomInt(10)).join("");
const letters = (count: number): string => randomBytes(count).toString("base64url").slice(0, count);

export const tools: readonly Tool[] = [
  {
    name: "curl",
    headers: [
      ["User-Agent", "curl/8.5.0"],
      ["Accept", "*/*"],
    ],
    boundary: () => `------------------------${letters(22).replace(/[-_]/g, "x")}`,
    partLines: ({ fileName }) => (fileName ? ["Content-Type: application/octet-stream"] : []),
    ending: "\r\n",
  },
  {
    name: "curl with a large file",
    headers: [
      ["User-Agent", "curl/7.81.0"],
      ["Accept", "*/*"],
      ["Expect", "100-continue"],
    ],
    boundary: () => `------------------------${randomBytes(8).toString("hex")}`,
    partLines: ({ fileName }) => (fileName ? ["Content-Type: application/java-archive"] : []),
    ending: "\r\n",
  },
  {
    name: "a Node script (undici)",
    headers: [
      ["connection", "keep-alive"],
      ["accept", "*/*"],
      ["accept-language", "*"],
      ["sec-fetch-mode", "cors"],
      ["user-agent", "node"],
      ["accept-encoding", "gzip, deflate"],
    ],
    boundary: () => `----formdata-undici-0${digits(11)}`,
    partLines: ({ fileName }) => (fileName ? ["Content-Type: application/octet-stream"] : []),
    ending: "\r\n",
  },
  {
    name: "a Gradle task (Apache HttpClient)",
    headers: [
      ["User-Agent", "Apache-HttpClient/4.5.14 (Java/21.0.2)"],
      ["Accept-Encoding", "gzip,deflate"],
      ["Connection", "Keep-Alive"],
    ],
    boundary: () => letters(36),
    partLines: ({ fileName }) =>
      fileName
        ? ["Content-Type: application/octet-stream", "Content-Transfer-Encoding: binary"]
        : ["Content-Type: text/plain; charset=UTF-8", "Content-Transfer-Encoding: 8bit"],
    ending: "\r\n",
  },
  {
    name: "a Gradle task (okhttp)",
    headers: [
      ["Connection", "Keep-Alive"],
      ["Accept-Encoding", "gzip"],
      ["User-Agent", "okhttp/4.12.0"],
    ],
    boundary: randomUUID,
    partLines: ({ fileName }, bytes) => [
      ...(fileName ? ["Content-Type: application/java-archive"] : []),
      `Content-Length: ${bytes.length}`,
    ],
    ending: "\r\n",
  },
  {
    name: "a Java program (java.net.http)",
    headers: [
      ["Connection", "Upgrade, HTTP2-Settings"],
      ["HTTP2-Settings", "AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA"],
      ["Upgrade", "h2c"],
      ["User-Agent", "Java-http-client/17.0.10"],
    ],
    boundary: () => `Boundary${Date.now()}`,
    partLines: ({ fileName }) =>
      fileName ? ["Content-Type: application/java-archive"] : ["Content-Type: text/plain; charset=utf-8"],
    ending: "",
  },
  {
    name: "a Python script (requests)",
    headers: [
      ["User-Agent", "python-requests/2.31.0"],
      ["Accept-Encoding", "gzip, deflate"],
      ["Accept", "*/*"],
      ["Connection", "keep-alive"],
    ],
    boundary: () => randomBytes(16).toString("hex"),
    partLines: () => [],
    ending: "\r\n",
  },
];

/** The form as the tool writes it, and the header that announces it. */
export function writeForm(tool: Tool, parts: readonly Part[]): { contentType: HeaderLine; body: Buffer } {
  const boundary = tool.boundary();
  const chunks = parts.flatMap((part) => {
    const bytes = Buffer.from(part.value as string);
    const file = part.fileName ? `; filename="${part.fileName}"` : "";
    const lines = [
      `--${boundary}`,
      `Content-Disposition: form-data; name="${part.name}"${file}`,
      ...tool.partLines(part, bytes),
    ];
    return [Buffer.from(`${lines.join("\r\n")}\r\n\r\n`), bytes, Buffer.from("\r\n")];
  });
  return {
    contentType: ["Content-Type", `multipart/form-data; boundary=${boundary}`],
    body: Buffer.concat([...chunks, Buffer.from(`--${boundary}--${tool.ending}`)]),
  };
}
