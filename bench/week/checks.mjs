// Which downloads count, and the sums in the database that must agree with it.
import { maxPerProject, windowMs } from "../../dist/server/src/content/downloads/policy.js";

/** The rule, written once more in plain words and without a database. */
export function createRule() {
  const recent = new Map();
  const rule = {
    counted: 0,
    count(player, project, version, time) {
      const key = player * 2 ** 20 + project;
      const own = (recent.get(key) ?? []).filter((earlier) => time - earlier.time < windowMs);
      if (own.length === maxPerProject || own.some((earlier) => earlier.version === version)) return;
      own.push({ version, time });
      recent.set(key, own);
      rule.counted++;
    },
    forget(now) {
      for (const [key, own] of recent) if (own.every(({ time }) => now - time >= windowMs)) recent.delete(key);
    },
  };
  return rule;
}

const sumOf = (db, table, column) =>
  db
    .selectFrom(table)
    .select(({ fn }) => fn.sum(column).as("sum"))
    .executeTakeFirstOrThrow()
    .then(({ sum }) => Number(sum ?? 0));

export const countRows = (db, table) =>
  db
    .selectFrom(table)
    .select(({ fn }) => fn.countAll().as("count"))
    .executeTakeFirstOrThrow()
    .then(({ count }) => Number(count));

export const readSums = async (db) => ({
  versions: await sumOf(db, "versions", "downloads"),
  projects: await sumOf(db, "projects", "downloads"),
  days: await sumOf(db, "download_days", "count"),
  totals: await sumOf(db, "download_totals", "count"),
  dayRows: await countRows(db, "download_days"),
});
