// Notifies the owners of tokens 14 and 3 days before they expire, and afterwards.
import { sql } from "kysely";
import { findAccount } from "#accounts/users/read.js";
import { toJson } from "#lib/json.js";
import { newId } from "#lib/random.js";
import type { JobPayloads } from "#platform/changes/job-kinds.js";
import { type Tx, write } from "#platform/changes/write.js";
import type { Row } from "#platform/db/tables.js";
import type { Resources } from "#platform/http/resources.js";
import { timestamp } from "#platform/http/schemas.js";
import { tokenExpiryMail } from "#platform/mail/messages.js";

const day = 24 * 60 * 60 * 1000;
const bySystem = { credential: "job" };
const batchSize = 200;
/** So long they stay in their owner's list afterwards (operations/background/housekeeping.ts). */
const keptMs = 30 * day;

export async function mailTokenExpiries(resources: Resources): Promise<void> {
  while ((await write(resources, bySystem, tellSome)) === batchSize);
}

/** The notification and the mark that it was sent are written together, so that no owner is notified twice. */
async function tellSome(tx: Tx): Promise<number> {
  const { db, now } = tx;
  const lives = (days: number) => sql<boolean>`date_expires - date_created > ${days * day}`;
  const untold = (days: number) => sql<boolean>`(expiry_told is null or expiry_told > ${days})`;
  const within = (days: number) => sql<boolean>`date_expires <= ${now + days * day}`;
  const tokens = await db
    .selectFrom("tokens")
    .selectAll()
    .where("date_expires", ">", now - keptMs)
    .where("publisher_id", "is", null)
    .where("grant_id", "is", null)
    // A token that was made for two days needs no word about its end two days before.
    .where(
      sql<boolean>`((${within(0)} and ${untold(0)}) or (${within(3)} and ${untold(3)} and ${lives(3)})
        or (${within(14)} and ${untold(14)} and ${lives(14)}))`,
    )
    .orderBy("date_expires")
    .orderBy("id")
    .limit(batchSize)
    .execute();
  for (const token of tokens) await tellOwner(tx, token);
  return tokens.length;
}

async function tellOwner(tx: Tx, token: Row<"tokens">): Promise<void> {
  const { db, now } = tx;
  const left = token.date_expires - now;
  const stage = left <= 0 ? 0 : left <= 3 * day ? 3 : 14;
  const daysLeft = Math.max(0, Math.ceil(left / day));
  await db.updateTable("tokens").set({ expiry_told: stage }).where("id", "=", token.id).execute();
  const news = {
    type: "token_expiring",
    body: toJson<unknown>({ tokenId: token.id, tokenName: token.name, daysLeft }),
    date_created: now,
    date_read: null,
  };
  await db
    .insertInto("notifications")
    .values({ id: newId(tx.random), user_id: token.user_id, group_key: `token:${token.id}`, ...news })
    // The later word takes the place of the earlier one.
    .onConflict((conflict) => conflict.columns(["user_id", "group_key"]).doUpdateSet(news))
    .execute();
  tx.enqueue("mail-token-expiry", { tokenId: token.id, daysLeft });
}

export async function mailTokenExpiry(
  { db, mailer, config }: Resources,
  { tokenId, daysLeft }: JobPayloads["mail-token-expiry"],
): Promise<void> {
  if (!mailer.enabled) return;
  const token = await db.selectFrom("tokens").selectAll().where("id", "=", tokenId).executeTakeFirst();
  if (!token) return;
  const account = await findAccount(db, token.user_id);
  if (!account?.email || account.email_verified !== 1) return;
  await mailer.send({
    to: account.email,
    ...tokenExpiryMail({
      siteUrl: config.http.url,
      locale: account.locale,
      userName: account.user_name,
      name: token.name,
      daysLeft,
      expires: timestamp(token.date_expires).slice(0, 10),
    }),
  });
}
