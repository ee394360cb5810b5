// As much of fetch as the client needs, on node:http. It starts in a quarter of the time of the global function, and each
// download costs half as much.
import { Agent, type IncomingMessage, type RequestOptions, request } from "node:http";
import type { Readable } from "node:stream";
import type { Fetch } from "modshelf-client";
import { atOnce } from "./parallel.js";

/** The global function knows the proxies that Node.js is told to use. */
export const chooseFetch = (env: Readonly<Record<string, string | undefined>>): Fetch =>
  env.NODE_USE_ENV_PROXY || /--use-env-proxy/.test(`${env.NODE_OPTIONS} ${process.execArgv}`) ? fetch : httpFetch;

/** A download that begins while another one ends waits for its connection, in place of making a further one. */
const connections = { keepAlive: true, maxSockets: atOnce, timeout: 5000 };
const plainAgent = new Agent(connections);
type Start = (url: string, options: RequestOptions) => ReturnType<typeof request>;
const startPlain: Start = (url, options) => request(url, { ...options, agent: plainAgent });
let loaded: Promise<Start> | undefined;
/** Loading the code for https takes a while. */
const startSafe = (): Promise<Start> => {
  loaded ??= import("node:https").then((https) => {
    const agent = new https.Agent(connections);
    return (url, options) => https.request(url, { ...options, agent });
  });
  return loaded;
};

export const httpFetch: Fetch = async (url, { method, headers, body, signal }) => {
  const start = url.startsWith("https:") ? await startSafe() : startPlain;
  // Files are compressed already.
  const encoding = "Accept" in headers ? "br, gzip" : "identity";
  const message = await new Promise<IncomingMessage>((resolve, reject) => {
    const fail = (cause?: Error) => reject(new TypeError("The request failed.", { cause }));
    const sent = start(url, { method, headers: { ...headers, "Accept-Encoding": encoding }, signal })
      .once("response", (answer) => resolve(sent.off("close", fail) && answer))
      .on("error", fail)
      .once("close", fail)
      .end(typeof body === "object" ? new Uint8Array(body) : body);
  });
  const { statusCode: status = 0 } = message;
  const stream = await decode(message);
  const pieces = stream.iterator({ destroyOnReturn: false });
  const cancel = () => end(message, stream, pieces);
  return {
    ...{ status, ok: status >= 200 && status < 300, type: "default" },
    headers: { get: (name) => message.headers[name.toLowerCase()]?.toString() ?? null },
    body: { getReader: () => ({ read: () => pieces.next(), cancel }), cancel },
  };
};

async function decode(message: IncomingMessage): Promise<Readable> {
  const { "content-encoding": encoding = "identity" } = message.headers;
  if (encoding === "identity") return message;
  const { createBrotliDecompress, createUnzip } = await import("node:zlib");
  const { pipeline } = await import("node:stream");
  // The reader of the stream gets its error.
  return pipeline(message, encoding === "br" ? createBrotliDecompress() : createUnzip(), () => undefined);
}

/** Milliseconds. */
const patience = 1000;

/** A body of which all is known ends now or a moment later. Then the connection can be used again. */
async function end(message: IncomingMessage, stream: Readable, pieces: AsyncIterator<unknown>): Promise<void> {
  const timer = setTimeout(() => stream.destroy(), patience).unref();
  try {
    while (!(await pieces.next()).done) if (!message.complete || stream !== message) stream.destroy();
  } finally {
    clearTimeout(timer);
  }
}
