// What the server is made of, opened once (app.ts) and passed to every handler.
import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { ArchiveInspector } from "../archives/inspector.js";
import type { BlobStore } from "../blobs/store.js";
import type { Writing } from "../changes/write.js";
import type { Config } from "../config.js";
import type { Database } from "../db/open.js";
import type { Tables } from "../db/tables.js";
import type { ImageTools } from "../images/tools.js";
import type { ByteBudget } from "../lib/byte-budget.js";
import type { RecentTroubles } from "../lib/recent-troubles.js";
import type { Vault } from "../lib/vault.js";
import type { Mailer } from "../mail/mailer.js";
import type { DiskRoom } from "./disk-room.js";
import type { Metrics } from "./metrics.js";
import type { RateLimiter } from "./rate-limiter.js";
import type { Readiness } from "./readiness.js";

export interface Resources extends Writing {
  config: Config;
  database: Database;
  db: Kysely<Tables>;
  blobs: BlobStore;
  images: ImageTools;
  archives: ArchiveInspector;
  mailer: Mailer;
  log: Logger;
  metrics: Metrics;
  limiter: RateLimiter;
  readiness: Readiness;
  vault: Vault;
  room: DiskRoom;
  /** What the forms of all callers may hold in memory together: their texts, and pictures while they are looked at. */
  formMemory: ByteBudget;
  troubles: RecentTroubles;
}
