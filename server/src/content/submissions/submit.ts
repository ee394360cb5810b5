// Submitting a project, withdrawing it, and every other change of its status (decisions §5). Each use case runs in the
// caller's transaction.

import type { Config } from "#config/config.js";
import { markDependentsChanged } from "#content/projects/dependents.js";
import { addMessages, getProjectThreadId, type NewMessage, textBody } from "#content/threads/messages.js";
import { isNotQuarantined } from "#content/versions/policy.js";
import type { Tx } from "#platform/changes/write.js";
import type { ProjectStatus, Row } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import { timestamp } from "#platform/http/schemas.js";
import { type Said, say } from "#words/said.js";
import { listByNewcomers } from "./newcomers.js";
import { type Answer, storeSubmission } from "./submissions.js";

type ProjectRow = Row<"projects">;

const hour = 60 * 60 * 1000;
/** After a refusal, authors should fix the problems before they submit again. */
const waitMs = 3 * hour;

/**
 * Submits the project for review. If review is turned off, this publishes it (decisions §5), unless a moderator has
 * refused it before: otherwise authors could publish it against that decision, also by withdrawing it first. Returns
 * the new status.
 */
export async function submitProject(
  tx: Tx,
  project: ProjectRow,
  userId: string,
  { review, answers = [] }: Pick<Config, "review"> & { answers?: readonly Answer[] },
): Promise<ProjectStatus> {
  checkMaySubmit(project, tx.now);
  const missing = await listMissing(tx, project);
  if (missing.length > 0)
    throw fail.wrongState(say.states.needsBefore(missing.reduceRight((more, one) => say.states.listed(one, more))));
  const isLookedAt = (await isReviewed(tx, project, review)) || (await isTurnedDown(tx, project));
  const status = isLookedAt ? "processing" : "approved";
  await setStatus(tx, project, userId, status, { isQueued: true });
  await storeSubmission(tx, project.id, userId, answers);
  await tx.db
    .updateTable("projects")
    .set({ date_ranked: (await keepsPlace(tx, project)) ? (project.date_ranked ?? project.date_queued) : null })
    .where("id", "=", project.id)
    .execute();
  return status;
}

/** An author who fixes the requested changes within this time keeps their former place in the queue. */
export const queuePlaceMs = 7 * 24 * hour;

async function keepsPlace({ db, now }: Tx, { id }: ProjectRow): Promise<boolean> {
  const last = await db
    .selectFrom("reviews")
    .select(["status", "date_decided", "date_queued"])
    .where("project_id", "=", id)
    .orderBy("date_decided", "desc")
    .limit(1)
    .executeTakeFirst();
  return (
    last !== undefined &&
    last.date_queued !== null &&
    ["draft", "rejected", "withheld"].includes(last.status) &&
    last.date_decided > now - queuePlaceMs
  );
}

async function isReviewed({ db }: Tx, { id }: ProjectRow, review: Config["review"]): Promise<boolean> {
  return review === "first" ? (await listByNewcomers(db, [id])).has(id) : review === "on";
}

function checkMaySubmit({ status, date_queued }: ProjectRow, now: number): void {
  if (status === "processing") throw fail.wrongState(say.states.inReviewAlready);
  if (status === "approved") throw fail.wrongState(say.states.approvedAlready);
  const allowedAt = (date_queued ?? 0) + waitMs;
  if (status !== "draft" && now < allowedAt)
    throw fail.wrongState(say.states.submitLater(status, timestamp(allowedAt)));
}

/** Whether the last decision of a moderator was a refusal. */
async function isTurnedDown({ db }: Tx, { id, status }: ProjectRow): Promise<boolean> {
  if (status === "withheld" || status === "rejected") return true;
  const last = await db
    .selectFrom("reviews")
    .select("status")
    .where("project_id", "=", id)
    .orderBy("date_decided", "desc")
    .limit(1)
    .executeTakeFirst();
  return last !== undefined && last.status !== "approved";
}

async function listMissing(tx: Tx, project: ProjectRow): Promise<Said[]> {
  const version = await tx.db
    .selectFrom("versions")
    .select("id")
    .where("project_id", "=", project.id)
    .where("date_yanked", "is", null)
    .where(isNotQuarantined)
    .limit(1)
    .executeTakeFirst();
  return [
    ...(version ? [] : [say.states.version]),
    ...(project.description.trim() === "" ? [say.states.description] : []),
    ...(project.license_id === "" && project.license_name === "" ? [say.states.license] : []),
  ];
}

/** Withdraws the project from review. */
export async function withdrawProject(tx: Tx, project: ProjectRow, userId: string): Promise<ProjectStatus> {
  if (project.status !== "processing") throw fail.wrongState(say.states.notInReview);
  await setStatus(tx, project, userId, "draft");
  return "draft";
}

/** The reason and message of a moderator. */
export interface Decision {
  reason: string;
  message: string;
}

/** Sets any status with all its consequences, and adds a message to the project's thread. */
export async function setStatus(
  tx: Tx,
  project: ProjectRow,
  userId: string,
  status: ProjectStatus,
  { isQueued = status === "processing", decision }: { isQueued?: boolean; decision?: Decision } = {},
): Promise<void> {
  await tx.db
    .updateTable("projects")
    .set({
      status,
      requested_status: status === "processing" ? "approved" : null,
      ...(isQueued && { date_queued: tx.now }),
      ...(status === "approved" && { date_approved: tx.now }),
    })
    .where("id", "=", project.id)
    .execute();
  const change = { from: project.status, to: status };
  await addStatusMessage(
    tx,
    project.id,
    { id: userId, isModerator: decision !== undefined },
    change,
    decision?.message,
  );
  const reason = decision?.reason ? { reason: decision.reason } : {};
  tx.audit("project.status.set", { kind: "project", id: project.id }, { ...change, ...reason });
  tx.happened("project.status_changed", project.id, change);
  tx.changed("project", project.id);
  if ((status === "approved") !== (project.status === "approved")) await markDependentsChanged(tx, project.id);
}

/** Adds the new status and its reason to the thread between the project's team and the moderators. */
async function addStatusMessage(
  tx: Tx,
  projectId: string,
  author: { id: string; isModerator: boolean },
  change: { from: ProjectStatus; to: ProjectStatus },
  text = "",
): Promise<void> {
  const by = { authorId: author.id, byModerator: author.isModerator };
  const messages: NewMessage[] = [
    { ...by, type: "status_change", body: { prev_status: change.from, new_status: change.to } },
  ];
  if (text !== "") messages.push({ ...by, type: "text", body: textBody(text) });
  await addMessages(tx, await getProjectThreadId(tx, projectId), messages);
}
