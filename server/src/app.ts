// The composition root: takes the configuration and creates the server. Only this file knows all parts.
import type { Server } from "node:http";
import type { FastifyInstance } from "fastify";
import { applicationRoutes } from "#accounts/applications/routes.js";
import { deviceRoutes } from "#accounts/devices/routes.js";
import { providerRoutes } from "#accounts/providers/routes.js";
import { findSessionViewer } from "#accounts/sessions/read.js";
import { sessionRoutes } from "#accounts/sessions/routes.js";
import { findTokenViewer } from "#accounts/tokens/read.js";
import { tokenRoutes } from "#accounts/tokens/routes.js";
import { userActionRoutes } from "#accounts/users/action-routes.js";
import { userRoutes } from "#accounts/users/routes.js";
import { cdnFileRoutes } from "#cdn/file-routes.js";
import { hotFiles } from "#cdn/hot-files.js";
import { remotePictureRoutes } from "#cdn/remote-picture.js";
import { cdnRoutes } from "#cdn/routes.js";
import { collectionRoutes } from "#community/collections/routes.js";
import { followRoutes } from "#community/follows/routes.js";
import { notificationRoutes } from "#community/notifications/routes.js";
import { dependencyRoutes } from "#content/dependencies/routes.js";
import { counterOf } from "#content/downloads/counters.js";
import { galleryRoutes } from "#content/gallery/routes.js";
import { hashIndexOf } from "#content/hashes/hash-index.js";
import { organizationRoutes } from "#content/organizations/routes.js";
import { packRoutes } from "#content/packs/routes.js";
import { getBoundId } from "#content/projects/change.js";
import { projectEditRoutes } from "#content/projects/edit-routes.js";
import { projectRoutes } from "#content/projects/routes.js";
import { publisherRoutes } from "#content/publishers/routes.js";
import { resolveRoutes } from "#content/resolve/routes.js";
import { submissionRoutes } from "#content/submissions/routes.js";
import { getTaxonomy } from "#content/taxonomy/read.js";
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
import { noteHotView, viewCounterOf } from "#content/views/counters.js";
import { analyticsRoutes } from "#discovery/analytics/routes.js";
import { hotSearch } from "#discovery/search/hot-search.js";
import { prepareSearch } from "#discovery/search/jobs.js";
import { liveIndexOf } from "#discovery/search/live-index.js";
import { searchRoutes } from "#discovery/search/routes.js";
import { statisticsRoutes } from "#discovery/statistics/routes.js";
import { badgeRoutes } from "#integrations/badges/routes.js";
import { embedRoutes } from "#integrations/embeds/routes.js";
import { feedRoutes } from "#integrations/feeds/routes.js";
import { mavenRoutes } from "#integrations/maven/routes.js";
import { hotModrinth, hotModrinthLookUps } from "#integrations/modrinth/hot-reads.js";
import { modrinthRoutes } from "#integrations/modrinth/routes.js";
import { publicChangeRoutes } from "#integrations/public-changes/routes.js";
import { endChangeStreams } from "#integrations/public-changes/streams.js";
import { sitemapRoutes } from "#integrations/sitemaps/routes.js";
import { updateFileRoutes } from "#integrations/update-files/routes.js";
import { webhookRoutes } from "#integrations/webhooks/routes.js";
import { wellKnownRoutes } from "#integrations/well-known/routes.js";
import { acceptWaiting } from "#lib/accept-waiting.js";
import { parseTrustedProxies } from "#lib/client-address.js";
import { auditRoutes } from "#moderation/desk/audit-routes.js";
import { peopleRoutes } from "#moderation/desk/people-routes.js";
import { moderationRoutes } from "#moderation/desk/routes.js";
import { quarantineRoutes } from "#moderation/quarantine/routes.js";
import { reportRoutes } from "#moderation/reports/routes.js";
import { closeResources, openResources } from "#operations/assembly/resources.js";
import { startConsumers } from "#operations/background/consumers.js";
import { JobLanes } from "#operations/background/lanes.js";
import { operationRoutes } from "#operations/health/routes.js";
import type { Gate } from "#platform/http/caller.js";
import { limitConnections } from "#platform/http/connections.js";
import { contentHostTest, faceHostTest } from "#platform/http/content-host.js";
import type { Route } from "#platform/http/endpoint.js";
import { putHotPathFirst } from "#platform/http/hot-path.js";
import { listenForMetrics } from "#platform/http/metrics-server.js";
import { isOfFace } from "#platform/http/modrinth-fields.js";
import { mount } from "#platform/http/mount.js";
import type { Resources } from "#platform/http/resources.js";
import { createServer, type ServerOptions } from "#platform/http/server.js";
import { describeProcess } from "#platform/http/server-report.js";
import { stopLimits } from "#platform/http/stop-limits.js";
import { followSettings } from "#platform/settings/live.js";
import { prepareFormats } from "#web/context/early-formats.js";
import { errorPage } from "#web/frame/error-page.js";
import { hotPages } from "#web/frame/hot-pages.js";
import { PageMaker } from "#web/frame/page-maker.js";
import { pageHeaders, pageType } from "#web/frame/rendering.js";
import { findReadyList } from "#web/pages/browse/list-page.route.js";
import { findReadyPage, projectPages } from "#web/pages/project/ready-pages.js";
import { webRoutes } from "#web/routes.js";

