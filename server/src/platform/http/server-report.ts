// The state of each process of a server, and of the whole server.
import type { CacheFigures } from "#platform/changes/cache.js";
import type { ServerMemory } from "#platform/changes/server-memory.js";
import type { WorkerReport } from "#platform/workers/peers.js";
import type { RecentError, RecentErrors } from "./recent-errors.js";
import type { Resources } from "./resources.js";

interface Parts {
  caches: CacheFigures[];
  errors: readonly RecentError[];
}

export const describeProcess = (
  number: number,
  since: number,
  { memory, recentErrors }: { memory: ServerMemory; recentErrors: RecentErrors },
): WorkerReport => ({
  ...{ number, pid: process.pid, since, residentBytes: process.memoryUsage.rss() },
  parts: { caches: memory.listCaches(), errors: recentErrors.list() } satisfies Parts,
});

export interface ServerReport {
  processes: WorkerReport[];
  /** The sums of all processes, in the order of their names. */
  caches: CacheFigures[];
  /** The latest first. */
  errors: RecentError[];
}

const mostErrors = 20;

export async function readServerReport({ peers }: Pick<Resources, "peers">): Promise<ServerReport> {
  const processes = await peers.collectReports();
  const parts = processes.map((report) => report.parts as Parts);
  const byName = Map.groupBy(
    parts.flatMap(({ caches }) => caches),
    ({ name }) => name,
  );
  return {
    processes,
    caches: [...byName.values()].map((caches) => caches.reduce(add)).sort((a, b) => (a.name < b.name ? -1 : 1)),
    errors: parts
      .flatMap(({ errors }) => errors)
      .sort((a, b) => b.at - a.at)
      .slice(0, mostErrors),
  };
}

const add = (a: CacheFigures, b: CacheFigures): CacheFigures => ({
  name: a.name,
  bytes: a.bytes + b.bytes,
  limit: a.limit + b.limit,
  entries: a.entries + b.entries,
  hits: a.hits + b.hits,
  misses: a.misses + b.misses,
});
