// Decisions take effect after a short delay: until then the moderator can undo them, and neither the author nor any
// other user is notified.

import { lockProject } from "#content/projects/change.js";
import { fromJson, toJson } from "#lib/json.js";
import { newId } from "#lib/random.js";
import { type Actor, type Tx, write } from "#platform/changes/write.js";
import type { Db, Row } from "#platform/db/tables.js";
import { Failure, fail } from "#platform/errors.js";
import type { Resources } from "#platform/http/resources.js";
import { say } from "#words/said.js";
import { takeClaim } from "./claims.js";
import type { ReasonId } from "./reasons.js";
import { checkDecision, type DecisionInput, decideStatus } from "./write.js";

/** Enough time to notice a mistake. */
export const holdMs = 10_000;

export type HeldDecision = Pick<Row<"held_decisions">, "project_id" | "moderator_id" | "status" | "date_due">;

/** The caller locks the project's row. The moderator keeps the claim on the project until the decision takes effect. */
export async function holdDecision(
  tx: Tx,
  project: Row<"projects">,
  actor: Actor & { userId: string },
  decision: DecisionInput,
): Promise<void> {
  await checkDecision(tx, project, actor.userId, decision);
  const { status, reason, message, problems = [] } = decision;
  const id = newId(tx.random);
  const { userId, credential, address, requestId } = actor;
  await takeClaim(tx, "project", project.id, userId);
  await tx.db.deleteFrom("held_decisions").where("project_id", "=", project.id).execute();
  await tx.db
    .insertInto("held_decisions")
    .values({
      id,
      project_id: project.id,
      moderator_id: userId,
      from_status: project.status,
      status,
      reason: reason ?? "",
      message,
      problems: toJson([...problems]),
      actor: toJson<unknown>({ userId, credential, address, requestId }),
      date_created: tx.now,
      date_due: tx.now + holdMs,
    })
    .execute();
  tx.enqueue("carry-out-decision", { decisionId: id }, { runAfter: tx.now + holdMs });
}

/** 409 if it has taken effect already, or belongs to another moderator. */
export async function undoDecision(tx: Tx, projectId: string, moderatorId: string): Promise<void> {
  const gone = await tx.db
    .deleteFrom("held_decisions")
    .where("project_id", "=", projectId)
    .where("moderator_id", "=", moderatorId)
    .returning("id")
    .executeTakeFirst();
  if (!gone) throw fail.wrongState(say.states.decisionCarriedOut);
}

export const findHeldDecision = (db: Db, projectId: string): Promise<HeldDecision | undefined> =>
  db
    .selectFrom("held_decisions")
    .select(["project_id", "moderator_id", "status", "date_due"])
    .where("project_id", "=", projectId)
    .executeTakeFirst();

/** Does nothing if the decision was undone, or if the project has changed its status since. */
export async function carryOutDecision(resources: Resources, { decisionId }: { decisionId: string }): Promise<void> {
  const { db } = resources;
  const held = await db.selectFrom("held_decisions").selectAll().where("id", "=", decisionId).executeTakeFirst();
  if (!held) return;
  const actor = fromJson(held.actor) as Actor;
  try {
    await write(resources, actor, async (tx) => {
      const project = await lockProject(tx, held.project_id);
      const still = await tx.db.deleteFrom("held_decisions").where("id", "=", decisionId).returning("id").execute();
      if (still.length === 0 || project.status !== held.from_status) return;
      await decideStatus(tx, project, held.moderator_id, {
        status: held.status,
        reason: (held.reason || null) as ReasonId | null,
        message: held.message,
        problems: fromJson(held.problems) as ReasonId[],
      });
    });
  } catch (error) {
    // The project was deleted, or another moderator has claimed it: a retry would not help.
    if (!(error instanceof Failure)) throw error;
    await db.deleteFrom("held_decisions").where("id", "=", decisionId).execute();
  }
}
