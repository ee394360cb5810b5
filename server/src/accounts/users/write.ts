// The use cases that make, change and end accounts. Each runs in the caller's transaction.
import { sql } from "kysely";
import { toJson } from "#lib/json.js";
import { newId } from "#lib/random.js";
import { staffScope } from "#lib/scopes.js";
import type { Shortcuts } from "#lib/shortcuts.js";
import type { Tx } from "#platform/changes/write.js";
import { brokenUnique, lockAdministrators } from "#platform/db/dialect.js";
import { placeholderId } from "#platform/db/placeholder.js";
import type { UserRole } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import type { Resources } from "#platform/http/resources.js";
import { removePicture } from "#platform/pictures/write.js";
import type { Locale } from "#words/languages.js";
import { takeCode } from "./codes.js";
import { isReservedName } from "./policy.js";
import { countAdmins, findAccount, hasAdmin } from "./read.js";

export interface NewAccount {
  userName: string;
  email: string;
  emailVerified: boolean;
  /** False: the address is noted, and counts once it is confirmed (accounts/users/address.ts). */
  emailHeld?: boolean;
  passwordHash: string | null;
  role: UserRole;
}

export async function createAccount(tx: Tx, input: NewAccount): Promise<string> {
  if (isReservedName(input.userName)) throw fail.nameReserved(input.userName);
  const id = newId(tx.random);
  await namingConflicts(
    tx.db
      .insertInto("users")
      .values({
        id,
        user_name: input.userName,
        name: null,
        email: input.email.toLowerCase(),
        email_verified: input.emailVerified ? 1 : 0,
        email_held: input.emailHeld === false ? 0 : 1,
        password_hash: input.passwordHash,
        role: input.role,
        bio: null,
        avatar_id: null,
        background_id: null,
        date_joined: tx.now,
        date_suspended: null,
        suspension_reason: null,
      })
      .execute(),
  );
  tx.audit("user.create", { kind: "user", id }, { userName: input.userName, role: input.role });
  tx.changed("user", id);
  return id;
}

/** The code from the log makes the first administrator, and only the first. */
export async function createFirstAdmin(
  tx: Tx,
  code: string,
  account: Omit<NewAccount, "role" | "emailVerified">,
): Promise<string> {
  // One at a time: two codes used at once must not make two first administrators.
  await lockAdministrators(tx.db);
  if (await hasAdmin(tx.db)) throw fail.setupDone();
  if (!(await takeCode(tx, "setup", code))) throw fail.codeInvalid();
  await tx.db.deleteFrom("one_time_codes").where("purpose", "=", "setup").execute();
  // Whoever has the code runs the site, and knows the address.
  return createAccount(tx, { ...account, emailVerified: true, role: "admin" });
}

export interface ProfileEdit {
  name?: string | null;
  userName?: string;
  bio?: string | null;
  /** The new image's id, null to remove the picture, absent to keep it. */
  avatarId?: string | null;
  backgroundId?: string | null;
}

export async function editProfile(tx: Tx, userId: string, edit: ProfileEdit): Promise<void> {
  const before = await findAccount(tx.db, userId);
  if (!before) throw fail.userNotFound();
  const isRenamed = edit.userName !== undefined && edit.userName !== before.user_name;
  if (isRenamed && isReservedName(edit.userName!)) throw fail.nameReserved(edit.userName!);
  await namingConflicts(
    tx.db
      .updateTable("users")
      .set({
        name: edit.name === undefined ? before.name : edit.name || null,
        user_name: edit.userName ?? before.user_name,
        bio: edit.bio === undefined ? before.bio : edit.bio || null,
        avatar_id: edit.avatarId === undefined ? before.avatar_id : edit.avatarId,
        background_id: edit.backgroundId === undefined ? before.background_id : edit.backgroundId,
      })
      .where("id", "=", userId)
      .execute(),
  );
  if (edit.avatarId !== undefined) await removePicture(tx, before.avatar_id);
  if (edit.backgroundId !== undefined) await removePicture(tx, before.background_id);
  if (isRenamed) tx.audit("user.rename", { kind: "user", id: userId }, { from: before.user_name, to: edit.userName });
  tx.changed("user", userId);
}

