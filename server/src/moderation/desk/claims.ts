// Claims: a moderator claims a project in the queue or a case of reports, and until the claim ends no other moderator
// can decide about it.

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

/** Long enough to review a large project, and short enough that an abandoned claim does not block others for long. */
export const claimMs = 30 * 60 * 1000;

/** The current claims on these objects, by object. */
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
 * Takes or extends the claim. It is one statement, so that only one of two concurrent callers succeeds. The caller
 * locks the row of the object: an object that was just decided cannot be claimed.
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
  // Extending a claim is not logged.
  if (before?.user_id !== userId) tx.audit("claim.take", { kind, id: objectId });
  return dateExpires;
}

/** For the moderator who holds the claim; an administrator can also release the claims of others. */
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

/** An object that is decided is no longer claimed. Returns whether it was claimed. */
export async function dropClaim({ db, now }: Tx, kind: ClaimKind, objectId: string): Promise<boolean> {
  const gone = await db
    .deleteFrom("review_claims")
    .where("kind", "=", kind)
    .where("object_id", "=", objectId)
    .returning("date_expires")
    .executeTakeFirst();
  return gone !== undefined && gone.date_expires > now;
}

/** Refuses with 409 and names the moderator and the end of the claim. */
export async function refuseOthersClaim(
  { db, now }: Tx,
  kind: ClaimKind,
  objectId: string,
  userId: string,
): Promise<void> {
  const claim = (await findClaims(db, kind, [objectId], now)).get(objectId);
  if (claim && claim.userId !== userId) throw fail.claimed(claim.userName, timestamp(claim.dateExpires));
}
