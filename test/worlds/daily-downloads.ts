// Daily figures for tests.
import { sql } from "kysely";
import type { Db } from "#platform/db/tables.js";

/** Downloads of a project by day; days are numbers since 1970. */
export async function listDailyDownloads(db: Db, projectId: string): Promise<Map<number, number>> {
  const { rows } = await sql<{ day: number; count: number }>`
    select day, sum(count) as count from download_days where project_id = ${projectId} group by day order by day`.execute(
    db,
  );
  return new Map(rows.map((row) => [row.day, row.count]));
}
