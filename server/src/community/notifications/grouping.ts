// One notification per follower, project and burst of versions: versions published while the last notification is
// unread and recent are added to it, and it moves to the top again.
import { sql } from "kysely";
import { fromJson, toJson } from "#lib/json.js";
import { newId } from "#lib/random.js";
import type { Tx } from "#platform/changes/write.js";
import { inList, lockRows } from "#platform/db/dialect.js";

/** Later versions get a new notification, whether or not the last one was read. */
export const burstMs = 6 * 60 * 60_000;
const maxListed = 50;

interface VersionsBody {
  projectId: string;
  /** Newest first. */
  versionIds: string[];
  /** Includes versions that are no longer listed. */
  versionCount: number;
}

/** The versions per user, newest first. Versions that a user was already notified of are left out. */
export async function notifyAboutVersions(
  tx: Tx,
  projectId: string,
  wanted: ReadonlyMap<string, readonly string[]>,
): Promise<void> {
  if (wanted.size === 0) return;
  const { db, now } = tx;
  const groupKey = `versions:${projectId}`;
  const current = await db
    .selectFrom("notifications")
    .select(["id", "user_id", "body", "date_created", "date_read"])
    .where("group_key", "=", groupKey)
    .where(inList(db, sql.ref("user_id"), [...wanted.keys()]))
    // Waits for a request that marks it as read: the user would not notice versions added to a read notification.
    .modifyEnd(lockRows(db))
    .execute();
  const fresh = new Map(wanted);
  const joined = new Map<string, string[]>();
  const closed: string[] = [];
  for (const row of current) {
    const body = fromJson(row.body) as VersionsBody;
    const news = wanted.get(row.user_id)!.filter((id) => !body.versionIds.includes(id));
    const isOpen = row.date_read === null && now - row.date_created <= burstMs;
    if (isOpen || news.length === 0) fresh.delete(row.user_id);
    else {
      fresh.set(row.user_id, news);
      closed.push(row.id);
    }
    if (isOpen && news.length > 0) {
      const text = toBody(projectId, [...news, ...body.versionIds], body.versionCount + news.length);
      joined.set(text, [...(joined.get(text) ?? []), row.id]);
    }
  }
  // Most followers had the same versions before, so there are few different texts.
  for (const [body, ids] of joined)
    await db
      .updateTable("notifications")
      .set({ body, date_created: now })
      .where(inList(db, sql.ref("id"), ids))
      .execute();
  if (closed.length > 0)
    await db
      .updateTable("notifications")
      .set({ group_key: null })
      .where(inList(db, sql.ref("id"), closed))
      .execute();
  const rows = [...fresh].map(([user_id, versionIds]) => ({
    id: newId(tx.random),
    user_id,
    type: "version_published",
    group_key: groupKey,
    body: toBody(projectId, versionIds, versionIds.length),
    date_created: now,
    date_read: null,
  }));
  if (rows.length > 0) await db.insertInto("notifications").values(rows).execute();
}

const toBody = (projectId: string, versionIds: readonly string[], versionCount: number): string =>
  toJson<unknown>({ projectId, versionIds: versionIds.slice(0, maxListed), versionCount } satisfies VersionsBody);
