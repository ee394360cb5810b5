// The site's own figures, stored as counters. A counter changes only together with the record of the counted row
// (project_counts, counted_users, counted_members), so that it is always the sum of those records.
import { sql } from "kysely";
import type { Db } from "#platform/db/tables.js";

export const counterNames = ["users", "authors", "files", "projects", "versions"] as const;
export type CounterName = (typeof counterNames)[number];

/** The counter's name in the table. */
export const toCounter = (name: CounterName): string => `statistics.${name}`;

export async function addToCounters(db: Db, differences: Partial<Record<CounterName, number>>): Promise<void> {
  const rows = Object.entries(differences)
    .filter(([, value]) => value !== 0)
    .map(([name, value]) => ({ name: toCounter(name as CounterName), value }));
  if (rows.length === 0) return;
  await db
    .insertInto("counters")
    .values(rows)
    .onConflict((conflict) =>
      conflict.column("name").doUpdateSet({ value: sql<number>`counters.value + excluded.value` }),
    )
    .execute();
}
