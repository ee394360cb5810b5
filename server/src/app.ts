// The composition root: configuration in, a server out. The only place that knows all parts.
import type { Server } from "node:http";
import type { FastifyInstance } from "fastify";
import { type DestinationStream, type Logger, pino } from "pino";
import { analyticsRoutes } from "./analytics/routes.js";
import { openArchiveInspector } from "./archives/inspector.js";
import { badgeRoutes } from "./badges/routes.js";
import { openBlobStore } from "./blobs/open.js";
import { catalogOf } from "./catalog/catalog.js";
import { hotRead } from "./catalog/hot-reads.js";
import { KeptAnswers } from "./catalog/kept-answers.js";
import { cdnFileRoutes } from "./cdn/file-routes.js";
import { cdnRoutes } from "./cdn/routes.js";
import { ChangeFeed } from "./changes/feed.js";
import { collectionRoutes } from "./collections/routes.js";
import type { Config } from "./config.js";
import { openDatabase } from "./db/open.js";
import { dependencyRoutes } from "./dependencies/routes.js";
import { counterOf } from "./downloads/counters.js";
import { embedRoutes } from "./embeds/routes.js";
import { feedRoutes } from "./feeds/routes.js";
import { followRoutes } from "./follows/routes.js";
import { galleryRoutes } from "./gallery/routes.js";
import type { Patience } from "./http/arrival.js";
import type { Gate } from "./http/caller.js";
import { limitConnections } from "./http/connections.js";
import { contentHostTest } from "./http/content-host.js";
import { DiskRoom } from "./http/disk-room.js";
import type { Route } from "./http/endpoint.js";
import { putHotPathFirst } from "./http/hot-path.js";
import { createMetrics } from "./http/metrics.js";
import { listenForMetrics } from "./http/metrics-server.js";
import { mount } from "./http/mount.js";
import { RateLimiter } from "./http/rate-limiter.js";
import { Readiness } from "./http/readiness.js";
import type { Resources } from "./http/resources.js";
import { createServer } from "./http/server.js";
import { stopLimits } from "./http/stop-limits.js";
import { openImageTools } from "./images/tools.js";
import { startFollowers } from "./jobs/followers.js";
import { JobLanes } from "./jobs/lanes.js";
import { ByteBudget } from "./lib/byte-budget.js";
import { parseTrustedProxies } from "./lib/client-address.js";
import { type Clock, systemClock } from "./lib/clock.js";
import { secretPaths, toLoggedError } from "./lib/log-lines.js";
import { type Random, systemRandom } from "./lib/random.js";
import { RecentTroubles } from "./lib/recent-troubles.js";
import { version } from "./lib/version.js";
import { openMailer } from "./mail/mailer.js";
import { mavenRoutes } from "./maven/routes.js";
import { auditRoutes } from "./moderation/audit-routes.js";
import { peopleRoutes } from "./moderation/people-routes.js";
import { moderationRoutes } from "./moderation/routes.js";
import { notificationRoutes } from "./notifications/routes.js";
import { operationRoutes } from "./operations/routes.js";
import { organizationRoutes } from "./organizations/routes.js";
import { projectEditRoutes } from "./projects/edit-routes.js";
import { projectRoutes } from "./projects/routes.js";
import { providerRoutes } from "./providers/routes.js";
import { publicChangeRoutes } from "./public-changes/routes.js";
import { endChangeStreams } from "./public-changes/streams.js";
import { publisherRoutes } from "./publishers/routes.js";
import { quarantineRoutes } from "./quarantine/routes.js";
import { reportRoutes } from "./reports/routes.js";
import { resolveRoutes } from "./resolve/routes.js";
import { prepareSearch } from "./search/jobs.js";
import { searchRoutes } from "./search/routes.js";
import { openVault } from "./secrets/vault.js";
import { findSessionViewer } from "./sessions/read.js";
import { sessionRoutes } from "./sessions/routes.js";
import { followSettings } from "./settings/live.js";
import { sitemapRoutes } from "./sitemaps/routes.js";
import { statisticsRoutes } from "./statistics/routes.js";
import { taxonomyRoutes } from "./taxonomy/routes.js";
import { teamRoutes } from "./teams/routes.js";
import { threadRoutes } from "./threads/routes.js";
import { findTokenViewer } from "./tokens/read.js";
import { tokenRoutes } from "./tokens/routes.js";
import { uploadRoutes } from "./uploads/routes.js";
import { userActionRoutes } from "./users/action-routes.js";
import { userRoutes } from "./users/routes.js";
import { hotLookUps } from "./version-files/hot-look-ups.js";
import { versionFileRoutes } from "./version-files/routes.js";
import { versionEditRoutes } from "./versions/edit-routes.js";
import { versionRoutes } from "./versions/routes.js";
import { errorPage } from "./web/error-page.js";
import { prepareFormats } from "./web/format.js";
import { hotPages } from "./web/kept-pages.js";
import { pageHeaders, pageType } from "./web/rendering.js";
import { webRoutes } from "./web/routes.js";
import { webhookRoutes } from "./webhooks/routes.js";
import { wellKnownRoutes } from "./well-known/routes.js";

