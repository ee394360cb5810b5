// The Fastify server: limits, timeouts, parsers, request ids, the log line and the error body. It has no routes.

import multipart from "@fastify/multipart";
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from "fastify";
import type { Config } from "#config/config.js";
import { newId, type Random } from "#lib/random.js";
import { reasonOf } from "#lib/reason-of.js";
import { fail, invalid } from "#platform/errors.js";
import { say } from "#words/said.js";
import { type ArrivalLimits, defaultArrivalLimits, watchBodies } from "./arrival.js";
import { parseBodies } from "./bodies.js";
import { answerBrokenRequest } from "./broken-requests.js";
import { securityHeaders } from "./constant-headers.js";
import { contentHostTest, faceHostTest } from "./content-host.js";
import { type ErrorPage, sendFailure, toFailure } from "./errors.js";
import { isOfFace } from "./modrinth-fields.js";
import type { Resources } from "./resources.js";
import { type Router, routePathOf } from "./router.js";
import { watchIdleConnections } from "./watchdog.js";

declare module "fastify" {
  interface FastifyInstance {
    /** The current configuration: administrators change parts of it while the server runs. */
    config: Config;
    /** Answers that were joined from validated parts are parsed and validated once more. */
    checksReadyAnswers: boolean;
    router: Router;
  }
}

const second = 1000;
/** Idle connections cost about 10 KiB each. Beyond this number, new ones are closed at once. Workers share it. */
const maxConnections = 20_000;

/** Routes have no schemas of Fastify's own (see validation.ts). Loading its compilers would take a twentieth of the start. */
const noCompiler = (): never => {
  throw new Error("Describe the endpoint in a contract, not in a schema of Fastify.");
};

export interface ServerOptions {
  errorPage?: ErrorPage;
  patience?: Partial<ArrivalLimits> | undefined;
  /** Validates ready answers against their contracts, which costs time: for tests. */
  checksReadyAnswers?: boolean | undefined;
}

export function createServer(
  { log, clock, random, metrics, config, readiness, recentErrors, peers }: Resources,
  { errorPage, patience: given, checksReadyAnswers = false }: ServerOptions = {},
): FastifyInstance {
  const patience = { ...defaultArrivalLimits, ...given };
  // Its lines contain nothing secret, and redaction would cost more than the rest of the logging.
  const requestLog = log.child({}, { redact: { paths: [] } });
  // The event is also emitted for its own change.
  log.on("level-change", (level: string) => {
    if (requestLog.level !== level) requestLog.level = level;
  });
  const app = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    // One line per request, written in onResponse with the route's template; Fastify's own lines contain raw URLs.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => requestId(random),
    bodyLimit: 256 * 1024,
    // Longer than the idle timeout of common proxies, so that they close first.
    keepAliveTimeout: 72 * second,
    // Bodies have their own timeouts (arrival.ts), and so do connections without progress (watchdog.ts).
    requestTimeout: 0,
    connectionTimeout: 0,
    forceCloseConnections: "idle",
    // Requests on open connections are answered to the end while draining (see app.ts).
    return503OnClosing: false,
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    frameworkErrors: (error, request, reply) => void sendFailure(error, request, reply, errorPage),
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket, requestId(random)),
    http: {
      maxHeaderSize: 16 * 1024,
      headersTimeout: 15 * second,
      connectionsCheckingInterval: 5 * second,
      // Checked below, to answer with the usual error body.
      requireHostHeader: false,
    },
  });

  app.decorate("config", config);
  app.decorate("checksReadyAnswers", checksReadyAnswers);
  app.server.maxConnections = Math.ceil(maxConnections / peers.count);
  // An unknown expectation may be ignored; Node would refuse it with its own answer.
  app.server.on("checkExpectation", (request, response) => app.server.emit("request", request, response));
  parseBodies(app);
  watchBodies(app, patience);
  watchIdleConnections(app, patience.stillMs);
  app.register(multipart, { throwFileSizeLimit: true });
  app.setErrorHandler((error, request, reply) => {
    const { code, status } = toFailure(error, request);
    metrics.refusals.inc({ code });
    if (status >= 500) {
      const route = `${request.method} ${routePathOf(request)}`;
      recentErrors.note({ at: clock.now(), requestId: request.id, route, reason: reasonOf(error) });
    }
    return sendFailure(error, request, reply, errorPage);
  });
  app.setNotFoundHandler(() => {
    throw fail.notFound();
  });

  const isContentHost = contentHostTest(config.http);
  const isFaceHost = faceHostTest(config.http);
  const security = securityHeaders(config.http.url);
  app.addHook("onRequest", async (request, reply) => {
    reply.headers({ "x-request-id": request.id, ...security });
    if (request.raw.httpVersion === "1.1" && countHosts(request.raw.rawHeaders) !== 1)
      throw invalid({ path: "Host", message: say.problems.onceOnly });
    if (isUnsafeUrl(request.url)) throw fail.invalidUrl();
    if (isContentHost(request.headers.host) && !isContent(request.url)) throw fail.notFound();
    if (isFaceHost?.(request.headers.host) && !isOfFace(request.url) && !isProbe(request.url)) throw fail.notFound();
  });
  app.addHook("onSend", async (_request, reply) => {
    // While the server is stopping, also for requests that began before: the client must send the next one elsewhere.
    if (readiness.isStopping) reply.header("connection", "close");
  });
  app.addHook("onResponse", async (request, reply) => {
    const route = routePathOf(request);
    const line = { method: request.method, route, status: reply.statusCode, ms: Math.round(reply.elapsedTime) };
    metrics.requests.observe(
      { method: line.method, route, status: `${Math.floor(line.status / 100)}xx` },
      reply.elapsedTime / 1000,
    );
    requestLog.info({ reqId: request.id, ...line }, "request");
  });
  return app;
}

/** Proxies disagree on which of two Host headers counts. */
const countHosts = (rawHeaders: readonly string[]): number =>
  rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === "host").length;

const isContent = (url: string): boolean => url.startsWith("/cdn/") || isProbe(url);

/** Probes of a load balancer may use any host name. */
const isProbe = (url: string): boolean => url === "/healthz" || url === "/readyz";

/**
 * Characters that paths never need and that proxies and file systems interpret differently; NUL is never valid. A URL
 * with a host in it would be another name for the same page, chosen by the caller.
 */
function isUnsafeUrl(url: string): boolean {
  if (!url.startsWith("/")) return true;
  const queryAt = url.indexOf("?");
  const path = queryAt === -1 ? url : url.slice(0, queryAt);
  return /%(?:5c|[01][0-9a-f]|7f)|\\/i.test(path) || url.includes("%00");
}

const requestId = (random: Random): string => newId(random) + newId(random);
