// Answers the hottest reads before Fastify sees them: bytes from memory, written with one call. It takes only the plainest
// of requests and leaves all others alone, and what it sends is what the ordinary route would have sent (a test holds
// the two against each other). These requests are counted in the metrics; the log names them at level debug only.
import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import { clientAddress, limitKey, type TrustedProxies } from "../lib/client-address.js";
import { newId } from "../lib/random.js";
import type { ReadyAnswer } from "./answers.js";
import { rateClasses, rateLimitFields } from "./rate-limit-fields.js";
import type { Resources } from "./resources.js";

export interface HotRead {
  route: string;
  answer: ReadyAnswer;
  /** Absent: "read". */
  rate?: "bulk";
}

export interface HotPath {
  find(url: string): HotRead | undefined;
  resources: Resources;
  trustedProxies: TrustedProxies;
  /** The content host, where it is another one: there only its own files exist. */
  foreignHost: string | undefined;
  /** Headers that every answer of such a route carries, names and values in turn. */
  headers: readonly string[];
}

interface Seen {
  host?: string;
  acceptEncoding?: string;
  forwardedFor?: string;
}

/** Looked at without building the object of all headers, which costs as much as the rest. */
function look(rawHeaders: readonly string[]): Seen | undefined {
  const seen: Seen = {};
  for (let index = 0; index < rawHeaders.length; index += 2) {
    switch (rawHeaders[index]!.toLowerCase()) {
      case "host":
        if (seen.host !== undefined) return undefined;
        seen.host = rawHeaders[index + 1];
        break;
      case "accept-encoding":
        if (seen.acceptEncoding !== undefined) return undefined;
        seen.acceptEncoding = rawHeaders[index + 1];
        break;
      case "x-forwarded-for":
        if (seen.forwardedFor !== undefined) return undefined;
        seen.forwardedFor = rawHeaders[index + 1];
        break;
      case "accept":
      case "accept-language":
      case "connection":
      case "user-agent":
      case "referer":
        break;
      default:
        // A credential, a condition, an origin, a body, or something we do not know.
        return undefined;
    }
  }
  return seen.host === undefined ? undefined : seen;
}

export function putHotPathFirst(server: Server, path: HotPath): void {
  const serve = createHotPath(path);
  const ordinary = server.listeners("request") as RequestListener[];
  server.removeAllListeners("request");
  server.on("request", (request, response) => {
    if (!serve(request, response)) for (const listener of ordinary) listener.call(server, request, response);
  });
}

function createHotPath({ find, resources, trustedProxies, foreignHost, headers }: HotPath) {
  const { limiter, readiness, metrics, log, random, clock } = resources;
  // Unique like the ordinary ones, without asking for random bytes at every request.
  const idPrefix = newId(random);
  let requests = 0;

  return (request: IncomingMessage, response: ServerResponse): boolean => {
    if (request.method !== "GET" || readiness.isStopping || request.httpVersionMinor !== 1) return false;
    const read = find(request.url ?? "");
    const seen = read && look(request.rawHeaders);
    if (!read || !seen || (foreignHost !== undefined && seen.host === foreignHost)) return false;
    const sent = read.answer.at(seen.acceptEncoding);
    if (!sent) return false;
    const started = clock.now();
    const all = [...headers];
    if (limiter.enabled) {
      const address = clientAddress(request.socket.remoteAddress ?? "", seen.forwardedFor, trustedProxies);
      const rate = read.rate ?? "read";
      const result = limiter.takeNow(rate, limitKey(address));
      // Refusing is the ordinary route's business; a refusal takes nothing from the quota.
      if (!result.allowed) return false;
      const fields = rateLimitFields(rate, rateClasses[rate], result);
      all.push("ratelimit-policy", fields["RateLimit-Policy"], "ratelimit", fields.RateLimit);
    }
    if (sent.encoding) all.push("content-encoding", sent.encoding);
    const id = idPrefix + (requests++).toString(36).padStart(8, "0");
    all.push("x-request-id", id, "etag", `"${sent.tag}"`, "content-length", String(sent.bytes.length));
    response.writeHead(200, all);
    response.end(sent.bytes);
    metrics.requests.observe({ method: "GET", route: read.route, status: "2xx" }, (clock.now() - started) / 1000);
    if (log.isLevelEnabled("debug")) log.debug({ reqId: id, method: "GET", route: read.route, status: 200 }, "request");
    return true;
  };
}
