// Who has what in hand: a moderator claims a project in the queue or a case of reports, and until his claim ends nobody
// else decides about it.

import { sql } from "kysely";
import type { Tx } from "#platform/changes/write.js";
import { inList } from "#platform/db/dialect.js";
import type { Db, Row } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import { timestamp } from "#platform/http/schemas.js";
import { say } from "#words/said.js";

export type ClaimKind = Row<"review_claims">["kind"];

export interface ClaimRow {
  objectId: string;
  userId: string;
  userName: string;
  dateExpires: number;
}

/** Long enough to look at a large project; whoever goes home does not keep it from others for long. */
export const claimMs = 30 * 60 * 1000;

/** Standing claims on these, by what they are on. */
export async function findClaims(
  db: Db,
  kind: ClaimKind,
  objectIds: readonly string[],
  now: number,
): Promise<Map<string, ClaimRow>> {
  const rows = await db
    .selectFrom("review_claims as claim")
    .innerJoin("users", "users.id", "claim.user_id")
    .select(["claim.object_id", "claim.user_id", "claim.date_expires", "users.user_name"])
    .where("claim.kind", "=", kind)
    .where("claim.date_expires", ">", now)
    .where(inList(db, sql.ref("claim.object_id"), objectIds))
    .execute();
  return new Map(
    rows.map((row) => [
      row.object_id,
      { objectId: row.object_id, userId: row.user_id, userName: row.user_name, dateExpires: row.date_expires },
    ]),
  );
}

/**
 * Takes it, or holds it longer. One statement, so that of two who reach for it at once one has it. The caller holds the
 * row that it is about: what was decided a moment ago is not claimed.
 */
export async function takeClaim(tx: Tx, kind: ClaimKind, objectId: string, userId: string): Promise<number> {
  const dateExpires = tx.now + claimMs;
  const before = await tx.db
    .selectFrom("review_claims")
    .select("user_id")
    .where("kind", "=", kind)
    .where("object_id", "=", objectId)
    .where("date_expires", ">", tx.now)
    .executeTakeFirst();
  const taken = await tx.db
    .insertInto("review_claims")
    .values({ kind, object_id: objectId, user_id: userId, date_created: tx.now, date_expires: dateExpires })
    .onConflict((conflict) =>
      conflict
        .columns(["kind", "object_id"])
        .doUpdateSet({ user_id: userId, date_expires: dateExpires })
        .where((or) =>
          or.or([or("review_claims.user_id", "=", userId), or("review_claims.date_expires", "<=", tx.now)]),
        ),
    )
    .returning("user_id")
    .executeTakeFirst();
  if (!taken) await refuseOthersClaim(tx, kind, objectId, userId);
  // To hold on to it is no act of its own.
  if (before?.user_id !== userId) tx.audit("claim.take", { kind, id: objectId });
  return dateExpires;
}

/** Whoever holds it; an administrator also lets go for others. */
export async function releaseClaim(
  tx: Tx,
  kind: ClaimKind,
  objectId: string,
  user: { id: string; role: Row<"users">["role"] },
): Promise<void> {
  if (user.role !== "admin") await refuseOthersClaim(tx, kind, objectId, user.id);
  if (!(await dropClaim(tx, kind, objectId))) throw fail.wrongState(say.states.unclaimed);
  tx.audit("claim.release", { kind, id: objectId });
}

/** What is decided is in nobody's hand. Returns whether it was. */
export async function dropClaim({ db, now }: Tx, kind: ClaimKind, objectId: string): Promise<boolean> {
  const gone = await db
    .deleteFrom("review_claims")
    .where("kind", "=", kind)
    .where("object_id", "=", objectId)
    .returning("date_expires")
    .executeTakeFirst();
  return gone !== undefined && gone.date_expires > now;
}

/** 409 that says who has it and until when. */
export async function refuseOthersClaim(
  { db, now }: Tx,
  kind: ClaimKind,
  objectId: string,
  userId: string,
): Promise<void> {
  const claim = (await findClaims(db, kind, [objectId], now)).get(objectId);
  if (claim && claim.userId !== userId) throw fail.claimed(claim.userName, timestamp(claim.dateExpires));
}