/** The routes for programs, in the order of the reference. */
const apiRoutes: readonly Route[] = [
  ...sessionRoutes,
  ...providerRoutes(),
  ...tokenRoutes,
  ...publisherRoutes(),
  ...userRoutes,
  ...userActionRoutes,
  ...taxonomyRoutes,
  ...searchRoutes,
  ...projectRoutes,
  ...projectEditRoutes,
  ...dependencyRoutes,
  ...galleryRoutes,
  ...versionRoutes,
  ...uploadRoutes,
  ...versionEditRoutes,
  ...versionFileRoutes,
  ...resolveRoutes,
  ...organizationRoutes,
  ...teamRoutes,
  ...followRoutes,
  ...collectionRoutes,
  ...notificationRoutes,
  ...reportRoutes,
  ...threadRoutes,
  ...moderationRoutes,
  ...quarantineRoutes,
  ...peopleRoutes,
  ...auditRoutes,
  ...statisticsRoutes,
  ...analyticsRoutes,
  ...feedRoutes,
  ...badgeRoutes,
  ...embedRoutes,
  ...sitemapRoutes,
  ...wellKnownRoutes,
  ...webhookRoutes,
  ...publicChangeRoutes,
  ...cdnRoutes,
  ...cdnFileRoutes,
  ...mavenRoutes,
  ...operationRoutes,
];

/** Every route of the service. */
export const routes: readonly Route[] = [...apiRoutes, ...webRoutes(apiRoutes.map(({ endpoint }) => endpoint))];

export interface Parts {
  clock?: Clock;
  random?: Random;
  log?: Logger;
}

/** JSON lines to stdout, or to the given place. */
export const createLog = (level: string, destination: DestinationStream = pino.destination(1)): Logger =>
  pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: toLoggedError },
      redact: { paths: secretPaths, censor: "[secret]" },
    },
    destination,
  );

const formMemoryBytes = 64 * 1024 * 1024;

export async function openResources(
  config: Config,
  { clock = systemClock, random = systemRandom, log = createLog(config.log.level) }: Parts = {},
): Promise<Resources> {
  const database = openDatabase(config.database, (error) => log.warn({ err: error }, "A database connection was lost"));
  const { db } = database;
  const blobs = await openBlobStore(config.storage, { clock, random });
  const room = new DiskRoom(config);
  return {
    config,
    clock,
    random,
    log,
    database,
    db,
    feed: new ChangeFeed(database, log),
    blobs,
    vault: openVault(config, random),
    images: openImageTools(),
    archives: openArchiveInspector(),
    mailer: openMailer(config.mail),
    room,
    formMemory: new ByteBudget(formMemoryBytes),
    metrics: createMetrics(version, room),
    limiter: new RateLimiter(db, clock, config.rateLimits),
    troubles: new RecentTroubles(),
    readiness: new Readiness({ database, blobs, onTrouble: (part, err) => log.error({ err, part }, "Not ready") }),
  };
}

