// The Idempotency-Key that a request has reserved (platform/http/idempotency.ts). It is confirmed in the transaction of
// the request's change, so that a key with a committed change can never look abandoned and be executed twice.
import type { Db } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";

export interface KeyReservation {
  actor: string;
  key: string;
  /** Distinguishes this reservation from a later one of the same key. */
  dateReserved: number;
}

/** The status while the change is committed and the answer is not stored yet. */
export const committedStatus = 0;

export async function confirmReservation(db: Db, reservation: KeyReservation): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable("idempotency_keys")
    .set({ status: committedStatus })
    .where("actor", "=", reservation.actor)
    .where("key", "=", reservation.key)
    .where("date_created", "=", reservation.dateReserved)
    .executeTakeFirst();
  // This request took so long that its key was given to a retry: only one of the two may change anything.
  if (numUpdatedRows === 0n) throw fail.idempotencyKeyInUse();
}
