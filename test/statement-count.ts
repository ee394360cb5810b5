// Counts the statements that reach the database while some work is done, to show that lists cost what one item costs.
import type { CompiledQuery, Kysely } from "kysely";
import type { Tables } from "#platform/db/tables.js";

/** What every request, the change log, the worker and the probe of readiness do beside it, each at its own times. */
const beside = /\b(changes|jobs|sessions|tokens|taxonomies)\b|^update settings set name = name/;

export async function countStatements(db: Kysely<Tables>, work: () => Promise<unknown>): Promise<number> {
  const executor = db.getExecutor();
  const { executeQuery } = executor;
  let count = 0;
  executor.executeQuery = <R>(query: CompiledQuery<R>, ...rest: unknown[]) => {
    if (!beside.test(query.sql)) count++;
    return executeQuery.call(executor, query, ...(rest as [])) as ReturnType<typeof executeQuery<R>>;
  };
  try {
    await work();
  } finally {
    executor.executeQuery = executeQuery;
  }
  return count;
}
