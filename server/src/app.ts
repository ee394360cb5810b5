// The composition root: takes the configuration and creates the server. Only this file knows all parts.
import type { Server } from "node:http";
import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import { providerRoutes } from "#accounts/providers/routes.js";
import { findSessionViewer } from "#accounts/sessions/read.js";
import { sessionRoutes } from "#accounts/sessions/routes.js";
import { findTokenViewer } from "#accounts/tokens/read.js";
import { tokenRoutes } from "#accounts/tokens/routes.js";
import { userActionRoutes } from "#accounts/users/action-routes.js";
import { userRoutes } from "#accounts/users/routes.js";
import { cdnFileRoutes } from "#cdn/file-routes.js";
import { hotFiles } from "#cdn/hot-files.js";
import { cdnRoutes } from "#cdn/routes.js";
import { removeCollectionsOf } from "#community/collections/edit.js";
import { collectionRoutes } from "#community/collections/routes.js";
import { followRoutes } from "#community/follows/routes.js";
import { removeFollowsOf } from "#community/follows/write.js";
import { notificationRoutes } from "#community/notifications/routes.js";
import type { Config } from "#config/config.js";
import { hashIndexOf } from "#content/catalog/hash-index.js";
import { dependencyRoutes } from "#content/dependencies/routes.js";
import { counterOf } from "#content/downloads/counters.js";
import { galleryRoutes } from "#content/gallery/routes.js";
import { organizationRoutes } from "#content/organizations/routes.js";
import { getBoundId } from "#content/projects/change.js";
import { projectEditRoutes } from "#content/projects/edit-routes.js";
import { projectRoutes } from "#content/projects/routes.js";
import { publisherRoutes } from "#content/publishers/routes.js";
import { resolveRoutes } from "#content/resolve/routes.js";
import { submissionRoutes } from "#content/submissions/routes.js";
import { taxonomyRoutes } from "#content/taxonomy/routes.js";
import { teamRoutes } from "#content/teams/routes.js";
import { threadRoutes } from "#content/threads/routes.js";
import { uploadRoutes } from "#content/uploads/routes.js";
import { hotLookUps } from "#content/version-files/hot-look-ups.js";
import { versionFileRoutes } from "#content/version-files/routes.js";
import { versionEditRoutes } from "#content/versions/edit-routes.js";
import { hotRead } from "#content/versions/hot-reads.js";
import { startPrepared } from "#content/versions/prepared-start.js";
import { includedVersions } from "#content/versions/read.js";
import { versionRoutes } from "#content/versions/routes.js";
import { analyticsRoutes } from "#discovery/analytics/routes.js";
import { prepareSearch } from "#discovery/search/jobs.js";
import { searchRoutes } from "#discovery/search/routes.js";
import { statisticsRoutes } from "#discovery/statistics/routes.js";
import { badgeRoutes } from "#integrations/badges/routes.js";
import { embedRoutes } from "#integrations/embeds/routes.js";
import { feedRoutes } from "#integrations/feeds/routes.js";
import { mavenRoutes } from "#integrations/maven/routes.js";
import { publicChangeRoutes } from "#integrations/public-changes/routes.js";
import { endChangeStreams } from "#integrations/public-changes/streams.js";
import { sitemapRoutes } from "#integrations/sitemaps/routes.js";
import { webhookRoutes } from "#integrations/webhooks/routes.js";
import { wellKnownRoutes } from "#integrations/well-known/routes.js";
import { ByteBudget } from "#lib/byte-budget.js";
import { parseTrustedProxies } from "#lib/client-address.js";
import { type Clock, systemClock } from "#lib/clock.js";
import { type Random, systemRandom } from "#lib/random.js";
import { version } from "#lib/version.js";
import { auditRoutes } from "#moderation/desk/audit-routes.js";
import { peopleRoutes } from "#moderation/desk/people-routes.js";
import { moderationRoutes } from "#moderation/desk/routes.js";
import { quarantineRoutes } from "#moderation/quarantine/routes.js";
import { reportRoutes } from "#moderation/reports/routes.js";
import { startConsumers } from "#operations/background/consumers.js";
import { JobLanes } from "#operations/background/lanes.js";
import { operationRoutes } from "#operations/health/routes.js";
import { openArchiveInspector } from "#platform/archives/inspector.js";
import { openBlobStore } from "#platform/blobs/open.js";
import { ChangeLog } from "#platform/changes/change-log.js";
import { ServerMemory } from "#platform/changes/server-memory.js";
import { openDatabase } from "#platform/db/open.js";
import type { Gate } from "#platform/http/caller.js";
import { limitConnections } from "#platform/http/connections.js";
import { contentHostTest } from "#platform/http/content-host.js";
import { DiskSpace } from "#platform/http/disk-space.js";
import type { Route } from "#platform/http/endpoint.js";
import { putHotPathFirst } from "#platform/http/hot-path.js";
import { createLog } from "#platform/http/log-lines.js";
import { createMetrics } from "#platform/http/metrics.js";
import { listenForMetrics } from "#platform/http/metrics-server.js";
import { mount } from "#platform/http/mount.js";
import { RateLimiter } from "#platform/http/rate-limiter.js";
import { Readiness } from "#platform/http/readiness.js";
import { RecentErrors } from "#platform/http/recent-errors.js";
import type { Resources } from "#platform/http/resources.js";
import { createServer, type ServerOptions } from "#platform/http/server.js";
import { stopLimits } from "#platform/http/stop-limits.js";
import { openImageTools } from "#platform/images/tools.js";
import { openMailer } from "#platform/mail/mailer.js";
import { openVault } from "#platform/secrets/open-vault.js";
import { followSettings } from "#platform/settings/live.js";
import { prepareFormats } from "#web/context/early-formats.js";
import { errorPage } from "#web/frame/error-page.js";
import { hotPages } from "#web/frame/page-cache.js";
import { pageHeaders, pageType } from "#web/frame/rendering.js";
import { webRoutes } from "#web/routes.js";

