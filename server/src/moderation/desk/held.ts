// Decisions that wait a moment before they are carried out: until then whoever made one can take it back, and neither the
// author nor anybody else has heard of it.

import { lockProject } from "#content/projects/change.js";
import { fromJson, toJson } from "#lib/json.js";
import { newId } from "#lib/random.js";
import { type Actor, type Tx, write } from "#platform/changes/write.js";
import type { Db, Row } from "#platform/db/tables.js";
import { Failure, fail } from "#platform/errors.js";
import type { Resources } from "#platform/http/resources.js";
import { takeClaim } from "./claims.js";
import type { ReasonId } from "./reasons.js";
import { checkDecision, type DecisionInput, decideStatus } from "./write.js";

/** Time to see what one has pressed. */
export const holdMs = 10_000;

export type HeldDecision = Pick<Row<"held_decisions">, "project_id" | "moderator_id" | "status" | "date_due">;

/** The caller holds the project's row. Until it is carried out, the project stays in the moderator's hand. */
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

/** 409 where it was carried out already, or is another's. */
export async function takeBackDecision(tx: Tx, projectId: string, moderatorId: string): Promise<void> {
  const gone = await tx.db
    .deleteFrom("held_decisions")
    .where("project_id", "=", projectId)
    .where("moderator_id", "=", moderatorId)
    .returning("id")
    .executeTakeFirst();
  if (!gone) throw fail.wrongState("It is too late to take this decision back: it was carried out");
}

export const findHeldDecision = (db: Db, projectId: string): Promise<HeldDecision | undefined> =>
  db
    .selectFrom("held_decisions")
    .select(["project_id", "moderator_id", "status", "date_due"])
    .where("project_id", "=", projectId)
    .executeTakeFirst();

/** Nothing where it was taken back, or where the project has become something else meanwhile. */
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
    // The project is gone, or in another's hand by now: there is nothing to try again.
    if (!(error instanceof Failure)) throw error;
    await db.deleteFrom("held_decisions").where("id", "=", decisionId).execute();
  }
}
