// Jobs that run by the clock: what has expired goes, bytes that nothing refers to go.
import { listSweepable, markOrphans, sweepBlob } from "../blobs/rows.js";
import type { Resources } from "../http/resources.js";

const day = 24 * 60 * 60 * 1000;
const staleTemporaryMs = day;
/** Far beyond what any follower that lives can be behind. */
const changesKeptMs = 30 * day;
const sweepBatch = 200;

/** Expiry itself is checked at every use; this only keeps the tables small. */
export async function deleteExpired({ db, clock }: Resources): Promise<void> {
  const now = clock.now();
  for (const table of ["sessions", "one_time_codes", "oauth_flows", "idempotency_keys", "rate_buckets"] as const)
    await db.deleteFrom(table).where("date_expires", "<=", now).execute();
  // Expired tokens stay in their owner's list for a month, so that he sees what stopped working.
  await db
    .deleteFrom("tokens")
    .where("date_expires", "<=", now - 30 * day)
    .execute();
  await db
    .deleteFrom("changes")
    .where("date_created", "<=", now - changesKeptMs)
    .execute();
}

export async function collectBlobs({ db, blobs, clock }: Resources): Promise<void> {
  const now = clock.now();
  await markOrphans(db, now);
  for (const sha512 of await listSweepable(db, now, sweepBatch))
    await db.transaction().execute((tx) => sweepBlob(tx, blobs, sha512, now));
  await blobs.removeStaleTemporaries(new Date(now - staleTemporaryMs));
}
