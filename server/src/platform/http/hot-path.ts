// Answers the most frequent reads before Fastify: bytes from memory, written with one call. It accepts only the
// plainest requests and leaves all others to the ordinary routes, whose answers it must match exactly (tests compare
// them). The metrics count these requests; the log contains them only at level debug.
import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import { clientAddress, limitKey, type TrustedProxies } from "#lib/client-address.js";
import { newId } from "#lib/random.js";
import type { ReadyAnswer, Representation } from "./answers.js";
import { publicAnswerHeaders } from "./constant-headers.js";
import type { ContentHostTest } from "./content-host.js";
import { type Content, type FindHotFile, type HotCaller, type HotFile, sendContent } from "./hot-file.js";
import { facePath, faceRateFields, isOfFace } from "./modrinth-fields.js";
import { look, type Seen } from "./plain-request.js";
import { rateClasses, rateLimitFields } from "./rate-limit-fields.js";
import type { LocalRateClass } from "./rate-limiter.js";
import type { Resources } from "./resources.js";

export interface HotRead {
  route: string;
  answer: ReadyAnswer;
  /** The rate class of the route; "read" by default. */
  rate?: LocalRateClass;
  /** The project whose page it is: the view is counted. */
  viewed?: string | undefined;
  /** For an answer in a reused buffer: called when its bytes have been sent. */
  onSent?: (() => void) | undefined;
}

/** A read whose cost is paid only after the quota has been taken from: a search, or a list. */
export interface HotQuestion {
  rate: LocalRateClass;
  ask(): HotRead | Promise<HotRead>;
}

/** A look-up that is too long for a URL: the answer, or a function that makes it. Undefined for unusual requests. */
export type HotPost = (body: Buffer) => HotRead | (() => Promise<HotRead>) | undefined;

/** The page at this URL, if it is the same for all anonymous users with these preferences. */
export type HotPages = (
  url: string,
) => ((accepted: Pick<Seen, "acceptLanguage">) => HotRead | HotQuestion | undefined) | undefined;

export interface HotPath {
  find(url: string): HotRead | HotQuestion | undefined;
  findFile: FindHotFile;
  findPages: HotPages;
  /** Counts the view of a project's page. */
  noteView(projectId: string, by: HotCaller): void;
  /** Headers of pages besides those of all answers, including their type. */
  pageHeaders: Readonly<Record<string, string>>;
  /** By the path that they are posted to; all have the rate class "bulk". */
  posted: ReadonlyMap<string, HotPost>;
  resources: Resources;
  trustedProxies: TrustedProxies;
  /** Whether a Host header names the content host, which serves only files. */
  isContentHost: ContentHostTest;
  /** The same for the host of the Modrinth face, if there is one. */
  isFaceHost: ContentHostTest | undefined;
}

export function putHotPathFirst(server: Server, path: HotPath): void {
  const ordinary = server.listeners("request") as RequestListener[];
  const pass: RequestListener = (request, response) => {
    for (const listener of ordinary) listener.call(server, request, response);
  };
  const serve = createHotPath(path, pass);
  server.removeAllListeners("request");
  server.on("request", (request, response) => {
    const hasFinalSlash = dropFinalSlash(request);
    if (hasFinalSlash || !serve(request, response)) pass(request, response);
  });
}

/**
 * A final slash never changes the meaning of a URL (decisions §3): every route answers as without it. Only pages
 * redirect (web/frame/page.ts), because many clients do not repeat a POST or PATCH at another URL.
 */
function dropFinalSlash(request: IncomingMessage & { originalUrl?: string }): boolean {
  const { url = "" } = request;
  const queryAt = url.indexOf("?");
  const end = queryAt === -1 ? url.length : queryAt;
  if (end < 2 || url[end - 1] !== "/") return false;
  // Fastify exposes it as request.originalUrl.
  request.originalUrl = url;
  request.url = url.slice(0, end - 1) + url.slice(end);
  return true;
}

