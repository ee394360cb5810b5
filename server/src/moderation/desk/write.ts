// Decisions of moderators. Each runs in the caller's transaction.

import { findVisibleRow, lockProject } from "#content/projects/change.js";
import { setStatus } from "#content/submissions/submit.js";
import { listOwnerIds } from "#content/threads/notifications.js";
import { toJson } from "#lib/json.js";
import { newId } from "#lib/random.js";
import type { Tx } from "#platform/changes/write.js";
import type { ProjectStatus, Row } from "#platform/db/tables.js";
import { fail, invalid } from "#platform/errors.js";
import type { SignedIn } from "#platform/http/viewer.js";
import { say } from "#words/said.js";
import { dropClaim, refuseOthersClaim, takeClaim } from "./claims.js";
import { fitsDecision, isProblem, type ReasonId } from "./reasons.js";

export interface DecisionInput {
  status: ProjectStatus;
  reason: ReasonId | null;
  message: string;
  /** All problems, if there were more than the reason. */
  problems?: readonly ReasonId[];
}

/** Locks the project's row until the transaction ends, if the caller can see it. */
export async function lockVisibleProject(tx: Tx, viewer: SignedIn, ref: string): Promise<Row<"projects">> {
  const found = await findVisibleRow(tx.db, viewer, ref);
  if (!found) throw fail.projectNotFound();
  return lockProject(tx, found.id);
}

/** Refuses decisions that are not possible. The caller locks the project's row. */
export async function checkDecision(
  tx: Tx,
  project: Row<"projects">,
  moderatorId: string,
  { status, reason }: DecisionInput,
): Promise<void> {
  if (reason !== null && !fitsDecision(reason, status))
    throw invalid({ path: "reason", message: say.problems.noReason(reason, status) });
  if (project.status === status) throw fail.wrongState(say.states.projectAlready(status));
  await refuseOthersClaim(tx, "project", project.id, moderatorId);
}

/** The caller locks the project's row: the second of two concurrent decisions sees the first. */
export async function decideStatus(
  tx: Tx,
  project: Row<"projects">,
  moderatorId: string,
  input: DecisionInput,
): Promise<void> {
  await checkDecision(tx, project, moderatorId, input);
  const { status, reason, message } = input;
  const decision = { reason: reason ?? "", message };
  const problems = input.problems ?? (reason !== null && isProblem(reason) ? [reason] : []);
  await setStatus(tx, project, moderatorId, status, { decision });
  await tx.db
    .insertInto("reviews")
    .values({
      id: newId(tx.random),
      project_id: project.id,
      moderator_id: moderatorId,
      status,
      ...decision,
      problems: toJson([...problems]),
      was_public: (await wasSeen(tx, project)) ? 1 : 0,
      date_queued: project.status === "processing" ? project.date_queued : null,
      date_decided: tx.now,
    })
    .execute();
  await dropClaim(tx, "project", project.id);
  // A pending decision of another moderator applied to the previous state of the project.
  await tx.db.deleteFrom("held_decisions").where("project_id", "=", project.id).execute();
  await notifyOwners(tx, project, status);
}

/**
 * Whether the public could see the project before this decision. The rows store the state before each decision, so the
 * first of them is enough.
 */
async function wasSeen({ db }: Tx, { id, status, visibility }: Row<"projects">): Promise<boolean> {
  if (status === "approved" && visibility !== "private") return true;
  const before = db.selectFrom("reviews").select("id").where("project_id", "=", id).where("was_public", "=", 1);
  return (await before.limit(1).executeTakeFirst()) !== undefined;
}

/** Returns the end of the claim. */
export async function claimProject(tx: Tx, project: Row<"projects">, moderatorId: string): Promise<number> {
  if (project.status !== "processing") throw fail.wrongState(say.states.notInQueue(project.status));
  return takeClaim(tx, "project", project.id, moderatorId);
}

/** Each change gets its own notification, so that the owner learns of all of them. */
async function notifyOwners(tx: Tx, project: Row<"projects">, status: ProjectStatus): Promise<void> {
  const owners = await listOwnerIds(tx.db, project);
  if (owners.length === 0) return;
  await tx.db
    .insertInto("notifications")
    .values(
      owners.map((user_id) => ({
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
