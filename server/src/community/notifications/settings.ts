// The notification settings of a user, as they are stored and as answers show them.
import { lockUser } from "#accounts/users/locking.js";
import { type MutableType, toMuted } from "#accounts/users/muted-notices.js";
import { findAccount } from "#accounts/users/read.js";
import { toDefaults } from "#community/follows/read.js";
import type { FollowDefaultsInput } from "#community/follows/shapes.js";
import { toJson } from "#lib/json.js";
import type { Tx } from "#platform/changes/write.js";
import type { Db, Row } from "#platform/db/tables.js";
import type { Resources } from "#platform/http/resources.js";
import type { NotificationSettings } from "./shapes.js";

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
    // The first mail contains only notifications from now on, not all older unread ones.
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
