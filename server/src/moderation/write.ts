// Decisions of moderators. Each runs in the caller's transaction.
import type { Tx } from "../changes/write.js";
import type { ProjectStatus, Row } from "../db/tables.js";
import { fail } from "../errors.js";
import { toJson } from "../lib/json.js";
import { newId } from "../lib/random.js";
import { setStatus } from "../projects/review.js";
import { placeholderId } from "../users/policy.js";

export async function decideStatus(
  tx: Tx,
  project: Row<"projects">,
  moderatorId: string,
  status: ProjectStatus,
  message: string,
): Promise<void> {
  if (project.status === status) throw fail.wrongState(`The project is ${status} already`);
  await setStatus(tx, project, moderatorId, status, { message });
  await notifyOwners(tx, project, status);
}

/** The owner of the project's team, and of its organization's. */
async function notifyOwners(tx: Tx, project: Row<"projects">, status: ProjectStatus): Promise<void> {
  const owners = await tx.db
    .selectFrom("team_members")
    .select("user_id")
    .distinct()
    .where("is_owner", "=", 1)
    .where("user_id", "!=", placeholderId)
    .where((or) =>
      or.or([
        or("team_id", "=", project.team_id),
        or("team_id", "in", (select) =>
          select.selectFrom("organizations").select("team_id").where("id", "=", project.org_id),
        ),
      ]),
    )
    .execute();
  if (owners.length === 0) return;
  await tx.db
    .insertInto("notifications")
    .values(
      owners.map(({ user_id }) => ({
        id: newId(tx.random),
        user_id,
        type: "status_change",
        group_key: null,
        body: toJson<unknown>({ projectId: project.id, new_status: status, prev_status: project.status }),
        date_created: tx.now,
        date_read: null,
      })),
    )
    .execute();
}
