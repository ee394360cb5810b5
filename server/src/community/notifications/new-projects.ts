// Notifies the followers of users and organizations of their new projects: once for each project, when it is public and
// listed for the first time. New versions are for the followers of the project itself (announcements.ts). A few hundred
// followers are notified per transaction, and the progress commits together with the notifications.
import { sql } from "kysely";
import { toMuted } from "#accounts/users/muted-notices.js";
import type { Author } from "#community/follows/authors.js";
import { toJson } from "#lib/json.js";
import { newId } from "#lib/random.js";
import type { Tx } from "#platform/changes/write.js";
import { inList, lockRows } from "#platform/db/dialect.js";

/** Time to correct a mistake before anyone is notified. */
export const settleMs = 60_000;
/** Followers notified in one transaction. */
const batchSize = 500;

const isNewsworthy = sql<boolean>`(projects.status = 'approved' and projects.visibility = 'listed')`;

/** Stores those of the projects that are public now and were not before. */
export async function gatherProjects(tx: Tx, projectIds: readonly string[]): Promise<void> {
  const { db, now } = tx;
  const fresh = await db
    .insertInto("project_announcements")
    .columns(["project_id", "told_up_to", "date_created"])
    .expression(
      db
        .selectFrom("projects")
        .select(["id", sql<string>`''`.as("told_up_to"), sql<number>`cast(${now} as bigint)`.as("date_created")])
        .where(inList(db, sql.ref("id"), projectIds))
        .where(isNewsworthy),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning("project_id")
    .execute();
  for (const { project_id } of fresh) enqueue(tx, project_id, now + settleMs);
}

const enqueue = (tx: Tx, projectId: string, runAfter: number): void =>
  tx.enqueue("tell-author-followers", { projectId }, { dedupeKey: `tell-author-followers ${projectId}`, runAfter });

/** Notifies the next few hundred followers of the project's author, and enqueues itself again while there are more. */
export async function notifySomeAuthorFollowers(tx: Tx, projectId: string): Promise<void> {
  const { db, now } = tx;
  const announcement = await db
    .selectFrom("project_announcements")
    .selectAll()
    .where("project_id", "=", projectId)
    .where("told_up_to", "is not", null)
    .modifyEnd(lockRows(db))
    .executeTakeFirst();
  if (!announcement) return;
  const project = await findNewsworthy(tx, projectId);
  if (!project) {
    // It is hidden again. The next time that it is public, it is new.
    await db.deleteFrom("project_announcements").where("project_id", "=", projectId).execute();
    return;
  }
  const { author } = project;
  const followers = author ? await listFollowers(tx, author, announcement.told_up_to!, announcement.date_created) : [];
  const members = await listMembers(tx, project, followers);
  const rows = followers
    .filter(({ follower_id, muted }) => !members.has(follower_id) && !toMuted(muted).includes("project_published"))
    .map(({ follower_id }) => ({
      id: newId(tx.random),
      user_id: follower_id,
      type: "project_published",
      group_key: `project:${projectId}`,
      body: toJson<unknown>({
        projectId,
        ...(author!.kind === "user" ? { userId: author!.id } : { orgId: author!.id }),
      }),
      date_created: now,
      date_read: null,
    }));
  if (rows.length > 0)
    await db
      .insertInto("notifications")
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  const toldUpTo = followers.length < batchSize ? null : followers.at(-1)!.follower_id;
  await db
    .updateTable("project_announcements")
    .set({ told_up_to: toldUpTo })
    .where("project_id", "=", projectId)
    .execute();
  if (toldUpTo !== null) enqueue(tx, projectId, now);
}

interface NewsworthyProject {
  teamIds: string[];
  /** The organization, or else the owner; undefined if the owner is suspended. */
  author: Author | undefined;
}

async function findNewsworthy({ db }: Tx, projectId: string): Promise<NewsworthyProject | undefined> {
  const row = await db
    .selectFrom("projects")
    .leftJoin("organizations as org", "org.id", "projects.org_id")
    .leftJoin("team_members as owner", (join) =>
      join.onRef("owner.team_id", "=", "projects.team_id").on("owner.is_owner", "=", 1).on("owner.accepted", "=", 1),
    )
    .leftJoin("users", (join) => join.onRef("users.id", "=", "owner.user_id").on("users.date_suspended", "is", null))
    .select(["projects.team_id", "org.id as org_id", "org.team_id as org_team_id", "users.id as owner_id"])
    .where("projects.id", "=", projectId)
    .where(isNewsworthy)
    .executeTakeFirst();
  if (!row) return undefined;
  const { team_id, org_id, org_team_id, owner_id } = row;
  const author: Author | undefined =
    org_id !== null
      ? { kind: "organization", id: org_id }
      : owner_id === null
        ? undefined
        : { kind: "user", id: owner_id };
  return { teamIds: org_team_id === null ? [team_id] : [team_id, org_team_id], author };
}

/** In the order of their ids. Users who followed the author later have seen the project already. */
const listFollowers = ({ db }: Tx, { kind, id }: Author, after: string, upTo: number) =>
  db
    // Both tables have the same columns.
    .selectFrom(
      (kind === "user" ? "user_follows as follow" : "organization_follows as follow") as "user_follows as follow",
    )
    .leftJoin("notification_settings as settings", "settings.user_id", "follow.follower_id")
    .select(["follow.follower_id", "settings.muted"])
    .where("follow.author_id", "=", id)
    .where("follow.follower_id", ">", after)
    .where("follow.date_created", "<=", upTo)
    .orderBy("follow.follower_id")
    .limit(batchSize)
    .execute();

/** Members know of their own project. */
async function listMembers(
  { db }: Tx,
  { teamIds }: NewsworthyProject,
  followers: readonly { follower_id: string }[],
): Promise<ReadonlySet<string>> {
  if (followers.length === 0) return new Set();
  const rows = await db
    .selectFrom("team_members")
    .select("user_id")
    .where("team_id", "in", teamIds)
    .where("accepted", "=", 1)
    .where(
      inList(
        db,
        sql.ref("user_id"),
        followers.map(({ follower_id }) => follower_id),
      ),
    )
    .execute();
  return new Set(rows.map(({ user_id }) => user_id));
}