/** For pages on every device of his, and for mails. */
export async function setLocale(tx: Tx, userId: string, locale: Locale): Promise<void> {
  await tx.db.updateTable("users").set({ locale }).where("id", "=", userId).execute();
}

/** Null: the usual ones. */
export async function setShortcuts(tx: Tx, userId: string, shortcuts: Shortcuts | null): Promise<void> {
  const stored = shortcuts && toJson<Partial<Shortcuts>>(shortcuts);
  await tx.db.updateTable("users").set({ shortcuts: stored }).where("id", "=", userId).execute();
}

export async function setRole(tx: Tx, userId: string, role: UserRole): Promise<void> {
  await tx.db.updateTable("users").set({ role }).where("id", "=", userId).execute();
  await endStaffTokens(tx, userId);
  tx.audit("user.role.set", { kind: "user", id: userId }, { role });
  tx.changed("user", userId);
}

/** They were given for the role that the user had. */
async function endStaffTokens(tx: Tx, userId: string): Promise<void> {
  const ended = await tx.db
    .deleteFrom("tokens")
    .where("user_id", "=", userId)
    .where(sql<boolean>`scopes like ${`%"${staffScope}"%`}`)
    .returning("id")
    .execute();
  for (const { id } of ended) tx.changed("token", id);
}

/** Sessions and tokens stop working with the commit: every look-up of a credential reads the user's row. */
export async function setSuspension(tx: Tx, userId: string, reason: string | null): Promise<void> {
  await tx.db
    .updateTable("users")
    .set({ date_suspended: reason === null ? null : tx.now, suspension_reason: reason })
    .where("id", "=", userId)
    .execute();
  tx.audit(reason === null ? "user.unsuspend" : "user.suspend", { kind: "user", id: userId }, { reason });
  tx.changed("user", userId);
}

/** What the user published stays, under the placeholder; everything personal is deleted. */
export async function removeAccount(tx: Tx, userId: string, removals: Resources["accountRemovals"]): Promise<void> {
  const account = await findAccount(tx.db, userId);
  if (!account || userId === placeholderId) throw fail.userNotFound();
  if (account.role === "admin") {
    // One at a time: the last two administrators must not leave together.
    await lockAdministrators(tx.db);
    if ((await countAdmins(tx.db)) === 1) throw fail.lastAdmin();
  }
  for (const remove of removals) await remove(tx, userId);
  await giveToPlaceholder(tx, userId);
  await tx.db.updateTable("users").set({ avatar_id: null, background_id: null }).where("id", "=", userId).execute();
  await tx.db.deleteFrom("images").where("owner_kind", "=", "user").where("owner_id", "=", userId).execute();
  await tx.db.deleteFrom("users").where("id", "=", userId).execute();
  tx.audit("user.delete", { kind: "user", id: userId });
  tx.changed("user", userId);
}

async function giveToPlaceholder({ db }: Tx, userId: string): Promise<void> {
  await db.deleteFrom("team_members").where("user_id", "=", userId).where("is_owner", "=", 0).execute();
  // Where the placeholder is a member already, it becomes the owner in the place of the leaving one.
  const owned = db.selectFrom("team_members").select("team_id").where("user_id", "=", userId);
  await db.deleteFrom("team_members").where("user_id", "=", placeholderId).where("team_id", "in", owned).execute();
  await db.updateTable("team_members").set({ user_id: placeholderId }).where("user_id", "=", userId).execute();
  await db.updateTable("team_members").set({ invited_by: null }).where("invited_by", "=", userId).execute();
  await db.updateTable("versions").set({ author_id: placeholderId }).where("author_id", "=", userId).execute();
  await db.updateTable("thread_messages").set({ author_id: placeholderId }).where("author_id", "=", userId).execute();
  await db.updateTable("reports").set({ reporter_id: null }).where("reporter_id", "=", userId).execute();
}

/** Refuses with what is taken. */
export async function namingConflicts<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const broken = brokenUnique(error);
    if (broken === "users_user_name") throw fail.userNameTaken();
    if (broken === "users_email") throw fail.emailTaken();
    throw error;
  }
}
