// What a path answers to methods that none of its endpoints has: OPTIONS tells what there is and answers preflights,
// everything else gets a 405 that names the methods there are.
import { METHODS } from "node:http";
import type { FastifyInstance } from "fastify";
import { fail } from "../errors.js";
import { answerPreflight, isPublicRead, type OriginRules } from "./cross-origin.js";
import type { Route } from "./endpoint.js";

/** CONNECT never reaches a route; HEAD comes with GET. */
const apart = new Set(["CONNECT", "HEAD", "OPTIONS"]);
const refusable = METHODS.filter((method) => !apart.has(method));

export function mountOtherMethods(app: FastifyInstance, origins: OriginRules, routes: readonly Route[]): void {
  for (const method of refusable) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
  for (const [url, here] of Map.groupBy(routes, ({ endpoint }) => endpoint.path)) {
    const methods = {
      all: [...methodsOf(here), "OPTIONS"],
      public: methodsOf(here.filter(({ endpoint }) => isPublicRead(endpoint))),
    };
    app.options(url, (request, reply) => answerPreflight(request, reply, methods, origins));
    app.route({
      method: refusable.filter((method) => !methods.all.includes(method)),
      url,
      exposeHeadRoute: true,
      onRequest: async (_request, reply) => {
        reply.header("allow", methods.all.join(", "));
        throw fail.methodNotAllowed(methods.all.join(", "));
      },
      handler: async () => undefined,
    });
  }
}

const methodsOf = (routes: readonly Route[]): string[] =>
  routes.flatMap(({ endpoint }) => (endpoint.method === "GET" ? ["GET", "HEAD"] : [endpoint.method]));
