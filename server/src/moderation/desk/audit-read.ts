// Entries of the audit log that fit a filter, in pages by their number, whatever the length of the log.

import { type RawBuilder, sql } from "kysely";
import { findProfile } from "#accounts/users/read.js";
import { fromJson } from "#lib/json.js";
import type { Db } from "#platform/db/tables.js";
import { invalid } from "#platform/errors.js";
import { timestamp } from "#platform/http/schemas.js";
import type { SignedIn } from "#platform/http/viewer.js";
import { say } from "#words/said.js";
import type { AuditEntry } from "./audit-contract.js";

export interface AuditFilter {
  actor?: string;
  action?: string;
  objectKind?: string;
  objectId?: string;
  since?: string;
  until?: string;
}

/**
 * The acts of moderators: they can read this part of the log, but no sign-ins, tokens or email addresses of others.
 */
export const moderationActs = [
  "project.status.set",
  "claim.",
  "report.",
  "thread.",
  "quarantine.",
  "content.",
  "collection.feature",
  "collection.unfeature",
  "user.suspend",
  "user.unsuspend",
  "application.suspend",
  "application.restore",
];

export interface AuditPage extends AuditFilter {
  before?: number;
  limit: number;
}

export async function listAudits(
  db: Db,
  viewer: SignedIn,
  page: AuditPage,
): Promise<{ entries: AuditEntry[]; next: number | null }> {
  const { before, limit } = page;
  const isAdmin = viewer.user.role === "admin";
  const conditions = await toConditions(db, page);
  if (!isAdmin) conditions.push(sql`(${sql.join(moderationActs.map(beginsWith), sql` or `)})`);
  if (before !== undefined) conditions.push(sql`audit_log.id < ${before}`);
  const rows = await db
    .selectFrom("audit_log")
    .leftJoin("users as actor", "actor.id", "audit_log.actor_id")
    .selectAll("audit_log")
    .select("actor.user_name as actor_name")
    .where(sql<boolean>`${sql.join([sql`1 = 1`, ...conditions], sql` and `)}`)
    .orderBy("audit_log.id", "desc")
    .limit(limit + 1)
    .execute();
  const entries = rows.slice(0, limit).map(
    (row): AuditEntry => ({
      id: row.id,
      dateCreated: timestamp(row.date_created),
      actor: row.actor_id === null ? null : { id: row.actor_id, userName: row.actor_name },
      action: row.action,
      object: { kind: row.object_kind, id: row.object_id },
      detail: fromJson(row.detail) as Record<string, unknown>,
      ...(isAdmin && { credential: row.credential, address: row.address, requestId: row.request_id }),
    }),
  );
  return { entries, next: rows.length > limit ? entries.at(-1)!.id : null };
}

async function toConditions(db: Db, filter: AuditFilter): Promise<RawBuilder<unknown>[]> {
  const conditions: RawBuilder<unknown>[] = [];
  const { actor, action, objectKind, objectId } = filter;
  // The log outlives accounts: a deleted user is found by their former id.
  if (actor !== undefined) conditions.push(sql`audit_log.actor_id = ${(await findProfile(db, actor))?.id ?? actor}`);
  if (action !== undefined) conditions.push(beginsWith(action));
  if (objectKind !== undefined) conditions.push(sql`audit_log.object_kind = ${objectKind}`);
  if (objectId !== undefined) conditions.push(sql`audit_log.object_id = ${objectId}`);
  const [since, until] = [toTime("since", filter.since), toTime("until", filter.until)];
  if (since !== undefined) conditions.push(sql`audit_log.date_created >= ${since}`);
  if (until !== undefined) conditions.push(sql`audit_log.date_created < ${until}`);
  return conditions;
}

/** The contract allows no wildcards. */
const beginsWith = (words: string): RawBuilder<unknown> => sql`audit_log.action like ${`${words}%`}`;

function toTime(path: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw invalid({ path, message: say.problems.realDate });
  return time;
}
