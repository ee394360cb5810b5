// The Fastify server itself: limits, time-outs, parsers, ids, the log line and the error shape. No routes.
import type { Server } from "node:http";
import multipart from "@fastify/multipart";
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from "fastify";
import { Failure, fail } from "../errors.js";
import { newId, type Random } from "../lib/random.js";
import { errorBody, sendFailure, toFailure } from "./errors.js";
import type { Resources } from "./resources.js";

const second = 1000;

export function createServer({ log, random, metrics, config }: Resources): FastifyInstance {
  const app = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    // One line a request, written in onResponse with the route's template; the default ones hold raw addresses.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => requestId(random),
    bodyLimit: 256 * 1024,
    // Longer than the idle time of common proxies, so that they close first.
    keepAliveTimeout: 72 * second,
    requestTimeout: 30 * second,
    connectionTimeout: 0,
    forceCloseConnections: "idle",
    // Requests on kept connections are served until the end while draining (see app.ts).
    return503OnClosing: false,
    routerOptions: { maxParamLength: 512, ignoreTrailingSlash: false, caseSensitive: true },
    frameworkErrors: (error, request, reply) => void sendFailure(error, request, reply),
    clientErrorHandler,
    http: { maxHeaderSize: 16 * 1024, headersTimeout: 15 * second, connectionsCheckingInterval: 5 * second },
  });

  parseBodies(app);
  app.register(multipart, { throwFileSizeLimit: true });
  app.setErrorHandler((error, request, reply) => {
    metrics.refusals.inc({ code: toFailure(error, request).code });
    return sendFailure(error, request, reply);
  });
  app.setNotFoundHandler(() => {
    throw fail.notFound();
  });

  const overHttps = config.http.url.startsWith("https:");
  app.addHook("onRequest", async (request, reply) => {
    reply.headers({
      "x-request-id": request.id,
      "x-content-type-options": "nosniff",
      "referrer-policy": "strict-origin-when-cross-origin",
      "permissions-policy": "camera=(), geolocation=(), microphone=()",
      "cross-origin-opener-policy": "same-origin",
      ...(overHttps && { "strict-transport-security": "max-age=31536000" }),
    });
    // What a path never needs and what proxies and file systems read in different ways.
    const [path = "", query = ""] = request.url.split("?", 2);
    if (/%(?:5c|[01][0-9a-f]|7f)|\\/i.test(path) || query.includes("%00")) throw fail.invalidUrl();
  });
  app.addHook("onResponse", async (request, reply) => {
    const route = request.routeOptions.url ?? "none";
    const line = { method: request.method, route, status: reply.statusCode, ms: Math.round(reply.elapsedTime) };
    metrics.requests.observe(
      { method: line.method, route, status: `${Math.floor(line.status / 100)}xx` },
      reply.elapsedTime / 1000,
    );
    request.log.info(line, "request");
  });
  return app;
}

/** JSON, also where it is labelled text/plain (existing clients send that). Keys that reach for prototypes are dropped. */
function parseBodies(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser("remove", "remove");
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(["application/json", "text/plain"], { parseAs: "string" }, (request, body, done) => {
    const text = body.toString().trim();
    if (text === "") return done(null, undefined);
    if (nulEscape.test(text)) return done(fail.invalidJson("NUL characters are not allowed"), undefined);
    parseJson(request, text, (error, value) => {
      if (error) return done(fail.invalidJson(error.message.slice(0, 120)), undefined);
      done(null, value);
    });
  });
  app.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "string" }, (_request, body, done) => {
    done(null, Object.fromEntries(new URLSearchParams(body.toString())));
  });
}

/** Text with NUL cannot be stored on every engine, and nobody means it. */
const nulEscape = /(?<!\\)(?:\\\\)*\\u0000/;

const requestId = (random: Random): string => newId(random) + newId(random);

/** Requests that the parser itself refuses still get the one error shape. */
function clientErrorHandler(
  this: FastifyInstance,
  error: NodeJS.ErrnoException,
  socket: Parameters<Parameters<Server["on"]>[1]>[0],
): void {
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  const failure =
    error.code === "HPE_HEADER_OVERFLOW"
      ? fail.headersTooLarge()
      : error.code === "ERR_HTTP_REQUEST_TIMEOUT"
        ? fail.requestTimeout()
        : new Failure("invalidRequest", 400, "This is not a valid HTTP request");
  const body = errorBody(failure, "none");
  const reason = { 400: "Bad Request", 408: "Request Timeout", 431: "Request Header Fields Too Large" }[failure.status];
  socket.end(
    `HTTP/1.1 ${failure.status} ${reason}\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
