// The amount of open work, for the first page of the moderators' desk.

import { sql } from "kysely";
import type { Static } from "typebox";
import type { Resources } from "#platform/http/resources.js";
import { maybeTimestamp, timestamp } from "#platform/http/schemas.js";
import type { SignedIn } from "#platform/http/viewer.js";
import type { getModerationSummary } from "./contract.js";
import { findMedianWait } from "./read.js";

type Summary = Static<(typeof getModerationSummary)["answer"]>;

/** Counts over partial indexes, so that the cost depends on open work and not on the total. */
export async function readSummary({ db, clock }: Resources, viewer: SignedIn): Promise<Summary> {
  const now = clock.now();
  const { rows } = await sql<Record<"waiting" | "oldest" | "cases" | "urgent" | "quarantines", number | null>>`
    select
      (select count(*) from projects where status = 'processing') as waiting,
      (select min(date_queued) from projects where status = 'processing') as oldest,
      (select count(*) from report_cases where date_closed is null) as cases,
      (select count(*) from report_cases where date_closed is null and is_urgent = 1) as urgent,
      (select count(*) from quarantines where date_lifted is null) as quarantines`.execute(db);
  const claims = await db
    .selectFrom("review_claims")
    .select(["kind", "object_id", "date_expires"])
    .where("user_id", "=", viewer.user.id)
    .where("date_expires", ">", now)
    .orderBy("date_expires")
    .execute();
  const counted = rows[0]!;
  return {
    queueLength: Number(counted.waiting),
    oldestQueued: maybeTimestamp(counted.oldest),
    medianWaitSeconds: await findMedianWait(db, now),
    openCases: Number(counted.cases),
    urgentCases: Number(counted.urgent),
    standingQuarantines: Number(counted.quarantines),
    claims: claims.map(({ kind, object_id, date_expires }) => ({
      kind,
      id: object_id,
      dateExpires: timestamp(date_expires),
    })),
  };
}
