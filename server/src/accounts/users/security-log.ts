// Events of an account from the audit log, for its owner.
import { type SqlBool, sql } from "kysely";
import { fromJson } from "#lib/json.js";
import type { Db } from "#platform/db/tables.js";

export interface SecurityEvent {
  id: number;
  action: string;
  /** The network address, if it is known and the user acted themselves. */
  address: string | null;
  isByOther: boolean;
  detail: Record<string, unknown>;
  date: number;
}

/** Acts of strangers and programs, which have no actor id either. */
const programActs: ReadonlySet<string> = new Set(["token.leaked", "application.disconnect", "application.replay"]);

/** Newest first, older than the row `before`. */
export async function listSecurityEvents(
  db: Db,
  userId: string,
  { before, limit }: { before?: number | undefined; limit: number },
): Promise<SecurityEvent[]> {
  let query = db
    .selectFrom("audit_log")
    .selectAll()
    .where((or) =>
      or.or([or("actor_id", "=", userId), or.and([or("object_kind", "=", "user"), or("object_id", "=", userId)])]),
    )
    .where(sql<SqlBool>`(action like 'session.%' or action like 'token.%' or action like 'user.%'
        or action like 'application.%')`)
    // Actions of an administrator on other users are in the logs of those users.
    .where((or) => or.or([or("object_kind", "!=", "user"), or("object_id", "=", userId)]));
  if (before !== undefined) query = query.where("id", "<", before);
  const rows = await query.orderBy("id", "desc").limit(limit).execute();
  return rows.map((row) => {
    // A user who is not signed in yet has no actor id, so the event was their own act, except for acts of others.
    const isByOther = row.actor_id === null ? programActs.has(row.action) : row.actor_id !== userId;
    return {
      id: row.id,
      action: row.action,
      address: isByOther ? null : row.address,
      isByOther,
      detail: fromJson(row.detail) as Record<string, unknown>,
      date: row.date_created,
    };
  });
}
