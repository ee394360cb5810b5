// The Fastify server itself: limits, time-outs, parsers, ids, the log line and the error shape. No routes.

import multipart from "@fastify/multipart";
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from "fastify";
import type { Config } from "#config/config.js";
import { newId, type Random } from "#lib/random.js";
import { reasonOf } from "#lib/reason-of.js";
import { fail, invalid } from "#platform/errors.js";
import { say } from "#words/said.js";
import { defaultPatience, type Patience, watchBodies } from "./arrival.js";
import { parseBodies } from "./bodies.js";
import { answerBrokenRequest } from "./broken-requests.js";
import { contentHostTest } from "./content-host.js";
import { type ErrorPage, sendFailure, toFailure } from "./errors.js";
import type { Resources } from "./resources.js";
import { securityHeaders } from "./standing-headers.js";
import { watchStillness } from "./watchdog.js";

declare module "fastify" {
  interface FastifyInstance {
    /** As it is at this moment: administrators change parts of it while the server runs. */
    config: Config;
    /** Answers that were joined from checked parts are parsed and checked once more. */
    checksReadyAnswers: boolean;
  }
}

const second = 1000;
/** Idle ones cost some 10 KiB each. Past this new ones are closed at once rather than all served badly. */
const maxConnections = 20_000;

export interface ServerOptions {
  errorPage?: ErrorPage;
  patience?: Partial<Patience> | undefined;
  /** Checks ready answers against their contracts, which costs time: for tests. */
  checksReadyAnswers?: boolean | undefined;
}

export function createServer(
  { log, clock, random, metrics, config, readiness, troubles }: Resources,
  { errorPage, patience: given, checksReadyAnswers = false }: ServerOptions = {},
): FastifyInstance {
  const patience = { ...defaultPatience, ...given };
  // Its lines hold nothing that could be secret: looking for it in each costs more than all else that is logged.
  const requestLog = log.child({}, { redact: { paths: [] } });
  // It hears of its own change too.
  log.on("level-change", (level: string) => {
    if (requestLog.level !== level) requestLog.level = level;
  });
  const app = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    // One line a request, written in onResponse with the route's template; the default ones hold raw addresses.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => requestId(random),
    bodyLimit: 256 * 1024,
    // Longer than the idle time of common proxies, so that they close first.
    keepAliveTimeout: 72 * second,
    // Bodies are watched one by one (arrival.ts), and so is what stands still (watchdog.ts).
    requestTimeout: 0,
    connectionTimeout: 0,
    forceCloseConnections: "idle",
    // Requests on kept connections are served until the end while draining (see app.ts).
    return503OnClosing: false,
    routerOptions: { maxParamLength: 512, ignoreTrailingSlash: false, caseSensitive: true },
    frameworkErrors: (error, request, reply) => void sendFailure(error, request, reply, errorPage),
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket, requestId(random)),
    http: {
      maxHeaderSize: 16 * 1024,
      headersTimeout: 15 * second,
      connectionsCheckingInterval: 5 * second,
      // Looked at below, for an answer in our shape.
      requireHostHeader: false,
    },
  });

  app.decorate("config", config);
  app.decorate("checksReadyAnswers", checksReadyAnswers);
  app.server.maxConnections = maxConnections;
  // An expectation that nobody knows may be ignored; Node would refuse it in a shape of its own.
  app.server.on("checkExpectation", (request, response) => app.server.emit("request", request, response));
  parseBodies(app);
  watchBodies(app, patience);
  watchStillness(app, patience.stillMs);
  app.register(multipart, { throwFileSizeLimit: true });
  app.setErrorHandler((error, request, reply) => {
    const { code, status } = toFailure(error, request);
    metrics.refusals.inc({ code });
    if (status >= 500) {
      const route = `${request.method} ${request.routeOptions.url ?? "none"}`;
      troubles.note({ at: clock.now(), requestId: request.id, route, reason: reasonOf(error) });
    }
    return sendFailure(error, request, reply, errorPage);
  });
  app.setNotFoundHandler(() => {
    throw fail.notFound();
  });

  const isContentHost = contentHostTest(config.http);
  const security = securityHeaders(config.http.url);
  app.addHook("onRequest", async (request, reply) => {
    reply.headers({ "x-request-id": request.id, ...security });
    if (request.raw.httpVersion === "1.1" && countHosts(request.raw.rawHeaders) !== 1)
      throw invalid({ path: "Host", message: say.problems.onceOnly });
    if (isUnsafeUrl(request.url)) throw fail.invalidUrl();
    if (isContentHost(request.headers.host) && !isContent(request.url)) throw fail.notFound();
  });
  app.addHook("onSend", async (_request, reply) => {
    // While the server is stopping, also for requests that began before: the client's next one belongs elsewhere.
    if (readiness.isStopping) reply.header("connection", "close");
  });
  app.addHook("onResponse", async (request, reply) => {
    const route = request.routeOptions.url ?? "none";
    const line = { method: request.method, route, status: reply.statusCode, ms: Math.round(reply.elapsedTime) };
    metrics.requests.observe(
      { method: line.method, route, status: `${Math.floor(line.status / 100)}xx` },
      reply.elapsedTime / 1000,
    );
    requestLog.info({ reqId: request.id, ...line }, "request");
  });
  return app;
}

/** Two of them are read in different ways by proxies. */
const countHosts = (rawHeaders: readonly string[]): number =>
  rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === "host").length;

/** Probes of a load balancer may come under any name. */
const isContent = (url: string): boolean => url.startsWith("/cdn/") || url === "/healthz" || url === "/readyz";

/**
 * What a path never needs and what proxies and file systems read in different ways; NUL is never text. An address with a
 * host in it would be another name for the same page, chosen by the caller.
 */
function isUnsafeUrl(url: string): boolean {
  if (!url.startsWith("/")) return true;
  const queryAt = url.indexOf("?");
  const path = queryAt === -1 ? url : url.slice(0, queryAt);
  return /%(?:5c|[01][0-9a-f]|7f)|\\/i.test(path) || url.includes("%00");
}

const requestId = (random: Random): string => newId(random) + newId(random);
