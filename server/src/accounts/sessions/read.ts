// Finds sessions: by cookie, and those of a user.
import { type Kysely, sql } from "kysely";
import type { Db, Row, Tables } from "#platform/db/tables.js";
import { timestamp } from "#platform/http/schemas.js";
import { type PowerRules, powersEnd, powersOfSession } from "#platform/http/staff-powers.js";
import type { SessionViewer } from "#platform/http/viewer.js";
import type { Session } from "./contract.js";
import { isUseWorthNoting, sessionExpiry } from "./policy.js";
import { browserOf, systemOf } from "./user-agent.js";

/** Reads session and user in one statement each time, so that a revocation or suspension takes effect immediately. */
export async function findSessionViewer(
  db: Kysely<Tables>,
  digest: Uint8Array,
  { now, asksConfirmation, rules }: { now: number; asksConfirmation: boolean; rules: PowerRules },
): Promise<SessionViewer | undefined> {
  const row = await db
    .selectFrom("sessions")
    .innerJoin("users", "users.id", "sessions.user_id")
    .leftJoin("images as avatar", "avatar.id", "users.avatar_id")
    .select(["sessions.id", "sessions.date_created", "sessions.date_last_active", "sessions.date_authenticated"])
    .select(["sessions.passed_second_factor", "sessions.date_powers_end"])
    .select(["users.id as user_id", "users.user_name", "users.role", "users.locale", "users.shortcuts"])
    .select(["users.email_held", "avatar.file_name as avatar_file"])
    .select(hasSecondFactor.as("has_second_factor"))
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
      ...{ id: row.user_id, userName: row.user_name, ...powersOfSession(row.role, row, rules, now) },
      ...{ locale: row.locale, shortcuts: row.shortcuts, avatarFile: row.avatar_file },
      ...(asksConfirmation && row.email_held === 0 && { isUnconfirmed: true }),
    },
  };
}

/** Evaluated only for staff. A passkey counts: it is always used together with a PIN or a biometric check. */
const hasSecondFactor = sql<0 | 1>`case when users.role = 'user' then 0
  when exists (select 1 from totp_secrets where user_id = users.id and date_confirmed is not null) then 1
  when exists (select 1 from passkeys where user_id = users.id) then 1 else 0 end`;

async function noteUse(
  db: Kysely<Tables>,
  { id, date_created }: { id: string; date_created: number },
  now: number,
): Promise<void> {
  await db
    .updateTable("sessions")
    .set({
      date_last_active: now,
      date_expires: sessionExpiry(date_created, now),
      // Powers that have ended stay ended.
      date_powers_end: sql`case when date_powers_end > ${now} then ${powersEnd(now)} else date_powers_end end`,
    })
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