function createHotPath(path: HotPath, pass: RequestListener) {
  const { find, findFile, findPages, posted, resources, trustedProxies, isContentHost } = path;
  const { limiter, readiness, metrics, log, random, config } = resources;
  const { countryHeader } = config.http;
  const headers = {
    read: publicAnswerHeaders(config.http.url, "no-cache"),
    page: publicAnswerHeaders(config.http.url, "private, no-cache", path.pageHeaders),
    posted: publicAnswerHeaders(config.http.url, "private, no-store"),
  };
  // Unique like the ordinary ids, without random bytes for every request.
  const idPrefix = newId(random);
  let requests = 0;

  const addressOf = (request: IncomingMessage, seen: Seen): string =>
    clientAddress(request.socket.remoteAddress ?? "", seen.forwardedFor, trustedProxies);

  /** Leaves a request that was admitted to the ordinary route, which takes from the quota itself. */
  function giveBack(request: IncomingMessage, response: ServerResponse, rate: LocalRateClass, address: string): void {
    if (limiter.enabled) void limiter.refund(rate, limitKey(address));
    pass(request, response);
  }

  /** Counts and logs a request. Returns its id. */
  function note(method: "GET" | "POST", route: string): string {
    const id = `${idPrefix}${requests++}`;
    metrics.countHot(method, route);
    if (log.isLevelEnabled("debug")) log.debug({ reqId: id, method, route, status: 200 }, "request");
    return id;
  }

  /** The headers of the answer; undefined if the caller has used up the quota: the ordinary route refuses it then. */
  function admit(
    request: IncomingMessage,
    seen: Seen,
    base: readonly string[],
    rate: LocalRateClass,
    address = limiter.enabled ? addressOf(request, seen) : "",
  ): string[] | undefined {
    const all = base.slice();
    if (!limiter.enabled) return all;
    const result = limiter.takeNow(rate, limitKey(address));
    if (!result.allowed) return undefined;
    const fields = rateLimitFields(rate, rateClasses[rate], result);
    all.push("ratelimit-policy", fields["RateLimit-Policy"], "ratelimit", fields.RateLimit);
    if (isOfFace(request.url ?? "")) all.push(...Object.entries(faceRateFields(rateClasses[rate], result)).flat());
    return all;
  }

  /** False if the answer could not be joined; then nothing was sent, and the ordinary route must answer. */
  function answer(
    request: IncomingMessage,
    response: ServerResponse,
    read: HotRead,
    seen: Seen,
    all: string[],
  ): boolean {
    const method = request.method as "GET" | "POST";
    let sent: Representation | Promise<Representation>;
    try {
      sent = read.answer.as(read.answer.encodingFor(seen.acceptEncoding));
    } catch (error) {
      log.warn({ err: error, route: read.route }, "An answer could not be joined");
      return false;
    }
    const id = note(method, read.route);
    all.push("x-request-id", id);
    if (sent instanceof Promise)
      sent.then(
        (packed) => {
          read.onSent?.();
          send(method, response, all, packed);
        },
        // It is sent uncompressed: a failed compression is no reason to refuse the request.
        (error) => {
          log.warn({ err: error, reqId: id }, "An answer could not be compressed and was sent uncompressed");
          send(method, response, all, read.answer.as(undefined) as Representation, read.onSent);
        },
      );
    else send(method, response, all, sent, read.onSent);
    if (read.viewed !== undefined) path.noteView(read.viewed, callerOf(request, seen));
    return true;
  }

  /** A body that came with the head is parsed by now. A body that has not arrived yet is not waited for. */
  function answerPosted(request: IncomingMessage, response: ServerResponse, ask: HotPost, seen: Seen): void {
    const body = request.readableLength === seen.bodyLength ? (request.read() as Buffer | null) : null;
    const found = body ? ask(body) : undefined;
    const all = found && admit(request, seen, headers.posted, "bulk");
    if (all && typeof found === "object" && answer(request, response, found, seen, all)) return;
    // The ordinary route must find the whole body.
    if (body) request.unshift(body);
    if (!all) {
      pass(request, response);
      return;
    }
    const onFailure = () => giveBack(request, response, "bulk", addressOf(request, seen));
    if (typeof found !== "function") {
      onFailure();
      return;
    }
    found().then((read) => {
      if (answer(request, response, read, seen, all)) request.resume();
      else onFailure();
    }, onFailure);
  }

  function answerAsked(
    request: IncomingMessage,
    response: ServerResponse,
    question: HotQuestion,
    seen: Seen,
    all: string[],
  ): void {
    // The ordinary route reports a failure.
    const onFailure = () => giveBack(request, response, question.rate, addressOf(request, seen));
    const send = (read: HotRead) => {
      if (!answer(request, response, read, seen, all)) onFailure();
    };
    const asked = question.ask();
    if (!(asked instanceof Promise)) send(asked);
    else asked.then(send, onFailure);
  }

  const callerOf = (request: IncomingMessage, seen: Seen): HotCaller => ({
    ...{ seen, peer: request.socket.remoteAddress ?? "", address: addressOf(request, seen) },
  });

  /** Files are on both hosts. False if the ordinary route must answer. */
  function answerFile(request: IncomingMessage, response: ServerResponse, file: HotFile): boolean {
    const seen = look(request.rawHeaders, countryHeader);
    if (!seen || seen.bodyLength !== undefined) return false;
    const by = callerOf(request, seen);
    const all = admit(request, seen, file.headers, "content", by.address);
    if (!all) return false;
    const send = (content: Buffer | Content) => {
      file.note(by);
      all.push("x-request-id", note("GET", file.route));
      sendContent(response, all, content, log);
    };
    const onFailure = () => giveBack(request, response, "content", by.address);
    const content = file.open();
    if (Buffer.isBuffer(content)) send(content);
    else content.then((opened) => (opened ? send(opened) : onFailure()), onFailure);
    return true;
  }

  const isForUs = (seen: Seen | undefined): seen is Seen => seen !== undefined && !isContentHost(seen.host);

  return (request: IncomingMessage & { originalUrl?: string }, response: ServerResponse): boolean => {
    if (path.isFaceHost?.(request.headers.host) && !isOfFace(request.url ?? "")) {
      // Programs look for the name of the service at the root of its host.
      if (request.url === "/") request.url = facePath;
      return false;
    }
    if (readiness.isStopping || request.httpVersionMinor !== 1) return false;
    if (request.method === "GET") {
      const url = request.url ?? "";
      const file = findFile(url);
      if (file) return answerFile(request, response, file);
      const read = find(url);
      const pages = read ? undefined : findPages(url);
      const seen = read || pages ? look(request.rawHeaders, countryHeader) : undefined;
      if (!isForUs(seen) || seen.bodyLength !== undefined) return false;
      const found = read ?? pages?.(seen);
      const all = found && admit(request, seen, read ? headers.read : headers.page, found.rate ?? "read");
      if (found === undefined || all === undefined) return false;
      if ("ask" in found) answerAsked(request, response, found, seen, all);
      else if (!answer(request, response, found, seen, all))
        giveBack(request, response, found.rate ?? "read", addressOf(request, seen));
      return true;
    }
    const ask = request.method === "POST" ? posted.get(request.url ?? "") : undefined;
    const seen = ask && look(request.rawHeaders, countryHeader);
    // Requests of pages are left to the ordinary route. An empty body must not be touched: reading it would end it
    // before the ordinary route listens.
    if (!ask || !isForUs(seen) || !seen.bodyLength || seen.fetchSite !== undefined) return false;
    process.nextTick(answerPosted, request, response, ask, seen);
    return true;
  };
}

function send(
  method: "GET" | "POST",
  response: ServerResponse,
  headers: string[],
  sent: Representation,
  onSent?: () => void,
): void {
  if (sent.encoding) headers.push("content-encoding", sent.encoding);
  if (method === "GET") headers.push("etag", sent.etag);
  headers.push("content-length", sent.contentLength);
  response.writeHead(200, headers);
  response.end(sent.body, "latin1", onSent);
}
