// Deletes what the counter remembers of clients once it cannot matter any more: the counts stay, the clients do not.
import type { Kysely } from "kysely";
import { skipLocked } from "#platform/db/dialect.js";
import type { Tables } from "#platform/db/tables.js";
import { windowMs } from "./policy.js";

/** Downloads that are still in a node's memory may be so old. */
const marginMs = 10 * 60_000;
/** Rows per statement: other requests are answered in between. */
export const rowsAtOnce = 2000;

/** Clients that were counted last at this time or before cannot matter any more. */
export const forgottenBefore = (now: number): number => now - windowMs - marginMs;

export async function forgetClients(db: Kysely<Tables>, now: number): Promise<void> {
  for (;;) {
    const { numDeletedRows } = await db
      .deleteFrom("recent_downloads")
      .where((where) =>
        where(
          where.refTuple("client", "project_id"),
          "in",
          where
            .selectFrom("recent_downloads")
            .select(["client", "project_id"])
            .where("time_1", "<=", forgottenBefore(now))
            .orderBy("time_1")
            .limit(rowsAtOnce)
            // A row that a counter is changing at this moment is needed again.
            .modifyEnd(skipLocked(db))
            .$asTuple("client", "project_id"),
        ),
      )
      .executeTakeFirst();
    if (numDeletedRows === 0n) return;
  }
}
