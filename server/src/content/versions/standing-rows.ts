// Which versions exist for callers of ordinary routes: one predicate, inside every query that reads versions.
import { type RawBuilder, sql } from "kysely";

/** What is in quarantine exists for moderators alone, and for them on their own routes (quarantine/). */
export const isNotQuarantined: RawBuilder<boolean> = sql<boolean>`versions.date_quarantined is null`;
