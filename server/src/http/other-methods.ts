// What a path answers to methods that none of its endpoints has: OPTIONS tells what there is and answers preflights,
// everything else gets a 405 that names the methods there are. Routes for all of these would be thirty to a path and a
// good part of every start; so the path is looked up here, once the router has found nothing.
import { METHODS } from "node:http";
import type { FastifyInstance } from "fastify";
import { fail } from "../errors.js";
import { answerPreflight, isPublicRead, type OriginRules } from "./cross-origin.js";
import type { Route } from "./endpoint.js";

interface KnownPath {
  pattern: RegExp;
  methods: { all: readonly string[]; public: readonly string[] };
}

export function answerOtherMethods(app: FastifyInstance, origins: OriginRules, routes: readonly Route[]): void {
  // Those that the framework does not know it would refuse in words of its own.
  for (const method of METHODS) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
  let known: readonly KnownPath[] | undefined;
  // Before the body is read: what nobody asked for is not parsed.
  app.addHook("onRequest", async (request, reply) => {
    if (!request.is404) return;
    known ??= listPaths(routes);
    const path = decodePath(request.url);
    const methods = known.find(({ pattern }) => pattern.test(path))?.methods;
    if (methods && request.method === "OPTIONS") return answerPreflight(request, reply, methods, origins);
    // Where an endpoint has this method, the path holds something that it does not take.
    if (!methods || methods.all.includes(request.method)) throw fail.notFound();
    const allowed = methods.all.join(", ");
    reply.header("allow", allowed);
    throw fail.methodNotAllowed(allowed);
  });
}

/** In the order of the router, which prefers fixed words to parameters, from the left. */
function listPaths(routes: readonly Route[]): KnownPath[] {
  const byPath = [...Map.groupBy(routes, ({ endpoint }) => endpoint.path)];
  return byPath
    .map(([path, here]) => ({ rank: rankOf(path), path, here }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .map(({ path, here }) => ({
      pattern: toPattern(path),
      methods: {
        all: [...methodsOf(here), "OPTIONS"],
        public: methodsOf(here.filter(({ endpoint }) => isPublicRead(endpoint))),
      },
    }));
}

/** A digit for each part: fixed, fixed at its beginning, a parameter, the rest. */
const rankOf = (path: string): string =>
  path
    .split("/")
    .map((part) => (part === "*" ? 3 : part.startsWith(":") ? 2 : part.includes(":") ? 1 : 0))
    .join("");

const toPattern = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll(".", "\\.").replaceAll(/:\w+/g, "[^/]+").replace(/\*$/, ".*")}$`);

/** The router has refused by now what cannot be decoded. Encoded slashes stay: they separate nothing. */
const decodePath = (url: string): string => decodeURI(url.split("?", 1)[0] ?? "");

const methodsOf = (routes: readonly Route[]): string[] =>
  routes.flatMap(({ endpoint }) => (endpoint.method === "GET" ? ["GET", "HEAD"] : [endpoint.method]));
