// Which pages of other sites may read or act. Public reads without credentials are open to every origin, and a token in
// the Authorization header may be used from every origin; the cookie works only for this site's own pages and for
// origins that the operator has named (decisions §3, §4).
import type { FastifyReply, FastifyRequest } from "fastify";
import { fail } from "#platform/errors.js";
import type { EndpointSpec } from "./endpoint.js";

const preflightSeconds = "7200";

/** The headers that scripts of other sites may read, if they may read the answer. */
const exposedHeaders =
  "Content-Disposition, Content-Range, ETag, Idempotent-Replayed, Retry-After, RateLimit, RateLimit-Policy, X-Request-Id";

export interface OriginRules {
  ownOrigin: string;
  trustedOrigins: ReadonlySet<string>;
}

/** Public GETs, and look-ups that are POST only because of their length: every page may read them. */
export const isPublicRead = (endpoint: EndpointSpec): boolean =>
  endpoint.crossOrigin === true ||
  (endpoint.method === "GET" && (endpoint.access.kind === "open" || endpoint.access.kind === "readable"));

/**
 * Trusted origins may send the cookie; all others may make public reads and use a token, without the cookie. An unknown
 * origin is never echoed, so a browser that sent the cookie does not show the answer to the page. The exposed headers
 * are named only for pages of other sites, because our own may read all headers.
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
 * Trusted origins, and requests that will carry a token, may use every method of the path; all others only its public
 * reads. Every request header may be sent.
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

/** The header names that a browser requests. They are echoed because "*" does not cover Authorization. */
const askedHeaders = (request: FastifyRequest): string[] =>
  String(request.headers["access-control-request-headers"] ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => /^[\w!#$%&'*+.^`|~-]+$/.test(name));

const safeMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * A request that changes something without a token must come from our own pages or a trusted origin: with the cookie it
 * would act as the visitor, and without it (sign-in) it could sign the visitor in to another account.
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
