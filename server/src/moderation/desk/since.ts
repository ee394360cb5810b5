// Finds the changes in a project since the last decision, and the author's replies to the requested changes.

import { loadSnapshot } from "#content/submissions/snapshot.js";
import { findChanges, type SnapshotChanges } from "#content/submissions/snapshot-changes.js";
import { type Answer, findLastSubmission, findSubmissionBefore } from "#content/submissions/submissions.js";
import type { Db } from "#platform/db/tables.js";

export interface Since {
  changes: SnapshotChanges;
  answers: readonly Answer[];
  dateDecided: number;
}

/** Undefined if there was no decision, or if the state at that time is unknown. */
export async function findSince(db: Db, projectId: string): Promise<Since | undefined> {
  const last = await db
    .selectFrom("reviews")
    .select("date_decided")
    .where("project_id", "=", projectId)
    .orderBy("date_decided", "desc")
    .limit(1)
    .executeTakeFirst();
  const seen = last && (await findSubmissionBefore(db, projectId, last.date_decided));
  const present = seen && (await loadSnapshot(db, projectId));
  if (!last || !seen || !present) return undefined;
  const submission = await findLastSubmission(db, projectId);
  return {
    changes: findChanges(seen.snapshot, present),
    answers: submission && submission.dateCreated > last.date_decided ? submission.answers : [],
    dateDecided: last.date_decided,
  };
}
