// Opens the parts of the server that every handler gets.

import type { Logger } from "pino";
import { deleteApplicationsOf } from "#accounts/applications/write.js";
import { removeCollectionsOf } from "#community/collections/edit.js";
import { removeAuthorFollowsOf } from "#community/follows/authors.js";
import { removeFollowsOf } from "#community/follows/write.js";
import type { Config } from "#config/config.js";
import { ByteBudget } from "#lib/byte-budget.js";
import { type Clock, systemClock } from "#lib/clock.js";
import { type Random, systemRandom } from "#lib/random.js";
import { version } from "#lib/version.js";
import { showBackups } from "#operations/backup/figures.js";
import { openArchiveInspector } from "#platform/archives/inspector.js";
import { openBlobStore } from "#platform/blobs/open.js";
import { ChangeLog } from "#platform/changes/change-log.js";
import { ServerMemory } from "#platform/changes/server-memory.js";
import { openDatabase } from "#platform/db/open.js";
import { DiskSpace } from "#platform/http/disk-space.js";
import { createLog } from "#platform/http/log-lines.js";
import { createMetrics } from "#platform/http/metrics.js";
import { RateLimiter } from "#platform/http/rate-limiter.js";
import { Readiness } from "#platform/http/readiness.js";
import { RecentErrors } from "#platform/http/recent-errors.js";
import type { Resources } from "#platform/http/resources.js";
import { describeProcess } from "#platform/http/server-report.js";
import { openImageTools } from "#platform/images/tools.js";
import { followMailer } from "#platform/mail/mailer.js";
import { followScanner } from "#platform/scanner/open.js";
import { openVault } from "#platform/secrets/open-vault.js";
import type { WorkerLink } from "#platform/workers/link.js";
import { onlyProcess, type Peers } from "#platform/workers/peers.js";

export interface Parts {
  clock?: Clock;
  random?: Random;
  log?: Logger;
  /** For one of several worker processes. */
  link?: WorkerLink;
}

const formMemoryBytes = 64 * 1024 * 1024;

export async function openResources(
  config: Config,
  { clock = systemClock, random = systemRandom, log = createLog(config.log.level), link }: Parts = {},
): Promise<Resources> {
  const noteLoss = (error: Error) => log.warn({ err: error }, "A database connection was lost");
  const database = openDatabase(shareOf(config.database, link), noteLoss, link?.writeTurn);
  const { db } = database;
  const blobs = await openBlobStore(config.storage, { clock, random });
  const room = new DiskSpace(config);
  const changeLog = new ChangeLog(database, log, () => peers.catchUpOthers());
  const memory = new ServerMemory({ changeLog, clock, memoryBytes: config.http.memoryBytes });
  const recentErrors = new RecentErrors();
  const metrics = createMetrics(version, room, memory);
  showBackups(metrics.registry, db);
  const since = clock.now();
  const peers: Peers =
    link ??
    onlyProcess({
      report: () => describeProcess(1, since, { memory, recentErrors }),
      metrics: () => metrics.registry.metrics(),
    });
  return {
    config,
    clock,
    random,
    log,
    peers,
    database,
    db,
    changeLog,
    memory,
    blobs,
    vault: openVault(config, random),
    images: openImageTools(),
    archives: openArchiveInspector(),
    mailer: followMailer(() => config.mail),
    scanner: followScanner(() => config.scanner),
    room,
    formMemory: new ByteBudget(formMemoryBytes / peers.count),
    metrics,
    limiter: new RateLimiter(db, clock, { isEnabled: () => config.limits.rates, peers }),
    recentErrors,
    accountRemovals: [removeFollowsOf, removeAuthorFollowsOf, removeCollectionsOf, deleteApplicationsOf],
    readiness: new Readiness({
      database,
      blobs,
      onTrouble: (part, err) => log.error({ err, part }, "The server is not ready: a part of it failed"),
    }),
  };
}

/** The connections to PostgreSQL that this worker may use. Fewer than two would make requests wait for each other. */
const shareOf = (database: Config["database"], link: WorkerLink | undefined): Config["database"] =>
  database.engine === "postgres" && link
    ? { ...database, poolSize: Math.max(2, Math.floor(database.poolSize / link.count)) }
    : database;

export async function closeResources(resources: Resources): Promise<void> {
  await resources.changeLog.stop();
  await resources.images.close();
  await resources.archives.close();
  resources.mailer.close();
  resources.scanner.close();
  await resources.blobs.close();
  await resources.database.close();
}
