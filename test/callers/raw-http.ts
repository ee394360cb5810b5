// HTTP as bytes on a socket, for requests that no well-behaved client would send.
import { connect, type Socket } from "node:net";

export interface RawReply {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Sends the bytes and returns everything that is received until the server closes the connection. */
export function sendRaw(origin: string, bytes: string | Buffer): Promise<string> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const socket: Socket = connect(Number(port), hostname, () => socket.write(bytes));
    const chunks: Buffer[] = [];
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    socket.on("close", () => resolve(Buffer.concat(chunks).toString("latin1")));
    // Some refusals end with a reset after the answer.
    socket.on("error", (error) => (chunks.length > 0 ? undefined : reject(error)));
  });
}

/** The first answer in the text. */
export function parseRaw(text: string): RawReply {
  const headEnd = text.indexOf("\r\n\r\n");
  const [statusLine = "", ...lines] = text.slice(0, headEnd).split("\r\n");
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
  );
  const length = Number(headers["content-length"] ?? 0);
  return {
    status: Number(statusLine.split(" ")[1]),
    headers,
    body: text.slice(headEnd + 4, headEnd + 4 + length),
  };
}

/** A request with the given header lines; the connection is closed after it. */
export const rawRequest = async (origin: string, lines: string[], body = ""): Promise<RawReply> =>
  parseRaw(await sendRaw(origin, `${[...lines, "connection: close"].join("\r\n")}\r\n\r\n${body}`));
