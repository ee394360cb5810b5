// Answers requests that no endpoint accepts: OPTIONS lists the methods of the path and answers preflights, other methods
// get a 405 that names the methods, and a path without endpoints is not found. HEAD is answered like GET, without a body.
import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { fail } from "#platform/errors.js";
import { allowOrigin, answerPreflight, isPublicRead, type OriginRules } from "./cross-origin.js";
import type { Route } from "./endpoint.js";

/** `routes`: all routes of the path. */
export function answerOtherMethod(
  request: FastifyRequest,
  reply: FastifyReply,
  routes: readonly Route[],
  origins: OriginRules,
): FastifyReply {
  const all = [...methodsOf(routes), "OPTIONS"];
  const isKnown = routes.length > 0;
  if (isKnown && request.method === "OPTIONS") {
    const open = methodsOf(routes.filter(({ endpoint }) => isPublicRead(endpoint)));
    return answerPreflight(request, reply, { all, public: open }, origins);
  }
  allowOrigin(request, reply, origins, false);
  if (!isKnown) throw fail.notFound();
  const allowed = all.join(", ");
  reply.header("allow", allowed);
  throw fail.methodNotAllowed(allowed);
}

const methodsOf = (routes: readonly Route[]): string[] =>
  routes.flatMap(({ endpoint }) => (endpoint.method === "GET" ? ["GET", "HEAD"] : [endpoint.method]));

/** The length is that of the body that GET would send, where it is known before the body is sent. */
export async function withoutBodyForHead(
  request: FastifyRequest,
  reply: FastifyReply,
  body: unknown,
): Promise<unknown> {
  if (request.method !== "HEAD") return body;
  if (body instanceof Readable) {
    body.on("error", (error) => request.log.error({ err: error }, "The body for a HEAD request failed"));
    body.resume();
  } else reply.header("content-length", Buffer.byteLength((body ?? "") as string | Buffer));
  return null;
}
