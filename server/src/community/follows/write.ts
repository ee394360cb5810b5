// Following and unfollowing. A project's figure moves with the rows that it counts, under the project's lock; the user's
// own row is held before, so that the follows of one user are counted one at a time.

import { sql } from "kysely";
import { lockUser } from "#accounts/users/locking.js";
import { findVisibleRow } from "#content/projects/change.js";
import { toJson } from "#lib/json.js";
import type { Tx } from "#platform/changes/write.js";
import { inList, lockProjects } from "#platform/db/dialect.js";
import { fail } from "#platform/errors.js";
import type { SignedIn } from "#platform/http/viewer.js";
import { say } from "#words/said.js";
import { initialPreferences, maxFollows } from "./policy.js";
import { findFollow, findFollowedId } from "./read.js";
import type { FollowPreferences, FollowPreferencesInput } from "./shapes.js";

export async function followProject(
  tx: Tx,
  viewer: SignedIn,
  ref: string,
  input: FollowPreferencesInput,
): Promise<FollowPreferences> {
  await lockUser(tx, viewer.user.id);
  const project = await findVisibleRow(tx.db, viewer, ref);
  if (!project) throw fail.projectNotFound();
  const preferences = { ...initialPreferences, ...input };
  const added = await addFollows(tx, viewer.user.id, [project.id], preferences);
  if (added === 0) throw fail.alreadyFollowing();
  return preferences;
}

export async function unfollowProject(tx: Tx, viewer: SignedIn, ref: string): Promise<void> {
  const id = await getFollowedId(tx, viewer, ref);
  if ((await removeFollows(tx, viewer.user.id, [id])) === 0) throw fail.notFollowing();
}

export async function setPreferences(
  tx: Tx,
  viewer: SignedIn,
  ref: string,
  input: FollowPreferencesInput,
): Promise<FollowPreferences> {
  const userId = viewer.user.id;
  const projectId = await getFollowedId(tx, viewer, ref);
  await lockUser(tx, userId);
  const follow = await findFollow(tx.db, userId, projectId);
  if (!follow) throw fail.notFollowing();
  const preferences = { ...follow.preferences, ...input };
  await tx.db
    .updateTable("follows")
    .set({ preferences: toJson<unknown>(preferences) })
    .where("user_id", "=", userId)
    .where("project_id", "=", projectId)
    .execute();
  return preferences;
}

/** Users can always unfollow, even if the project is hidden by now. */
async function getFollowedId({ db }: Tx, viewer: SignedIn, ref: string): Promise<string> {
  const id = (await findVisibleRow(db, viewer, ref))?.id ?? (await findFollowedId(db, viewer.user.id, ref));
  if (id === undefined) throw fail.projectNotFound();
  return id;
}

/** Adds follows of projects that the caller can see; existing follows stay unchanged. Returns how many are new. */
export async function addFollows(
  tx: Tx,
  userId: string,
  projectIds: readonly string[],
  preferences: FollowPreferences = initialPreferences,
): Promise<number> {
  const { db } = tx;
  await lockUser(tx, userId);
  await lockProjects(db, projectIds);
  const added = await db
    .insertInto("follows")
    .columns(["user_id", "project_id", "preferences", "date_created"])
    // Selects from the projects themselves, so that a project that was just deleted is left out.
    .expression(
      db
        .selectFrom("projects")
        .select([
          sql<string>`${userId}`.as("user_id"),
          "id",
          sql<string>`${toJson(preferences)}`.as("preferences"),
          sql<number>`cast(${tx.now} as bigint)`.as("date_created"),
        ])
        .where(inList(db, sql.ref("id"), projectIds)),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning("project_id")
    .execute();
  await count(tx, added, 1);
  const { follows } = await db
    .selectFrom("follows")
    .select(db.fn.countAll<number>().as("follows"))
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  if (added.length > 0 && follows > maxFollows) throw fail.limitReached(say.limits.followedProjects(maxFollows));
  return added.length;
}

/** Returns how many were removed. */
export async function removeFollows(tx: Tx, userId: string, projectIds: readonly string[]): Promise<number> {
  await lockUser(tx, userId);
  await lockProjects(tx.db, projectIds);
  const removed = await tx.db
    .deleteFrom("follows")
    .where("user_id", "=", userId)
    .where(inList(tx.db, sql.ref("project_id"), projectIds))
    .returning("project_id")
    .execute();
  await count(tx, removed, -1);
  return removed.length;
}

/** Runs before an account is deleted: the foreign keys would delete its follows without updating the counts. */
export async function removeFollowsOf(tx: Tx, userId: string): Promise<void> {
  await lockUser(tx, userId);
  const rows = await tx.db.selectFrom("follows").select("project_id").where("user_id", "=", userId).execute();
  const ids = rows.map(({ project_id }) => project_id);
  if (ids.length > 0) await removeFollows(tx, userId, ids);
}

async function count(tx: Tx, moved: readonly { project_id: string }[], by: 1 | -1): Promise<void> {
  const ids = moved.map(({ project_id }) => project_id);
  if (ids.length === 0) return;
  await tx.db
    .updateTable("projects")
    .set((column) => ({ followers: column("followers", "+", by) }))
    .where(inList(tx.db, sql.ref("id"), ids))
    .execute();
  for (const id of ids) tx.changed("project", id, []);
}