export async function closeResources({ feed, images, archives, mailer, blobs, database }: Resources): Promise<void> {
  await feed.stop();
  await images.close();
  await archives.close();
  mailer.close();
  await blobs.close();
  await database.close();
}

export interface App {
  http: FastifyInstance;
  jobs: JobLanes;
  /** Answers from now on. Returns the address it listens on. */
  listen(address: { host: string; port: number }): Promise<string>;
  /** Lets running requests end, at most as long as the configuration says, then lets go of everything. */
  stop(): Promise<void>;
}

const sweepMs = 100;

export async function createApp(
  resources: Resources,
  allRoutes: readonly Route[] = routes,
  { patience }: { patience?: Partial<Patience> | undefined } = {},
): Promise<App> {
  const { config, db, clock, limiter, mailer, readiness, log } = resources;
  const gate: Gate = {
    limiter,
    trustedProxies: parseTrustedProxies([...config.http.trustedProxies]),
    secureCookies: config.http.url.startsWith("https:"),
    origins: { ownOrigin: new URL(config.http.url).origin, trustedOrigins: new Set(config.http.corsOrigins) },
    lookup: {
      findSession: (digest) =>
        findSessionViewer(db, digest, { now: clock.now(), asksConfirmation: mailer.enabled, rules: config.staff }),
      findToken: (digest) => findTokenViewer(db, digest, { now: clock.now(), asksConfirmation: mailer.enabled }),
    },
  };
  const http = createServer(resources, { errorPage: errorPage(config.http, clock), patience });
  // After the plug-ins: the multipart parser must be known to the routes. Awaited, so that a route that cannot be mounted
  // stops the start with its own message.
  await http.after();
  mount(http, resources, gate, allRoutes);
  prepareFormats();
  limitConnections(http.server, resources, gate.trustedProxies);
  const catalog = catalogOf(resources);
  const kept = new KeptAnswers(catalog);
  putHotPathFirst(http.server, {
    find: (url) => hotRead(catalog, kept, url),
    findPages: hotPages(resources),
    pageHeaders: { ...pageHeaders(config.http), "content-type": pageType },
    posted: hotLookUps(resources, kept),
    resources,
    trustedProxies: gate.trustedProxies,
    isContentHost: contentHostTest(config.http),
  });
  const jobs = new JobLanes(resources);
  let metricsServer: Server | undefined;
  let stopFollowers: (() => Promise<void>) | undefined;

  return {
    http,
    jobs,
    async listen(address) {
      await resources.feed.start();
      await followSettings(resources);
      await readiness.start();
      await resources.room.start();
      metricsServer = await listenForMetrics(resources);
      const listening = await http.listen(address);
      jobs.start();
      stopFollowers = startFollowers(resources);
      void prepareSearch(resources);
      counterOf(resources).start();
      return listening;
    },
    async stop() {
      const { requestsMs } = stopLimits(config);
      readiness.beginStopping();
      resources.room.stop();
      endChangeStreams(resources);
      const deadline = setTimeout(() => {
        log.warn("Requests are still running at the deadline; their connections are closed");
        http.server.closeAllConnections();
      }, requestsMs);
      // A connection that falls idle only now would otherwise be kept open for a next request.
      const sweep = setInterval(() => http.server.closeIdleConnections(), sweepMs);
      await Promise.all([http.close(), jobs.stop(requestsMs)]);
      await stopFollowers?.();
      clearTimeout(deadline);
      clearInterval(sweep);
      metricsServer?.close();
      // After the last request: nothing that was downloaded goes uncounted.
      await counterOf(resources).stop();
      await closeResources(resources);
    },
  };
}
