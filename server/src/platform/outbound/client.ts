// The client for requests to URLs that users configure (reliability D-18). The checked address is the one that is
// connected to, for every request, proxies of the environment are not used, connections are not kept, and the answer is
// limited in size and time. Redirects of a POST are not followed; those of a GET are checked like the first URL.
import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import type { LookupFunction } from "node:net";
import { type Said, say } from "#words/said.js";
import { isPublicAddress } from "./addresses.js";
import { type Resolve, resolveByDns, resolveBySystem, toLookupAddress } from "./resolving.js";
import { parseTarget, TargetRefused, type TargetRules } from "./targets.js";

export interface OutboundRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}

export interface OutboundAnswer {
  status: number;
  headers: IncomingMessage["headers"];
  /** The first 64 KiB. */
  body: Buffer;
}

export interface OutboundRules extends TargetRules {
  timeoutMs?: number;
  resolve?: Resolve;
}

/** Why there was no answer, as a sentence for the user who configured the URL. */
export class OutboundError extends Error {
  override name = "OutboundError";
  readonly said: Said;

  constructor(said: Said, options?: ErrorOptions) {
    super(String(said), options);
    this.said = said;
  }
}

const totalMs = 10_000;
const maxAnswerBytes = 64 * 1024;
const maxHeaderSize = 16 * 1024;
// Separate agents: the global ones keep connections, and use the environment's proxies if Node.js is configured so.
const agents = { http: new HttpAgent({ keepAlive: false }), https: new HttpsAgent({ maxCachedSessions: 0 }) };

export const post = ({ url, headers, body }: OutboundRequest, rules: OutboundRules): Promise<OutboundAnswer> =>
  withinTime(rules, async (signal) => {
    const length = { "content-length": String(Buffer.byteLength(body)) };
    const response = await send(parseTarget(url, rules), "POST", { ...headers, ...length }, body, rules, signal);
    return { status: response.statusCode ?? 0, headers: response.headers, body: await readStart(response) };
  });

const mostRedirects = 3;

interface Get {
  url: string;
  headers: Record<string, string>;
  /** How many redirects are followed. */
  redirects?: number;
}

/** `read` gets the answer, whatever its status is. Its time counts too. */
export const get = <T>(
  { url, headers, redirects: most = mostRedirects }: Get,
  rules: OutboundRules,
  read: (response: IncomingMessage) => Promise<T>,
): Promise<T> =>
  withinTime(rules, async (signal) => {
    let target = parseTarget(url, rules);
    let hop = rules;
    for (let redirects = 0; ; redirects++) {
      const response = await send(target, "GET", headers, "", hop, signal);
      const next = isRedirect(response) ? URL.parse(response.headers.location ?? "", target) : null;
      if (!next || redirects === most) {
        try {
          return await read(response);
        } finally {
          response.destroy();
        }
      }
      response.destroy();
      next.hash = "";
      // A private address is allowed only where the caller has named it.
      if (next.host !== target.host) hop = { ...rules, allowPrivate: false };
      target = parseTarget(next.href, hop);
    }
  });

export const isRedirect = ({ statusCode = 0 }: IncomingMessage): boolean =>
  [301, 302, 303, 307, 308].includes(statusCode);

export interface Download {
  url: string;
  headers: Record<string, string>;
  maxBytes: number;
}

/** The whole body of an answer with status 200; throws if there is none, or if it has more bytes. */
export const download = ({ url, headers, maxBytes }: Download, rules: OutboundRules): Promise<Buffer> =>
  get({ url, headers }, rules, async (response) => {
    if (response.statusCode !== 200) throw new OutboundError(say.deliveries.answered(response.statusCode ?? 0));
    return readWhole(response, maxBytes);
  });

async function withinTime<T>(rules: OutboundRules, act: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { timeoutMs = totalMs } = rules;
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    return await act(signal);
  } catch (error) {
    if (signal.aborted) throw new OutboundError(say.deliveries.noAnswerWithin(timeoutMs / 1000));
    throw error instanceof OutboundError ? error : new OutboundError(describe(error), { cause: error });
  }
}

function send(
  url: URL,
  method: "GET" | "POST",
  headers: Record<string, string>,
  body: string,
  rules: OutboundRules,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const isTls = url.protocol === "https:";
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const request = (isTls ? requestHttps : requestHttp)(url, {
    method,
    agent: isTls ? agents.https : agents.http,
    lookup: checkedLookup(rules, signal),
    signal,
    maxHeaderSize,
    headers: { ...headers, "accept-encoding": "identity", connection: "close" },
  });
  request.on("response", (response) => {
    resolve(response);
    // Errors from here on concern only the rest of the answer.
    request.off("error", reject).on("error", () => response.destroy());
  });
  request.on("error", reject);
  request.end(body);
  return promise;
}

/**
 * Node.js connects only to the addresses that this returns, so that a name cannot resolve to another address after the
 * check. One private address among several is enough for a refusal: legitimate names never have both.
 */
const checkedLookup =
  ({ allowPrivate, resolve = allowPrivate ? resolveBySystem : resolveByDns }: OutboundRules, signal: AbortSignal) =>
  (...[host, options, callback]: Parameters<LookupFunction>): void => {
    const look = async () => {
      if (isForExamples(host)) throw new OutboundError(say.deliveries.reservedHost);
      const found = await resolve(host, signal);
      if (found.length === 0) throw new OutboundError(say.deliveries.unknownHost);
      if (!allowPrivate && !found.every(isPublicAddress)) throw new OutboundError(say.deliveries.privateHost);
      return found.map(toLookupAddress);
    };
    look().then(
      (found) => (options.all ? callback(null, found) : callback(null, found[0]!.address, found[0]!.family)),
      (error: Error) => callback(error, ""),
    );
  };

/** RFC 2606: the owners of these names want no requests from users who copied an example. */
const isForExamples = (host: string): boolean => /(?:^|\.)(?:example|invalid|example\.(?:com|net|org))\.?$/.test(host);

/** The status is enough: an answer that breaks off or never ends is truncated, not refused. */
async function readStart(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= maxAnswerBytes) break;
    }
  } catch {
    response.destroy();
  }
  return Buffer.concat(chunks).subarray(0, maxAnswerBytes);
}

export async function readWhole(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Leaving the loop early closes the connection. A body that breaks off throws.
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw new OutboundError(say.deliveries.tooLarge);
    chunks.push(chunk);
  }
  if (!response.complete) throw new OutboundError(say.deliveries.connectionFailed(""));
  return Buffer.concat(chunks);
}

function describe(error: unknown): Said {
  if (error instanceof TargetRefused) return say.deliveries.refusedUrl(error.said);
  const { code = "" } = error as NodeJS.ErrnoException;
  if (/^(?:ENOTFOUND|EAI_|ENODATA)/.test(code)) return say.deliveries.unknownHost;
  if (/CERT|_TLS_|_SSL_|SELF_SIGNED|UNABLE_TO/.test(code)) return say.deliveries.tlsFailed(code);
  if (code.startsWith("HPE_")) return say.deliveries.notHttp;
  return say.deliveries.connectionFailed(code);
}
