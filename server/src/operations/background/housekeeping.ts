// Scheduled jobs: they delete expired rows and unreferenced bytes.
import { type Kysely, sql } from "kysely";
import { deleteOldNotifications } from "#community/notifications/jobs.js";
import { forgetClients } from "#content/downloads/forget.js";
import { removeExpiredUploads } from "#content/uploads/jobs.js";
import { forgetVisitors } from "#content/views/forget.js";
import { forgetOldPublicChanges } from "#integrations/public-changes/jobs.js";
import { forgetOldDeliveries } from "#integrations/webhooks/jobs.js";
import { forgetGuests } from "#moderation/reports/guests.js";
import { listSweepable, markOrphans, sweepBlob } from "#platform/blobs/rows.js";
import type { Tables } from "#platform/db/tables.js";
import type { Resources } from "#platform/http/resources.js";

const hour = 60 * 60 * 1000;
const day = 24 * hour;
const staleTemporaryMs = day;
/** Much longer than any live consumer can be behind. */
const changesKeptMs = 30 * day;
const sweepBatch = 200;
const deleteBatch = 1000;

/** Expiry itself is checked at every use; this only keeps the tables small. */
export async function deleteExpired(resources: Resources): Promise<void> {
  const { db, clock } = resources;
  const now = clock.now();
  for (const table of [
    "sessions",
    "one_time_codes",
    "oauth_flows",
    "sign_in_steps",
    "familiar_addresses",
    "idempotency_keys",
    "rate_buckets",
    "review_claims",
    "unsubscribe_tokens",
    "retired_names",
    "ownership_offers",
    "mail_invites",
    "guest_reports",
    "project_moves",
    "spent_identities",
    "application_grants",
    "device_requests",
  ] as const)
    await db.deleteFrom(table).where("date_expires", "<=", now).execute();
  // Until then a slow build is told that its token has expired, rather than that it does not exist.
  await db
    .deleteFrom("tokens")
    .where((or) => or.or([or("publisher_id", "is not", null), or("grant_id", "is not", null)]))
    .where("date_expires", "<=", now - hour)
    .execute();
  // Expired tokens stay in their owner's list for a month, so that the owner sees which one stopped working.
  await db
    .deleteFrom("tokens")
    .where("date_expires", "<=", now - 30 * day)
    .execute();
  while ((await deleteOldChanges(db, now - changesKeptMs)) > 0);
  await db
    .deleteFrom("events")
    .where("date_created", "<=", now - changesKeptMs)
    .execute();
  await forgetOldPublicChanges(resources);
  await forgetOldDeliveries(resources);
  await deleteOldNotifications(db, now);
  await forgetClients(db, now);
  await forgetVisitors(db, now);
  await forgetGuests(db, now);
  await removeExpiredUploads(resources);
  // A month after the last version with this content: until then it need not be scanned again.
  await db
    .deleteFrom("file_scans")
    .where("date_scanned", "<=", now - 30 * day)
    .where("holds", "=", 0)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("version_files").select("id").whereRef("version_files.sha512", "=", "file_scans.sha512"))),
    )
    .execute();
}

/** Deletes the oldest rows. Only so many rows are read, so that the cost does not depend on the length of the log. */
async function deleteOldChanges(db: Kysely<Tables>, before: number): Promise<number> {
  const oldest = db
    .selectFrom("changes")
    .select(["seq", "date_created"])
    .orderBy("seq")
    .limit(deleteBatch)
    .as("oldest");
  const { numDeletedRows } = await db
    .deleteFrom("changes")
    .where("seq", "<=", (select) =>
      select
        .selectFrom(oldest)
        .select(sql<number>`coalesce(max(seq), 0)`.as("seq"))
        .where("date_created", "<=", before),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

export async function collectBlobs({ db, blobs, clock }: Resources): Promise<void> {
  const now = clock.now();
  await markOrphans(db, now);
  const failures: unknown[] = [];
  for (const sha512 of await listSweepable(db, now, sweepBatch)) {
    try {
      await db.transaction().execute((tx) => sweepBlob(tx, blobs, sha512, now));
    } catch (error) {
      // A blob that cannot be deleted must not block the ones after it.
      failures.push(error);
    }
  }
  await blobs.removeStaleTemporaries(new Date(now - staleTemporaryMs));
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} blobs could not be swept`);
}