/** The API routes, in the order of the reference. */
const apiRoutes: readonly Route[] = [
  ...sessionRoutes,
  ...providerRoutes(),
  ...tokenRoutes({ getBoundId }),
  ...applicationRoutes,
  ...deviceRoutes,
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
  ...packRoutes,
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
  ...updateFileRoutes,
  ...embedRoutes,
  ...sitemapRoutes,
  ...wellKnownRoutes,
  ...webhookRoutes,
  ...publicChangeRoutes,
  ...cdnRoutes,
  ...remotePictureRoutes,
  ...cdnFileRoutes,
  ...mavenRoutes,
  ...modrinthRoutes,
  ...operationRoutes,
];

/** Every route of the service. */
export const routes: readonly Route[] = [...apiRoutes, ...webRoutes(apiRoutes.map(({ endpoint }) => endpoint))];

export { closeResources, openResources };

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
  const { config, db, clock, limiter, mailer, readiness, log, peers, metrics } = resources;
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
  const http = createServer(resources, { ...options, errorPage: errorPage(resources, gate) });
  // After the plug-ins: the routes need the multipart parser. Awaited, so that a route that cannot be mounted stops the
  // start with its own message.
  await http.after();
  const isServed = ({ endpoint }: Route) => config.http.modrinthApi || !isOfFace(endpoint.path);
  mount(http, resources, gate, allRoutes.filter(isServed));
  prepareFormats();
  limitConnections(http.server, resources, gate.trustedProxies);
  putHotPathFirst(http.server, {
    find: (url) => hotRead(resources, url) ?? hotSearch(resources, url) ?? hotModrinth(resources, url),
    findFile: hotFiles(resources),
    findPages: hotPages(resources, findReadyPage, findReadyList),
    noteView: (projectId, by) => noteHotView(by, resources, projectId),
    pageHeaders: { ...pageHeaders(config.http), "content-type": pageType },
    posted: new Map([...hotLookUps(resources), ...hotModrinthLookUps(resources)]),
    resources,
    trustedProxies: gate.trustedProxies,
    isContentHost: contentHostTest(config.http),
    isFaceHost: faceHostTest(config.http),
  });
  const jobs = new JobLanes(resources);
  let metricsServer: Server | undefined;
  let stopConsumers: (() => Promise<void>) | undefined;
  let stopPrepared: (() => Promise<void>) | undefined;
  const pageMaker = new PageMaker(resources, projectPages);

  return {
    http,
    jobs,
    async listen(address) {
      await resources.changeLog.start();
      const since = clock.now();
      await peers.join({
        catchUp: () => resources.changeLog.mustCatchUp(),
        lend: (limit) => limiter.lend(limit),
        report: () => describeProcess(peers.number, since, resources),
        metrics: () => metrics.registry.getMetricsAsJSON(),
      });
      hashIndexOf(resources).start();
      await followSettings(resources);
      // Error pages show its types without a query.
      await getTaxonomy(resources);
      stopPrepared = await startPrepared(resources, { inThread: options.preparesInThread ?? true });
      await readiness.start();
      await resources.room.start();
      // With several workers, the primary process has it.
      if (peers.count === 1)
        metricsServer = await listenForMetrics(resources, {
          contentType: metrics.registry.contentType,
          text: () => metrics.registry.metrics(),
        });
      const listening = await http.listen(address);
      // One worker is enough; the others serve requests only.
      if (peers.number === 1) {
        jobs.start();
        stopConsumers = startConsumers(resources);
      }
      void prepareSearch(resources);
      counterOf(resources).start();
      viewCounterOf(resources).start();
      if (options.preparesInThread ?? true) pageMaker.start();
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
      await acceptWaiting((onAccepted) => http.server.on("connection", onAccepted));
      // Fastify takes a moment before it closes the port.
      const closed = new Promise((resolve) => http.server.close(resolve));
      await Promise.all([closed, http.close(), jobs.stop(requestsMs)]);
      await stopConsumers?.();
      clearTimeout(deadline);
      clearInterval(sweep);
      metricsServer?.close();
      // After the last request, so that every download and view is counted.
      await counterOf(resources).stop();
      await viewCounterOf(resources).stop();
      await liveIndexOf(resources)
        .store()
        .catch((error) =>
          log.warn({ err: error }, "The search index could not be stored; the next start makes it again"),
        );
      // Before the prepared projects, which wait for its tables after the start.
      await hashIndexOf(resources).stop();
      await pageMaker.stop();
      await stopPrepared?.();
      await closeResources(resources);
    },
  };
}
