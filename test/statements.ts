// Counts the statements that reach the database while something runs, on either engine, by listening at the drivers.
import { StatementSync } from "node:sqlite";
import pg from "pg";

let count = 0;

function listen<T extends object>(prototype: T, method: keyof T & string): void {
  const original = prototype[method] as (...args: unknown[]) => unknown;
  Object.defineProperty(prototype, method, {
    configurable: true,
    value(this: unknown, ...args: unknown[]) {
      count++;
      return original.apply(this, args);
    },
  });
}

listen(StatementSync.prototype, "all");
listen(StatementSync.prototype, "run");
listen(pg.Client.prototype, "query");

/** Nothing else may be going on at the same time: background work is counted too. */
export async function countStatements(work: () => Promise<unknown>): Promise<number> {
  const before = count;
  await work();
  return count - before;
}
