// The notification settings of a user, as they are stored and as answers show them.
import { sql } from "kysely";
import type { Tx } from "../changes/write.js";
import { inList } from "../db/dialect.js";
import type { Db, Row } from "../db/tables.js";
import { toDefaults } from "../follows/read.js";
import type { FollowDefaultsInput } from "../follows/shapes.js";
import type { Resources } from "../http/resources.js";
import { fromJson, type Json, toJson } from "../lib/json.js";
import { lockUser } from "../users/locking.js";
import { findAccount } from "../users/read.js";
import { type MutableType, mutableTypes, type NotificationSettings } from "./shapes.js";

/** Types that no longer exist are not shown. */
export const toMuted = (stored: Json<string[]> | null): MutableType[] => {
  const muted = new Set(stored === null ? [] : fromJson(stored));
  return mutableTypes.filter((type) => muted.has(type));
};

export async function getSettings({ db, mailer }: Resources, userId: string): Promise<NotificationSettings> {
  const row = await findRow(db, userId);
  const account = await findAccount(db, userId);
  const isReachable = account?.email != null && account.email_verified === 1;
  return {
    digest: row?.digest ?? "off",
    muted: toMuted(row?.muted ?? null),
    followDefaults: toDefaults(row?.follow_defaults ?? null),
    mail: !mailer.enabled ? "unavailable" : isReachable ? "ready" : "addressUnconfirmed",
  };
}

export interface SettingsEdit {
  digest?: NotificationSettings["digest"] | undefined;
  muted?: readonly MutableType[] | undefined;
  followDefaults?: FollowDefaultsInput | undefined;
}

export async function editSettings(tx: Tx, userId: string, edit: SettingsEdit): Promise<void> {
  await lockUser(tx, userId);
  const before = await findRow(tx.db, userId);
  const digest = edit.digest ?? before?.digest ?? "off";
  const isBegun = digest !== "off" && (before?.digest ?? "off") === "off";
  const settings = {
    digest,
    muted: edit.muted ? toJson<string[]>([...new Set(edit.muted)]) : (before?.muted ?? toJson<string[]>([])),
    follow_defaults: edit.followDefaults
      ? toJson<unknown>({ ...toDefaults(before?.follow_defaults ?? null), ...edit.followDefaults })
      : (before?.follow_defaults ?? null),
    // The first mail tells of what is new from here on, not of all that was ever left unread.
    date_last_digest: isBegun ? tx.now : (before?.date_last_digest ?? null),
  };
  await tx.db
    .insertInto("notification_settings")
    .values({ user_id: userId, ...settings })
    .onConflict((conflict) => conflict.column("user_id").doUpdateSet(settings))
    .execute();
}

const findRow = (db: Db, userId: string): Promise<Row<"notification_settings"> | undefined> =>
  db.selectFrom("notification_settings").selectAll().where("user_id", "=", userId).executeTakeFirst();

/** Those of the users who want to hear of this. */
export async function listUnmuted(db: Db, userIds: readonly string[], type: MutableType): Promise<string[]> {
  const rows = await db
    .selectFrom("notification_settings")
    .select(["user_id", "muted"])
    .where(inList(db, sql.ref("user_id"), userIds))
    .execute();
  const deaf = new Set(rows.filter(({ muted }) => toMuted(muted).includes(type)).map(({ user_id }) => user_id));
  return userIds.filter((id) => !deaf.has(id));
}
