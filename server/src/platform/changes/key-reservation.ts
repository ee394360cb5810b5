// The Idempotency-Key that a request holds (platform/http/idempotency.ts), used up in the same transaction as what the request
// changes: so a key whose change is committed can never be taken for an abandoned one and do the thing twice.
import type { Db } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";

export interface KeyReservation {
  actor: string;
  key: string;
  /** Tells this reservation from a later one of the same key. */
  dateReserved: number;
}

/** In place of the answer's status while the change is committed and the answer not kept yet. */
export const committedStatus = 0;

export async function confirmReservation(db: Db, reservation: KeyReservation): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable("idempotency_keys")
    .set({ status: committedStatus })
    .where("actor", "=", reservation.actor)
    .where("key", "=", reservation.key)
    .where("date_created", "=", reservation.dateReserved)
    .executeTakeFirst();
  // This request took so long that its key was given to a second try: only one of the two may change anything.
  if (numUpdatedRows === 0n) throw fail.idempotencyKeyInUse();
}
