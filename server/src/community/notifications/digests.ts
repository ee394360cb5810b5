// Finds users who are due for a mail with their unread notifications, and the content of such a mail.
import { sql } from "kysely";
import { findAccount } from "#accounts/users/read.js";
import { newSecretToken, readSecretToken } from "#lib/secret-token.js";
import type { Tx } from "#platform/changes/write.js";
import { inList, skipLocked } from "#platform/db/dialect.js";
import type { Db, Row } from "#platform/db/tables.js";
import type { Resources } from "#platform/http/resources.js";
import type { SessionViewer } from "#platform/http/viewer.js";
import type { DigestItem } from "#platform/mail/digest.js";
import { listNotifications } from "./read.js";

const hour = 60 * 60_000;
const day = 24 * hour;
/** Users who are due within this time are due now: otherwise an hourly check would be an hour later every day. */
const slackMs = hour / 2;
const dueAtOnce = 100;
const maxListed = 25;
/** A user may open an old mail to unsubscribe. */
const tokenLifeMs = 90 * day;

/** The account can be written to, and mails can reach it. */
const isReachable = sql<boolean>`(users.email is not null and users.email_verified = 1 and users.date_suspended is null)`;

/**
 * Enqueues mails for some users who are due and have unread notifications since their last mail. The same commit
 * updates the time of their last mail, so that neither a second run nor another node finds them due. Returns whether
 * there may be more.
 */
export async function enqueueDigests(tx: Tx): Promise<boolean> {
  const { db, now } = tx;
  const last = sql<number>`coalesce(settings.date_last_digest, 0)`;
  const due = await db
    .selectFrom("notification_settings as settings")
    .select(["settings.user_id", last.as("since")])
    .where(
      sql<boolean>`(settings.digest = 'daily' and ${last} <= ${now - day + slackMs}
        or settings.digest = 'weekly' and ${last} <= ${now - 7 * day + slackMs})`,
    )
    .where(sql<boolean>`exists (select 1 from users where users.id = settings.user_id and ${isReachable})`)
    .where(
      sql<boolean>`exists (select 1 from notifications
        where notifications.user_id = settings.user_id and date_read is null and notifications.date_created > ${last})`,
    )
    .orderBy("settings.user_id")
    .limit(dueAtOnce)
    .modifyEnd(skipLocked(db))
    .execute();
  if (due.length === 0) return false;
  const userIds = due.map(({ user_id }) => user_id);
  await db
    .updateTable("notification_settings")
    .set({ date_last_digest: now })
    .where(inList(db, sql.ref("user_id"), userIds))
    .execute();
  for (const { user_id: userId, since } of due)
    tx.enqueue("mail-digest", { userId, since, until: now }, { dedupeKey: `mail-digest ${userId}` });
  return due.length === dueAtOnce;
}

export interface DueDigest {
  account: Row<"users"> & { email: string };
  items: DigestItem[];
  /** The number of unread ones of the same time that are not listed. */
  more: number;
}

/**
 * The notifications of that time that are still unread; undefined if there are none, or if the user no longer wants
 * mails.
 */
export async function findDigest(
  resources: Resources,
  { userId, since, until }: { userId: string; since: number; until: number },
): Promise<DueDigest | undefined> {
  const { db, config } = resources;
  const account = await findAccount(db, userId);
  const isWanted = account?.email_verified === 1 && account.date_suspended === null && (await wantsDigests(db, userId));
  if (!account || account.email === null || !isWanted) return undefined;
  const page = { after: since, upTo: until, unreadOnly: true, limit: maxListed, locale: account.locale ?? undefined };
  const notifications = await listNotifications(resources, viewerOf(account), userId, page);
  if (notifications.length === 0) return undefined;
  const { count } = await db
    .selectFrom("notifications")
    .select(db.fn.countAll<number>().as("count"))
    .where("user_id", "=", userId)
    .where("date_read", "is", null)
    .where("date_created", ">", since)
    .where("date_created", "<=", until)
    .executeTakeFirstOrThrow();
  const everything = `${config.http.url}/dashboard/notifications`;
  const items = notifications.map((one) => ({
    text: one.text,
    url: one.about?.url ?? everything,
  }));
  return { account: { ...account, email: account.email }, items, more: Math.max(0, count - items.length) };
}

async function wantsDigests(db: Db, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom("notification_settings")
    .select("digest")
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return row !== undefined && row.digest !== "off";
}

/** The mail names only what its reader can see. Powers of staff do not count, because a mailbox is not a session. */
const viewerOf = ({ id, user_name }: Row<"users">): SessionViewer => ({
  kind: "session",
  user: { id, userName: user_name, role: "user" },
  sessionId: "",
  dateAuthenticated: 0,
});

/** For the link that unsubscribes. The token is created when the mail is sent, so that no queue ever stores it. */
export async function createUnsubscribeToken(tx: Tx, userId: string): Promise<string> {
  const token = newSecretToken("msc_", tx.random);
  await tx.db
    .insertInto("unsubscribe_tokens")
    .values({ digest: readSecretToken(token)!.digest, user_id: userId, date_expires: tx.now + tokenLifeMs })
    .execute();
  return token;
}
