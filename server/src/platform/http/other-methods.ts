// Answers to methods that a path does not have: OPTIONS lists the methods and answers preflights, all others get a 405
// that names the methods. Routes for all of these would be thirty per path and slow down every start, so the path is
// looked up here once the router has found nothing.
import { METHODS } from "node:http";
import type { FastifyInstance, FastifyReply } from "fastify";
import { fail } from "#platform/errors.js";
import { allowOrigin, answerPreflight, isPublicRead, type OriginRules } from "./cross-origin.js";
import type { Route } from "./endpoint.js";

interface KnownPath {
  path: string;
  rank: string;
  pattern: RegExp;
  methods: { all: readonly string[]; public: readonly string[] };
}

export function answerOtherMethods(app: FastifyInstance, origins: OriginRules, routes: readonly Route[]): void {
  // Fastify would refuse methods that it does not know with its own error body.
  for (const method of METHODS) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
  const known = listPaths(routes);
  for (const { path, methods, shadowed } of listShadowing(known))
    app.route({
      method: shadowed,
      url: path,
      onRequest: async (_request, reply) => refuse(reply, methods.all),
      handler: async () => undefined,
    });
  // This runs before the body is read, so that an unwanted body is not parsed.
  app.addHook("onRequest", async (request, reply) => {
    if (!request.is404) return;
    const path = decodePath(request.url);
    const methods = known.find(({ pattern }) => pattern.test(path))?.methods;
    if (methods && request.method === "OPTIONS") return answerPreflight(request, reply, methods, origins);
    allowOrigin(request, reply, origins, false);
    // If an endpoint has this method, the path contains something that it does not accept.
    if (!methods || methods.all.includes(request.method)) throw fail.notFound();
    refuse(reply, methods.all);
  });
}

function refuse(reply: FastifyReply, methods: readonly string[]): never {
  const allowed = methods.join(", ");
  reply.header("allow", allowed);
  throw fail.methodNotAllowed(allowed);
}

/** In the order of the router, which prefers fixed segments to parameters, from the left. */
function listPaths(routes: readonly Route[]): KnownPath[] {
  return [...Map.groupBy(routes, ({ endpoint }) => endpoint.path)]
    .map(([path, here]) => ({
      path,
      rank: rankOf(path),
      pattern: toPattern(path),
      methods: {
        all: [...methodsOf(here), "OPTIONS"],
        public: methodsOf(here.filter(({ endpoint }) => isPublicRead(endpoint))),
      },
    }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1));
}

/**
 * Paths with a fixed segment where other paths have a parameter, with the methods of those: the router would match
 * them.
 */
const listShadowing = (known: readonly KnownPath[]) =>
  known.flatMap((one) => {
    const others = known.filter(
      (other) => other.rank.length === one.rank.length && other.rank > one.rank && other.pattern.test(one.path),
    );
    const shadowed = [...new Set(others.flatMap(({ methods }) => methods.all))].filter(
      // HEAD comes with GET; no endpoint has OPTIONS.
      (method) => method !== "HEAD" && method !== "OPTIONS" && !one.methods.all.includes(method),
    );
    return shadowed.length > 0 ? [{ ...one, shadowed }] : [];
  });

/** One digit per segment: fixed, fixed at its start, a parameter, the rest. */
const rankOf = (path: string): string =>
  path
    .split("/")
    .map((part) => (part === "*" ? 3 : part.startsWith(":") ? 2 : part.includes(":") ? 1 : 0))
    .join("");

const toPattern = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll(".", "\\.").replaceAll(/:\w+/g, "[^/]+").replace(/\*$/, ".*")}$`);

/** The router has already refused URLs that cannot be decoded. Encoded slashes stay: they are not separators. */
const decodePath = (url: string): string => decodeURI(url.split("?", 1)[0] ?? "");

const methodsOf = (routes: readonly Route[]): string[] =>
  routes.flatMap(({ endpoint }) => (endpoint.method === "GET" ? ["GET", "HEAD"] : [endpoint.method]));
