// Notifies followers of new versions. Versions are collected for a moment, so that a burst of uploads is one
// notification, then a few hundred followers are notified per transaction. The progress commits together with the
// notifications: after a crash no follower is notified twice and none is left out.
import { sql } from "kysely";
import { toMuted } from "#accounts/users/muted-notices.js";
import { type PublishedVersion, wantsVersion } from "#community/follows/policy.js";
import { toDefaults, toPreferences } from "#community/follows/read.js";
import { isPublicProject } from "#content/projects/policy.js";
import { fromJson, toJson } from "#lib/json.js";
import { newId } from "#lib/random.js";
import type { Tx } from "#platform/changes/write.js";
import { inList, lockRows } from "#platform/db/dialect.js";
import type { Row } from "#platform/db/tables.js";
import { notifyAboutVersions } from "./grouping.js";

/** A publishing script needs a few seconds for each of a dozen files. */
export const gatherMs = 60_000;
/** Followers notified in one transaction. */
const batchSize = 500;
/** The limit per announcement; further versions go into the next one. */
const maxVersions = 200;

/** Stores published versions, by project. */
export async function gatherVersions(
  tx: Tx,
  published: readonly { projectId: string; versionId: string }[],
): Promise<void> {
  const byProject = Map.groupBy(published, ({ projectId }) => projectId);
  const followed = await tx.db
    .selectFrom("projects")
    .select("id")
    .where(inList(tx.db, sql.ref("id"), [...byProject.keys()]))
    .where("followers", ">", 0)
    .execute();
  for (const { id } of followed) {
    const versionIds = byProject.get(id)!.map(({ versionId }) => versionId);
    await addToAnnouncement(tx, id, versionIds);
    enqueue(tx, id, tx.now + gatherMs);
  }
}

const enqueue = (tx: Tx, projectId: string, runAfter: number): void =>
  tx.enqueue("tell-followers", { projectId }, { dedupeKey: `tell-followers ${projectId}`, runAfter });

async function addToAnnouncement(tx: Tx, projectId: string, versionIds: readonly string[]): Promise<void> {
  const open = await tx.db
    .selectFrom("announcements")
    .select(["id", "version_ids"])
    .where("project_id", "=", projectId)
    .where("told_up_to", "is", null)
    .modifyEnd(lockRows(tx.db))
    .execute();
  const gathered = open.map(({ id, version_ids }) => ({ id, versionIds: fromJson(version_ids) }));
  const room = gathered.find((each) => each.versionIds.length + versionIds.length <= maxVersions);
  if (room) {
    const all = toJson([...new Set([...room.versionIds, ...versionIds])]);
    await tx.db.updateTable("announcements").set({ version_ids: all }).where("id", "=", room.id).execute();
    return;
  }
  await tx.db
    .insertInto("announcements")
    .values({
      id: newId(tx.random),
      project_id: projectId,
      version_ids: toJson([...versionIds]),
      told_up_to: null,
      date_created: tx.now,
    })
    .execute();
}

/** Notifies the next few hundred followers of a project, and enqueues itself again while there are more. */
export async function notifySomeFollowers(tx: Tx, projectId: string): Promise<void> {
  const announcement = await findDue(tx, projectId);
  if (!announcement) return;
  const versions = await listTellable(tx, announcement);
  // The versions are hidden, withdrawn or deleted by now.
  const followers = versions.length === 0 ? [] : await listFollowers(tx, announcement);
  await notifyAboutVersions(tx, projectId, wantedBy(followers, versions));
  await moveOn(tx, announcement, followers.length < batchSize ? undefined : followers.at(-1)!.user_id);
}

type Announcement = Row<"announcements">;

/** The announcement in progress, otherwise the oldest one. Its row is locked until the transaction ends. */
const findDue = ({ db }: Tx, projectId: string): Promise<Announcement | undefined> =>
  db
    .selectFrom("announcements")
    .selectAll()
    .where("project_id", "=", projectId)
    .orderBy(sql`case when told_up_to is null then 1 else 0 end`)
    .orderBy("date_created")
    .orderBy("id")
    .limit(1)
    .modifyEnd(lockRows(db))
    .executeTakeFirst();

interface TellableVersion extends PublishedVersion {
  id: string;
  authorId: string;
  datePublished: number;
}

/** Newest first; empty if the public cannot see the project. */
async function listTellable({ db }: Tx, announcement: Announcement): Promise<TellableVersion[]> {
  const rows = await db
    .selectFrom("versions")
    .innerJoin("projects", "projects.id", "versions.project_id")
    .select(["versions.id", "versions.author_id", "versions.channel", "versions.date_published"])
    .select(["versions.game_versions", "versions.loaders"])
    .where(inList(db, sql.ref("versions.id"), fromJson(announcement.version_ids)))
    .where("versions.date_yanked", "is", null)
    .where("versions.date_quarantined", "is", null)
    .where(isPublicProject)
    .orderBy("versions.date_published", "desc")
    .orderBy("versions.id")
    .execute();
  return rows.map((row) => ({
    id: row.id,
    authorId: row.author_id,
    channel: row.channel,
    datePublished: row.date_published,
    gameVersions: fromJson(row.game_versions),
    loaders: fromJson(row.loaders),
  }));
}

const listFollowers = ({ db }: Tx, { project_id, told_up_to }: Announcement) =>
  db
    .selectFrom("follows")
    .leftJoin("notification_settings as settings", "settings.user_id", "follows.user_id")
    .select(["follows.user_id", "follows.preferences", "follows.date_created"])
    .select(["settings.muted", "settings.follow_defaults"])
    .where("follows.project_id", "=", project_id)
    .where("follows.user_id", ">", told_up_to ?? "")
    .orderBy("follows.user_id")
    .limit(batchSize)
    .execute();

type FollowerRow = Awaited<ReturnType<typeof listFollowers>>[number];

/**
 * The versions that each follower wants, newest first. Users are not notified of their own versions, or of versions
 * older than their follow.
 */
function wantedBy(
  followers: readonly FollowerRow[],
  versions: readonly TellableVersion[],
): ReadonlyMap<string, readonly string[]> {
  const wanted = new Map<string, string[]>();
  for (const { user_id, preferences, muted, follow_defaults, date_created } of followers) {
    if (toMuted(muted).includes("version_published")) continue;
    const [own, defaults] = [toPreferences(preferences), toDefaults(follow_defaults)];
    const ids = versions
      .filter(({ authorId, datePublished }) => authorId !== user_id && datePublished >= date_created)
      .filter((version) => wantsVersion(own, defaults, version))
      .map(({ id }) => id);
    if (ids.length > 0) wanted.set(user_id, ids);
  }
  return wanted;
}

async function moveOn(tx: Tx, { id, project_id }: Announcement, toldUpTo: string | undefined): Promise<void> {
  const { db, now } = tx;
  if (toldUpTo !== undefined) {
    await db.updateTable("announcements").set({ told_up_to: toldUpTo }).where("id", "=", id).execute();
    return enqueue(tx, project_id, now);
  }
  await db.deleteFrom("announcements").where("id", "=", id).execute();
  const next = await findDue(tx, project_id);
  if (next) enqueue(tx, project_id, Math.max(now, next.date_created + gatherMs));
}
