// Reads the events that changes name, for consumers.
import { sql } from "kysely";
import { inList } from "#platform/db/dialect.js";
import type { Row } from "#platform/db/tables.js";
import type { Change } from "./change-log.js";
import type { Tx } from "./write.js";

/** Events never change: consumers that share a transaction read each of them once. */
const readIn = new WeakMap<Tx, Map<string, Row<"events">>>();

/** In the order in which they happened. */
export async function listEvents(tx: Tx, changes: readonly Change[]): Promise<Row<"events">[]> {
  const ids = changes.filter(({ kind }) => kind === "event").map(({ id }) => id);
  const known = readIn.get(tx) ?? new Map<string, Row<"events">>();
  readIn.set(tx, known);
  const missing = ids.filter((id) => !known.has(id));
  if (missing.length > 0) {
    const rows = await tx.db
      .selectFrom("events")
      .selectAll()
      .where(inList(tx.db, sql.ref("id"), missing))
      .execute();
    for (const row of rows) known.set(row.id, row);
  }
  return ids.flatMap((id) => known.get(id) ?? []);
}
