// Follows of users and organizations, whose followers are notified of new projects. An author's figure moves with the rows
// that it counts. Both users are locked in the order of their ids, so that two who follow each other do not wait for each
// other.

import { sql } from "kysely";
import { lockUser } from "#accounts/users/locking.js";
import type { Tx } from "#platform/changes/write.js";
import { placeholderId } from "#platform/db/placeholder.js";
import type { Db } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import type { SignedIn } from "#platform/http/viewer.js";
import { say } from "#words/said.js";

export type AuthorKind = "user" | "organization";

export interface Author {
  kind: AuthorKind;
  id: string;
}

/** A user can follow so many of each kind, which limits how much one page lists. */
export const maxFollowedAuthors = 1000;

// The two tables of follows have the same columns, and so have the two figures: one type stands for both.
const followsOf = (kind: AuthorKind) => (kind === "user" ? "user_follows" : "organization_follows") as "user_follows";
const figuresOf = (kind: AuthorKind) => (kind === "user" ? "users" : "organizations") as "users";

/** Following an author twice changes nothing; then the result is false. */
export async function followAuthor(tx: Tx, { user }: SignedIn, { kind, id }: Author): Promise<boolean> {
  const { db } = tx;
  if (id === user.id) throw fail.wrongState(say.states.ownFollow);
  if (id === placeholderId) throw fail.userNotFound();
  for (const each of kind === "user" ? [user.id, id].sort() : [user.id]) await lockUser(tx, each);
  // The lock of an organization, which may have been deleted since the request came.
  const { numUpdatedRows } = await db
    .updateTable(figuresOf(kind))
    .set((column) => ({ followers: column.ref("followers") }))
    .where("id", "=", id)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw fail.organizationNotFound();
  const added = await db
    .insertInto(followsOf(kind))
    .values({ follower_id: user.id, author_id: id, date_created: tx.now })
    .onConflict((conflict) => conflict.doNothing())
    .returning("author_id")
    .execute();
  if (added.length === 0) return false;
  const { follows } = await db
    .selectFrom(followsOf(kind))
    .select(db.fn.countAll<number>().as("follows"))
    .where("follower_id", "=", user.id)
    .executeTakeFirstOrThrow();
  if (follows > maxFollowedAuthors)
    throw fail.limitReached(
      kind === "user" ? say.limits.followedUsers(maxFollowedAuthors) : say.limits.followedOrgs(maxFollowedAuthors),
    );
  await db
    .updateTable(figuresOf(kind))
    .set((column) => ({ followers: column("followers", "+", 1) }))
    .where("id", "=", id)
    .execute();
  return true;
}

/** Unfollowing an author who is not followed changes nothing; then the result is false. */
export async function unfollowAuthor({ db }: Tx, userId: string, { kind, id }: Author): Promise<boolean> {
  const removed = await db
    .deleteFrom(followsOf(kind))
    .where("follower_id", "=", userId)
    .where("author_id", "=", id)
    .returning("author_id")
    .execute();
  if (removed.length === 0) return false;
  await db
    .updateTable(figuresOf(kind))
    .set((column) => ({ followers: column("followers", "-", 1) }))
    .where("id", "=", id)
    .execute();
  return true;
}

/** Runs before an account is deleted: the foreign keys would delete its follows without updating the counts. */
export async function removeAuthorFollowsOf({ db }: Tx, userId: string): Promise<void> {
  for (const kind of ["user", "organization"] as const) {
    await db
      .updateTable(figuresOf(kind))
      .set((column) => ({ followers: column("followers", "-", 1) }))
      .where("id", "in", (select) =>
        select.selectFrom(followsOf(kind)).select("author_id").where("follower_id", "=", userId),
      )
      .execute();
    await db.deleteFrom(followsOf(kind)).where("follower_id", "=", userId).execute();
  }
}

export async function isFollowed(db: Db, userId: string, { kind, id }: Author): Promise<boolean> {
  const row = await db
    .selectFrom(followsOf(kind))
    .select("author_id")
    .where("follower_id", "=", userId)
    .where("author_id", "=", id)
    .executeTakeFirst();
  return row !== undefined;
}

/** The last followed first. */
export async function listFollowedAuthors(db: Db, userId: string, kind: AuthorKind): Promise<string[]> {
  const rows = await db
    .selectFrom(followsOf(kind))
    .select("author_id")
    .where("follower_id", "=", userId)
    .orderBy("date_created", "desc")
    .orderBy("author_id")
    .execute();
  return rows.map(({ author_id }) => author_id);
}

/** The projects that authors have published since a user follows them: a part of a query over projects. */
export const isByFollowed = (userId: string) => sql<boolean>`projects.id in (
  select own.id from organization_follows as follow
  join projects as own on own.org_id = follow.author_id
  where follow.follower_id = ${userId} and follow.date_created <= own.date_approved
  union all
  select own.id from user_follows as follow
  join users on users.id = follow.author_id and users.date_suspended is null
  join team_members as owner on owner.user_id = users.id and owner.is_owner = 1
  join projects as own on own.team_id = owner.team_id and own.org_id is null
  where follow.follower_id = ${userId} and follow.date_created <= own.date_approved)`;
