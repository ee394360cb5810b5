// Which pages of other sites may read or act. Reads are open to every origin without credentials, and a token in the
// Authorization header may be used from every origin; acting with the cookie is for this site's own pages and for origins
// that the operator has named (decisions §3, §4).
import type { FastifyReply, FastifyRequest } from "fastify";
import { fail } from "#platform/errors.js";
import type { EndpointSpec } from "./endpoint.js";

const preflightSeconds = "7200";

/** What scripts of other sites may read of an answer that they may read at all. */
const exposedHeaders =
  "Content-Disposition, Content-Range, ETag, Idempotent-Replayed, Retry-After, RateLimit, RateLimit-Policy, X-Request-Id";

export interface OriginRules {
  ownOrigin: string;
  trustedOrigins: ReadonlySet<string>;
}

/** What any page may read: public GETs and the look-ups that are POST only because their question is long. */
export const isPublicRead = (endpoint: EndpointSpec): boolean =>
  endpoint.crossOrigin === true ||
  (endpoint.method === "GET" && (endpoint.access.kind === "open" || endpoint.access.kind === "readable"));

/**
 * Trusted origins may send the cookie; all others may make public reads and use a token, without it. An unknown origin is
 * never echoed: a browser that sent the cookie along does not show the answer to the page. The headers that scripts may
 * read are named for pages of other sites only, because our own may read everything.
 */
export function allowOrigin(request: FastifyRequest, reply: FastifyReply, rules: OriginRules, isPublic: boolean): void {
  const { origin, authorization } = request.headers;
  if (isTrusted(origin, rules))
    reply.header("access-control-allow-origin", origin).header("access-control-allow-credentials", "true");
  else if (isPublic || authorization !== undefined) reply.header("access-control-allow-origin", "*");
  else return;
  if (origin !== undefined && origin !== rules.ownOrigin) reply.header("access-control-expose-headers", exposedHeaders);
}

const isTrusted = (origin: string | undefined, rules: OriginRules): boolean =>
  origin !== undefined && rules.trustedOrigins.has(origin);

/**
 * Trusted origins may use every method of the path, and so may requests that will carry a token; all others those of its
 * public reads. Every request header may be sent.
 */
export function answerPreflight(
  request: FastifyRequest,
  reply: FastifyReply,
  methods: { all: readonly string[]; public: readonly string[] },
  rules: OriginRules,
): FastifyReply {
  const headers = askedHeaders(request);
  const hasToken = headers.some((name) => name.toLowerCase() === "authorization");
  const usable = hasToken || isTrusted(request.headers.origin, rules) ? methods.all : methods.public;
  const wanted = request.headers["access-control-request-method"];
  reply
    .code(204)
    .header("allow", methods.all.join(", "))
    .header("vary", "Origin, Access-Control-Request-Method, Access-Control-Request-Headers");
  if (usable.length === 0 || (wanted !== undefined && !usable.includes(wanted))) return reply.send();
  allowOrigin(request, reply, rules, true);
  if (headers.length > 0) reply.header("access-control-allow-headers", headers.join(", "));
  return reply
    .header("access-control-allow-methods", usable.join(", "))
    .header("access-control-max-age", preflightSeconds)
    .send();
}

/** The names that a browser asks for. They are echoed because "*" does not cover Authorization. */
const askedHeaders = (request: FastifyRequest): string[] =>
  String(request.headers["access-control-request-headers"] ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => /^[\w!#$%&'*+.^`|~-]+$/.test(name));

const safeMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * A request that changes something and shows no token must come from our own pages or a trusted origin: with the cookie
 * it would act as the visitor, and without it (sign-in) it would make him act as somebody else.
 */
export function checkOrigin(request: FastifyRequest, rules: OriginRules): void {
  if (safeMethods.has(request.method)) return;
  const origin = request.headers.origin;
  if (origin !== undefined) {
    if (origin !== rules.ownOrigin && !rules.trustedOrigins.has(origin)) throw fail.originRefused();
    return;
  }
  const site = request.headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin") throw fail.originRefused();
}
