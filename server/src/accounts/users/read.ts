// SELECTs of users and the shapes made from them.

import { sql } from "kysely";
import { inList } from "#platform/db/dialect.js";
import { placeholderId } from "#platform/db/placeholder.js";
import type { Db, Row } from "#platform/db/tables.js";
import { timestamp } from "#platform/http/schemas.js";
import { pictureUrl } from "#platform/pictures/read.js";
import type { User } from "./contract.js";

export type ProfileRow = Pick<
  Row<"users">,
  "id" | "user_name" | "name" | "role" | "bio" | "date_joined" | "followers"
> & {
  avatar_file: string | null;
  background_file: string | null;
};

const profiles = (db: Db) =>
  db
    .selectFrom("users")
    .leftJoin("images as avatar", "avatar.id", "users.avatar_id")
    .leftJoin("images as background", "background.id", "users.background_id")
    .select([
      "users.id",
      "users.user_name",
      "users.name",
      "users.role",
      "users.bio",
      "users.date_joined",
      "users.followers",
      "avatar.file_name as avatar_file",
      "background.file_name as background_file",
    ]);

/** By id, exactly, or by username in any case. */
export function findProfile(db: Db, ref: string): Promise<ProfileRow | undefined> {
  return (
    profiles(db)
      .where((or) => or.or([or("users.id", "=", ref), or(sql`lower(users.user_name)`, "=", ref.toLowerCase())]))
      // If one user's name is another's id, the id wins.
      .orderBy(sql`case when users.id = ${ref} then 0 else 1 end`)
      .limit(1)
      .executeTakeFirst()
  );
}

/** By id, exactly, or by username in any case. Each user appears once, in the order in which they are first named. */
export async function listProfiles(db: Db, refs: readonly string[]): Promise<ProfileRow[]> {
  const names = refs.map((ref) => ref.toLowerCase());
  const rows = await profiles(db)
    .where(
      sql<boolean>`(${inList(db, sql.ref("users.id"), refs)} or ${inList(db, sql<string>`lower(users.user_name)`, names)})`,
    )
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  const byName = new Map(rows.map((row) => [row.user_name.toLowerCase(), row]));
  return [...new Set(refs.flatMap((ref) => byId.get(ref) ?? byName.get(ref.toLowerCase()) ?? []))];
}

export const toUser = (row: ProfileRow, cdnUrl: string): User => ({
  id: row.id,
  name: row.name ?? row.user_name,
  userName: row.user_name,
  role: row.role,
  avatar: pictureUrl(cdnUrl, "user", row.id, row.avatar_file),
  bio: row.bio,
  dateJoined: timestamp(row.date_joined),
  profilePageBg: row.background_file === null ? null : pictureUrl(cdnUrl, "user", row.id, row.background_file),
});

/** The whole row, for the account's own routes and for signing in. */
export const findAccount = (db: Db, id: string): Promise<Row<"users"> | undefined> =>
  db.selectFrom("users").selectAll().where("id", "=", id).executeTakeFirst();

/** By email or username, depending on the form of the text. An address finds only the account that holds it. */
export const findAccountByLogin = (db: Db, login: string): Promise<Row<"users"> | undefined> =>
  login.includes("@")
    ? withAddress(db, login).where("email_held", "=", 1).executeTakeFirst()
    : db.selectFrom("users").selectAll().where(sql`lower(user_name)`, "=", login.toLowerCase()).executeTakeFirst();

/** Accounts that were made with this address and have not confirmed it, newest first. */
export const listUnconfirmed = (db: Db, email: string, limit: number): Promise<Row<"users">[]> =>
  withAddress(db, email)
    .where("email_held", "=", 0)
    .orderBy("date_joined", "desc")
    .orderBy("id")
    .limit(limit)
    .execute();

const withAddress = (db: Db, email: string) =>
  db.selectFrom("users").selectAll().where(sql`lower(email)`, "=", email.toLowerCase());

export async function hasAdmin(db: Db): Promise<boolean> {
  // Not a parameter: SQLite uses the index of administrators only for this very condition.
  const isAdmin = sql<boolean>`role = 'admin'`;
  const row = await db.selectFrom("users").select("id").where(isAdmin).limit(1).executeTakeFirst();
  return row !== undefined;
}

export async function countAdmins(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom("users")
    .select(db.fn.countAll<number>().as("count"))
    .where("role", "=", "admin")
    .executeTakeFirstOrThrow();
  return count;
}

/** Whether there is a way to sign in besides a password: a linked provider or a passkey. */
export async function hasOtherCredential(db: Db, userId: string): Promise<boolean> {
  const linked = await db.selectFrom("linked_accounts").select("id").where("user_id", "=", userId).executeTakeFirst();
  return linked !== undefined || (await hasPasskey(db, userId));
}

export async function hasPasskey(db: Db, userId: string): Promise<boolean> {
  const row = await db.selectFrom("passkeys").select("id").where("user_id", "=", userId).limit(1).executeTakeFirst();
  return row !== undefined;
}

export async function countOwnedProjects(db: Db, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom("projects")
    .innerJoin("team_members", "team_members.team_id", "projects.team_id")
    .select(db.fn.countAll<number>().as("count"))
    .where("team_members.user_id", "=", userId)
    .where("team_members.is_owner", "=", 1)
    .executeTakeFirstOrThrow();
  return count;
}

/** Usernames that begin with this, in any case. */
export async function listUserNamesLike(db: Db, text: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom("users")
    .select("user_name")
    .where(sql<boolean>`lower(user_name) like ${`${text.toLowerCase().replace(/[!%_]/g, "!$&")}%`} escape '!'`)
    .where("date_suspended", "is", null)
    .where("id", "!=", placeholderId)
    .orderBy(sql`lower(user_name)`)
    .limit(limit)
    .execute();
  return rows.map(({ user_name }) => user_name);
}
