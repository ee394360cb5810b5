// Background jobs of notifications: announcing versions and projects, mails with unread notifications, and deleting old ones.
import { type Kysely, sql } from "kysely";
import type { JobPayloads } from "#platform/changes/job-kinds.js";
import { write } from "#platform/changes/write.js";
import type { Tables } from "#platform/db/tables.js";
import type { Resources } from "#platform/http/resources.js";
import { digestMail } from "#platform/mail/digest.js";
import { notifySomeFollowers } from "./announcements.js";
import { createUnsubscribeToken, enqueueDigests, findDigest } from "./digests.js";
import { notifySomeAuthorFollowers } from "./new-projects.js";

const bySystem = { credential: "job" };

export async function notifyFollowers(
  resources: Resources,
  { projectId }: JobPayloads["tell-followers"],
): Promise<void> {
  await write(resources, bySystem, (tx) => notifySomeFollowers(tx, projectId));
}

export async function notifyAuthorFollowers(
  resources: Resources,
  { projectId }: JobPayloads["tell-author-followers"],
): Promise<void> {
  await write(resources, bySystem, (tx) => notifySomeAuthorFollowers(tx, projectId));
}

export async function startDigests(resources: Resources): Promise<void> {
  if (!resources.mailer.enabled) return;
  while (await write(resources, bySystem, enqueueDigests));
}

export async function mailDigest(resources: Resources, payload: JobPayloads["mail-digest"]): Promise<void> {
  const { mailer, config } = resources;
  // Mail was turned off after this was enqueued, so there is no way to send it.
  if (!mailer.enabled) return;
  const due = await findDigest(resources, payload);
  if (!due) return;
  const { account, items, more } = due;
  const token = await write(resources, bySystem, (tx) => createUnsubscribeToken(tx, account.id));
  const siteUrl = config.http.url;
  const unsubscribeUrl = `${siteUrl}/unsubscribe?token=${token}`;
  await mailer.send({
    to: account.email,
    ...digestMail({
      siteUrl,
      userName: account.user_name,
      items,
      more,
      unsubscribeUrl,
      locale: account.locale ?? "en",
    }),
    // The id is the same for every try: if a mail is sent twice, because the first try failed after sending, mail
    // programs show it once.
    messageId: `<digest-${payload.userId}-${payload.until}@${new URL(siteUrl).hostname}>`,
    headers: { "List-Unsubscribe": `<${unsubscribeUrl}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" },
  });
}

const day = 24 * 60 * 60_000;
const readKeptMs = 90 * day;
const anyKeptMs = 365 * day;
const deletedAtOnce = 1000;

/** Deletes in small steps, so that other work on notifications does not wait long. */
export async function deleteOldNotifications(db: Kysely<Tables>, now: number): Promise<void> {
  const isRead = sql<boolean>`date_read is not null`;
  while ((await deleteSome(db, sql`${isRead} and date_created <= ${now - readKeptMs}`)) > 0);
  while ((await deleteSome(db, sql`date_created <= ${now - anyKeptMs}`)) > 0);
}

async function deleteSome(db: Kysely<Tables>, isOld: ReturnType<typeof sql<boolean>>): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom("notifications")
    .where("id", "in", (select) =>
      select.selectFrom("notifications").select("id").where(isOld).orderBy("date_created").limit(deletedAtOnce),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
