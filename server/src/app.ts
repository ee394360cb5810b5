// The composition root: configuration in, a server out. The only place that knows all parts.
import { createServer as createHttpServer, type Server } from "node:http";
import type { FastifyInstance } from "fastify";
import { type Logger, pino } from "pino";
import { openBlobStore } from "./blobs/open.js";
import { cdnRoutes } from "./cdn/routes.js";
import { ChangeFeed } from "./changes/feed.js";
import type { Config } from "./config.js";
import { openDatabase } from "./db/open.js";
import type { Gate } from "./http/caller.js";
import type { Route } from "./http/endpoint.js";
import { createMetrics } from "./http/metrics.js";
import { mount } from "./http/mount.js";
import { RateLimiter } from "./http/rate-limiter.js";
import { Readiness } from "./http/readiness.js";
import type { Resources } from "./http/resources.js";
import { createServer } from "./http/server.js";
import { openImageTools } from "./images/tools.js";
import { JobWorker } from "./jobs/worker.js";
import { parseTrustedProxies } from "./lib/client-address.js";
import { type Clock, systemClock } from "./lib/clock.js";
import { type Random, systemRandom } from "./lib/random.js";
import { version } from "./lib/version.js";
import { openMailer } from "./mail/mailer.js";
import { operationRoutes } from "./operations/routes.js";
import { findSessionViewer } from "./sessions/read.js";
import { sessionRoutes } from "./sessions/routes.js";
import { taxonomyRoutes } from "./taxonomy/routes.js";
import { findTokenViewer } from "./tokens/read.js";
import { tokenRoutes } from "./tokens/routes.js";
import { userRoutes } from "./users/routes.js";

/** Every route of the service, in the order of the reference. */
export const routes: readonly Route[] = [
  ...operationRoutes,
  ...sessionRoutes,
  ...tokenRoutes,
  ...userRoutes,
  ...taxonomyRoutes,
  ...cdnRoutes,
];

export interface Parts {
  clock?: Clock;
  random?: Random;
  log?: Logger;
}

export const createLog = (level: string): Logger =>
  pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: secretPaths, censor: "[secret]" },
  });

/** Nothing of these is logged on purpose; this is the net below. */
const secretPaths = ["authorization", "cookie", "password", "token", "code"].flatMap((name) => [
  name,
  `*.${name}`,
  `*.*.${name}`,
]);

export async function openResources(
  config: Config,
  { clock = systemClock, random = systemRandom, log = createLog(config.log.level) }: Parts = {},
): Promise<Resources> {
  const database = openDatabase(config.database, (error) => log.warn({ err: error }, "A database connection was lost"));
  const { db } = database;
  const blobs = await openBlobStore(config.storage, { clock, random });
  return {
    config,
    clock,
    random,
    log,
    database,
    db,
    feed: new ChangeFeed(database, log),
    blobs,
    images: openImageTools(),
    mailer: openMailer(config.mail),
    metrics: createMetrics(version),
    limiter: new RateLimiter(db, clock, config.rateLimits),
    readiness: new Readiness({ database, blobs, onTrouble: (part, err) => log.error({ err, part }, "Not ready") }),
  };
}

export async function closeResources({ feed, images, mailer, blobs, database }: Resources): Promise<void> {
  await feed.stop();
  await images.close();
  mailer.close();
  await blobs.close();
  await database.close();
}

export interface App {
  http: FastifyInstance;
  jobs: JobWorker;
  /** Answers from now on. Returns the address it listens on. */
  listen(address: { host: string; port: number }): Promise<string>;
  /** Lets running requests end, at most as long as the configuration says, then lets go of everything. */
  stop(): Promise<void>;
}

export async function createApp(resources: Resources, allRoutes: readonly Route[] = routes): Promise<App> {
  const { config, db, clock, limiter, readiness, log } = resources;
  const gate: Gate = {
    limiter,
    trustedProxies: parseTrustedProxies([...config.http.trustedProxies]),
    secureCookies: config.http.url.startsWith("https:"),
    origins: { ownOrigin: new URL(config.http.url).origin, trustedOrigins: new Set(config.http.corsOrigins) },
    lookup: {
      findSession: (digest) => findSessionViewer(db, digest, clock.now()),
      findToken: (digest) => findTokenViewer(db, digest, clock.now()),
    },
  };
  const http = createServer(resources);
  // After the plug-ins: the multipart parser must be known to the routes.
  http.after(() => mount(http, resources, gate, allRoutes));
  const jobs = new JobWorker(resources);
  let metricsServer: Server | undefined;

  return {
    http,
    jobs,
    async listen(address) {
      await resources.feed.start();
      await readiness.start();
      metricsServer = await listenForMetrics(resources);
      const listening = await http.listen(address);
      jobs.start();
      return listening;
    },
    async stop() {
      readiness.beginStopping();
      const deadline = setTimeout(() => {
        log.warn("Requests are still running at the deadline; their connections are closed");
        http.server.closeAllConnections();
      }, config.http.shutdownSeconds * 1000);
      await http.close();
      clearTimeout(deadline);
      metricsServer?.close();
      await jobs.stop();
      await closeResources(resources);
    },
  };
}

async function listenForMetrics({ config, metrics }: Resources): Promise<Server | undefined> {
  const { port, host } = config.metrics;
  if (port === undefined) return undefined;
  const server = createHttpServer(async (_request, response) => {
    response.setHeader("content-type", metrics.registry.contentType);
    response.end(await metrics.registry.metrics());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  return server;
}