/** The API routes, in the order of the reference. */
const apiRoutes: readonly Route[] = [
  ...sessionRoutes,
  ...providerRoutes(),
  ...tokenRoutes({ getBoundId }),
  ...publisherRoutes(),
  ...userRoutes,
  ...userActionRoutes,
  ...taxonomyRoutes,
  ...searchRoutes,
  ...projectRoutes(includedVersions),
  ...projectEditRoutes,
  ...submissionRoutes,
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

const formMemoryBytes = 64 * 1024 * 1024;

export async function openResources(
  config: Config,
  { clock = systemClock, random = systemRandom, log = createLog(config.log.level) }: Parts = {},
): Promise<Resources> {
  const database = openDatabase(config.database, (error) => log.warn({ err: error }, "A database connection was lost"));
  const { db } = database;
  const blobs = await openBlobStore(config.storage, { clock, random });
  const room = new DiskSpace(config);
  const changeLog = new ChangeLog(database, log);
  const memory = new ServerMemory({ changeLog, clock });
  return {
    config,
    clock,
    random,
    log,
    database,
    db,
    changeLog,
    memory,
    blobs,
    vault: openVault(config, random),
    images: openImageTools(),
    archives: openArchiveInspector(),
    mailer: openMailer(config.mail),
    room,
    formMemory: new ByteBudget(formMemoryBytes),
    metrics: createMetrics(version, room, memory),
    limiter: new RateLimiter(db, clock, config.rateLimits),
    recentErrors: new RecentErrors(),
    accountRemovals: [removeFollowsOf, removeCollectionsOf],
    readiness: new Readiness({
      database,
      blobs,
      onTrouble: (part, err) => log.error({ err, part }, "The server is not ready: a part of it failed"),
    }),
  };
}

export async function closeResources(resources: Resources): Promise<void> {
  await resources.changeLog.stop();
  await resources.images.close();
  await resources.archives.close();
  resources.mailer.close();
  await resources.blobs.close();
  await resources.database.close();
}

export interface App {
  http: FastifyInstance;
  jobs: JobLanes;
  /** Starts answering. Returns the address that it listens on. */
  listen(address: { host: string; port: number }): Promise<string>;
  /** Lets running requests finish, at most as long as the configuration says, then closes everything. */
  stop(): Promise<void>;
}

const sweepMs = 100;

export async function createApp(
  resources: Resources,
  allRoutes: readonly Route[] = routes,
  options: Pick<ServerOptions, "patience" | "checksReadyAnswers"> & { preparesInThread?: boolean } = {},
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
  const http = createServer(resources, { ...options, errorPage: errorPage(config.http, clock) });
  // After the plug-ins: the routes need the multipart parser. Awaited, so that a route that cannot be mounted stops the
  // start with its own message.
  await http.after();
  mount(http, resources, gate, allRoutes);
  prepareFormats();
  limitConnections(http.server, resources, gate.trustedProxies);
  putHotPathFirst(http.server, {
    find: (url) => hotRead(resources, url),
    findFile: hotFiles(resources),
    findPages: hotPages(resources),
    pageHeaders: { ...pageHeaders(config.http), "content-type": pageType },
    posted: hotLookUps(resources),
    resources,
    trustedProxies: gate.trustedProxies,
    isContentHost: contentHostTest(config.http),
  });
  const jobs = new JobLanes(resources);
  let metricsServer: Server | undefined;
  let stopConsumers: (() => Promise<void>) | undefined;
  let stopPrepared: (() => Promise<void>) | undefined;

  return {
    http,
    jobs,
    async listen(address) {
      await resources.changeLog.start();
      hashIndexOf(resources).start();
      await followSettings(resources);
      stopPrepared = await startPrepared(resources, { inThread: options.preparesInThread ?? true });
      await readiness.start();
      await resources.room.start();
      metricsServer = await listenForMetrics(resources);
      const listening = await http.listen(address);
      jobs.start();
      stopConsumers = startConsumers(resources);
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
      // A connection that becomes idle now would otherwise stay open for another request.
      const sweep = setInterval(() => http.server.closeIdleConnections(), sweepMs);
      await Promise.all([http.close(), jobs.stop(requestsMs)]);
      await stopConsumers?.();
      clearTimeout(deadline);
      clearInterval(sweep);
      metricsServer?.close();
      // After the last request, so that every download is counted.
      await counterOf(resources).stop();
      await stopPrepared?.();
      await hashIndexOf(resources).stop();
      await closeResources(resources);
    },
  };
}
