// Submitted states of projects, stored so that moderators see what has changed since.

import { fromJson, toJson } from "#lib/json.js";
import { newId } from "#lib/random.js";
import type { Tx } from "#platform/changes/write.js";
import type { Db, Row } from "#platform/db/tables.js";
import { loadSnapshot, type Snapshot } from "./snapshot.js";

/** The author's answer to one requested change. */
export interface Answer {
  problem: string;
  isDone: boolean;
  note: string;
}

export interface Submission {
  snapshot: Snapshot;
  answers: Answer[];
  dateCreated: number;
}

/** Older ones are deleted. */
const keptSubmissions = 20;

export async function storeSubmission(
  tx: Tx,
  projectId: string,
  userId: string,
  answers: readonly Answer[],
): Promise<void> {
  const snapshot = await loadSnapshot(tx.db, projectId);
  await tx.db
    .insertInto("submissions")
    .values({
      id: newId(tx.random),
      project_id: projectId,
      snapshot: toJson<unknown>(snapshot),
      answers: toJson<unknown>(answers),
      submitted_by: userId,
      date_created: tx.now,
    })
    .execute();
  const old = await tx.db
    .selectFrom("submissions")
    .select("date_created")
    .where("project_id", "=", projectId)
    .orderBy("date_created", "desc")
    .offset(keptSubmissions)
    .limit(1)
    .executeTakeFirst();
  if (old)
    await tx.db
      .deleteFrom("submissions")
      .where("project_id", "=", projectId)
      .where("date_created", "<=", old.date_created)
      .execute();
}

/** The newest submission before that time: the one that a decision of that time was about. */
export const findSubmissionBefore = (db: Db, projectId: string, time: number): Promise<Submission | undefined> =>
  findNewest(db, projectId, time);

export const findLastSubmission = (db: Db, projectId: string): Promise<Submission | undefined> =>
  findNewest(db, projectId, Number.MAX_SAFE_INTEGER);

async function findNewest(db: Db, projectId: string, before: number): Promise<Submission | undefined> {
  const row = await db
    .selectFrom("submissions")
    .selectAll()
    .where("project_id", "=", projectId)
    .where("date_created", "<", before)
    .orderBy("date_created", "desc")
    .limit(1)
    .executeTakeFirst();
  return row && toSubmission(row);
}

const toSubmission = (row: Row<"submissions">): Submission => ({
  snapshot: fromJson(row.snapshot) as Snapshot,
  answers: fromJson(row.answers) as Answer[],
  dateCreated: row.date_created,
});
