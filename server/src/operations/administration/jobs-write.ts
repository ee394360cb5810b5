// Actions of administrators on failed jobs. Each runs in the caller's transaction.

import type { Tx } from "#platform/changes/write.js";
import { fail } from "#platform/errors.js";
import { scheduledKeys } from "#platform/jobs/queue.js";
import { say } from "#words/said.js";

/** Runs the job immediately, with all its tries again. A running job is left unchanged. */
export async function retryJob(tx: Tx, id: number): Promise<void> {
  const job = await tx.db
    .updateTable("jobs")
    .set({ run_after: tx.now, attempts: 0, date_parked: null, last_error: null })
    .where("id", "=", id)
    .where((or) => or.or([or("lease_until", "is", null), or("lease_until", "<=", tx.now)]))
    .returning("kind")
    .executeTakeFirst();
  if (!job) throw fail.wrongState(say.states.jobTaken);
  tx.audit("job.retry", { kind: "job", id: String(id) }, { job: job.kind });
  tx.changed("job", job.kind);
}

/** Scheduled jobs stay: they keep the site tidy, and the schedule would enqueue them again. */
export async function deleteJob(tx: Tx, id: number): Promise<void> {
  const job = await tx.db
    .deleteFrom("jobs")
    .where("id", "=", id)
    .where((or) => or.or([or("lease_until", "is", null), or("lease_until", "<=", tx.now)]))
    .where((or) => or.or([or("dedupe_key", "is", null), or("dedupe_key", "not like", `${scheduledKeys}%`)]))
    .returning("kind")
    .executeTakeFirst();
  if (!job) throw fail.wrongState(say.states.jobTaken);
  tx.audit("job.delete", { kind: "job", id: String(id) }, { job: job.kind });
}
