// Finding sessions: the one behind a cookie, and those of a user.
import type { Kysely } from "kysely";
import type { Db, Row, Tables } from "../db/tables.js";
import { timestamp } from "../http/schemas.js";
import type { SessionViewer } from "../http/viewer.js";
import { browserOf, systemOf } from "../lib/user-agent.js";
import type { Session } from "./contract.js";
import { isUseWorthNoting, sessionExpiry } from "./policy.js";

/** Reads session and user in one statement each time: what was revoked or suspended a moment ago is out. */
export async function findSessionViewer(
  db: Kysely<Tables>,
  digest: Uint8Array,
  { now, asksConfirmation }: { now: number; asksConfirmation: boolean },
): Promise<SessionViewer | undefined> {
  const row = await db
    .selectFrom("sessions")
    .innerJoin("users", "users.id", "sessions.user_id")
    .select(["sessions.id", "sessions.date_created", "sessions.date_last_active", "sessions.date_authenticated"])
    .select(["users.id as user_id", "users.user_name", "users.role", "users.locale", "users.shortcuts"])
    .select("users.email_held")
    .where("sessions.token_digest", "=", digest)
    .where("sessions.date_expires", ">", now)
    .where("users.date_suspended", "is", null)
    .executeTakeFirst();
  if (!row) return undefined;
  if (isUseWorthNoting(row.date_last_active, now)) await noteUse(db, row, now);
  return {
    kind: "session",
    sessionId: row.id,
    dateAuthenticated: row.date_authenticated,
    user: {
      ...{ id: row.user_id, userName: row.user_name, role: row.role },
      ...{ locale: row.locale, shortcuts: row.shortcuts },
      ...(asksConfirmation && row.email_held === 0 && { isUnconfirmed: true }),
    },
  };
}

async function noteUse(
  db: Kysely<Tables>,
  { id, date_created }: { id: string; date_created: number },
  now: number,
): Promise<void> {
  await db
    .updateTable("sessions")
    .set({ date_last_active: now, date_expires: sessionExpiry(date_created, now) })
    .where("id", "=", id)
    .execute();
}

export const listSessionRows = (db: Db, userId: string, now: number): Promise<Row<"sessions">[]> =>
  db
    .selectFrom("sessions")
    .selectAll()
    .where("user_id", "=", userId)
    .where("date_expires", ">", now)
    .orderBy("date_last_active", "desc")
    .orderBy("id")
    .execute();

export const toSession = (row: Row<"sessions">, currentId: string): Session => ({
  id: row.id,
  userId: row.user_id,
  dateCreated: timestamp(row.date_created),
  dateLastActive: timestamp(row.date_last_active),
  dateExpires: timestamp(row.date_expires),
  providerName: row.provider,
  status: "active",
  isCurrent: row.id === currentId,
  os: systemOf(row.user_agent),
  browser: browserOf(row.user_agent),
  city: null,
  country: null,
  ip: row.address,
  userAgent: row.user_agent,
});
