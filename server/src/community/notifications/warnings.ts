// Notifies all followers of a project, whatever their preferences, that a version was withdrawn for security reasons.

import { isPublicProject } from "#content/projects/policy.js";
import { toJson } from "#lib/json.js";
import { newId } from "#lib/random.js";
import type { JobPayloads } from "#platform/changes/job-kinds.js";
import { type Tx, write } from "#platform/changes/write.js";
import type { Resources } from "#platform/http/resources.js";

/** Followers notified in one transaction. */
const batchSize = 500;

export async function warnFollowers(resources: Resources, payload: JobPayloads["warn-followers"]): Promise<void> {
  await write(resources, { credential: "job" }, (tx) => warnSome(tx, payload));
}

async function warnSome(tx: Tx, { versionId, toldUpTo }: JobPayloads["warn-followers"]): Promise<void> {
  const { db, now } = tx;
  const version = await db
    .selectFrom("versions")
    .innerJoin("projects", "projects.id", "versions.project_id")
    .select(["versions.project_id", "versions.yank_reason", "versions.yank_replacement_id"])
    .where("versions.id", "=", versionId)
    .where("versions.date_yanked", "is not", null)
    .where("versions.date_quarantined", "is", null)
    .where(isPublicProject)
    .executeTakeFirst();
  // The version was restored or hidden since.
  if (!version) return;
  const followers = await db
    .selectFrom("follows")
    .select("user_id")
    .where("project_id", "=", version.project_id)
    .where("user_id", ">", toldUpTo)
    .orderBy("user_id")
    .limit(batchSize)
    .execute();
  if (followers.length === 0) return;
  const body = toJson<unknown>({
    projectId: version.project_id,
    versionIds: [versionId],
    versionCount: 1,
    reason: version.yank_reason ?? "",
    replacementId: version.yank_replacement_id,
  });
  const rows = followers.map(({ user_id }) => ({
    id: newId(tx.random),
    user_id,
    type: "version_withdrawn",
    group_key: `withdrawn:${versionId}`,
    body,
    date_created: now,
    date_read: null,
  }));
  // Users who were notified before a run failed are not notified again.
  await db
    .insertInto("notifications")
    .values(rows)
    .onConflict((conflict) => conflict.columns(["user_id", "group_key"]).doNothing())
    .execute();
  tx.enqueue("warn-followers", { versionId, toldUpTo: followers.at(-1)!.user_id });
}
