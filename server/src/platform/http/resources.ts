// The parts of the server, opened once (app.ts) and passed to every handler.
import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { Config } from "#config/config.js";
import type { ByteBudget } from "#lib/byte-budget.js";
import type { ArchiveInspector } from "#platform/archives/inspector.js";
import type { BlobStore } from "#platform/blobs/store.js";
import type { Tx, Writing } from "#platform/changes/write.js";
import type { Database } from "#platform/db/open.js";
import type { Tables } from "#platform/db/tables.js";
import type { ImageTools } from "#platform/images/tools.js";
import type { Mailer } from "#platform/mail/mailer.js";
import type { Scanner } from "#platform/scanner/scanner.js";
import type { Vault } from "#platform/secrets/vault.js";
import type { Peers } from "#platform/workers/peers.js";
import type { DiskSpace } from "./disk-space.js";
import type { Metrics } from "./metrics.js";
import type { RateLimiter } from "./rate-limiter.js";
import type { Readiness } from "./readiness.js";
import type { RecentErrors } from "./recent-errors.js";

export interface Resources extends Writing {
  config: Config;
  /** The other processes of this server. */
  peers: Peers;
  database: Database;
  db: Kysely<Tables>;
  blobs: BlobStore;
  images: ImageTools;
  archives: ArchiveInspector;
  mailer: Mailer;
  scanner: Scanner;
  log: Logger;
  metrics: Metrics;
  limiter: RateLimiter;
  readiness: Readiness;
  vault: Vault;
  room: DiskSpace;
  /** The memory that the forms of all callers may use together, for texts and for pictures while they are processed. */
  formMemory: ByteBudget;
  recentErrors: RecentErrors;
  /** Deletions by other features together with an account; accounts do not know these features (app.ts). */
  accountRemovals: readonly ((tx: Tx, userId: string) => Promise<void>)[];
}
