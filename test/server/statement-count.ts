// Counts the statements that reach the database during some work, to show that lists cost the same as one item.
import type { CompiledQuery, ConnectionProvider, Kysely, QueryExecutor } from "kysely";
import type { Tables } from "#platform/db/tables.js";

/**
 * Statements that the change log, the worker and the readiness probe send in the background, and that every request
 * needs; and the ends of transactions.
 */
const beside = /\b(changes|jobs|sessions|tokens|taxonomies)\b|^update settings set name = name|^commit/;

/** Whether the executor is for statements that are sent together (platform/db/dialect.ts), not for a transaction. */
const isForBatch = (provider: ConnectionProvider): boolean => Object.getPrototypeOf(provider) === Object.prototype;

/** Without the statements of transactions that begin while the work runs. */
export async function countStatements(db: Kysely<Tables>, work: () => Promise<unknown>): Promise<number> {
  return (await listStatements(db, work, isForBatch)).length;
}

export interface Statement {
  query: CompiledQuery;
  /** The number of rows that it returned. */
  rows: number;
}

/** The statements of some work, including those in transactions, or only those on connections that are `wanted`. */
export async function listStatements(
  db: Kysely<Tables>,
  work: () => Promise<unknown>,
  isWanted: (provider: ConnectionProvider) => boolean = () => true,
): Promise<Statement[]> {
  const statements: Statement[] = [];
  const watch = (executor: QueryExecutor): QueryExecutor => {
    const { executeQuery, withConnectionProvider } = executor;
    executor.executeQuery = async (query, ...rest) => {
      const result = await executeQuery.call(executor, query, ...rest);
      if (!beside.test(query.sql)) statements.push({ query, rows: result.rows.length });
      return result as never;
    };
    executor.withConnectionProvider = (provider) => {
      const other = withConnectionProvider.call(executor, provider);
      return isWanted(provider) ? watch(other) : other;
    };
    return executor;
  };
  const executor = db.getExecutor();
  const { executeQuery, withConnectionProvider } = executor;
  watch(executor);
  try {
    await work();
  } finally {
    Object.assign(executor, { executeQuery, withConnectionProvider });
  }
  return statements;
}

const leastTries = 2;
const mostTries = 6;

/**
 * The smallest of several counts of two kinds of work. The server queries the database in the background too, so a
 * single count may be too high. It stops as soon as both are equal.
 */
export async function leastCounts(
  countFirst: () => Promise<number>,
  countSecond: () => Promise<number>,
): Promise<{ first: number; second: number }> {
  let [first, second] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let tries = 0; tries < leastTries || (first !== second && tries < mostTries); tries++) {
    first = Math.min(first, await countFirst());
    second = Math.min(second, await countSecond());
  }
  return { first, second };
}
