// Prometheus metrics. Labels are route templates, methods and classes of status, never values that a caller chose.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { ServerMemory } from "#platform/changes/server-memory.js";
import type { DiskSpace } from "./disk-space.js";

export interface Metrics {
  registry: Registry;
  requests: Histogram<"method" | "route" | "status">;
  /** Counts an answer of the hot path at very low cost: the counts are added when the metrics are read. */
  countHot(method: "GET" | "POST", route: string): void;
  refusals: Counter<"code">;
  jobs: Counter<"kind" | "outcome">;
  waitingJobs: Gauge<"state">;
  oldestJobSeconds: Gauge;
  scans: Counter<"outcome">;
  waitingScans: Gauge;
}

export function createMetrics(version: string, room: DiskSpace, memory: ServerMemory): Metrics {
  const registry = new Registry();
  showCaches(registry, memory);
  collectDefaultMetrics({ register: registry, prefix: "modshelf_" });
  new Gauge({
    name: "modshelf_build_info",
    help: "The running version",
    aggregator: "first",
    labelNames: ["version"],
    registers: [registry],
  }).set({ version }, 1);
  new Gauge({
    name: "modshelf_disk_free_bytes",
    help: "Free room on the fullest disk that the service writes to",
    aggregator: "min",
    registers: [registry],
    collect() {
      if (Number.isFinite(room.freeBytes)) this.set(room.freeBytes);
    },
  });
  new Gauge({
    name: "modshelf_uploads_braked",
    help: "1 while uploads are refused because the disk is nearly full",
    aggregator: "max",
    registers: [registry],
    collect() {
      this.set(room.isTight ? 1 : 0);
    },
  });
  const hot = { GET: new Map<string, { count: number }>(), POST: new Map<string, { count: number }>() };
  new Counter({
    name: "modshelf_hot_requests_total",
    help: "Requests answered from memory before the router saw them; not among modshelf_request_seconds",
    labelNames: ["method", "route"],
    registers: [registry],
    collect() {
      for (const [method, routes] of Object.entries(hot)) {
        for (const [route, { count }] of routes) this.inc({ method, route }, count);
        routes.clear();
      }
    },
  });
  return {
    registry,
    countHot(method, route) {
      const known = hot[method].get(route);
      if (known) known.count++;
      else hot[method].set(route, { count: 1 });
    },
    requests: new Histogram({
      name: "modshelf_request_seconds",
      help: "Time from a request's arrival to the end of its answer",
      labelNames: ["method", "route", "status"],
      buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
      registers: [registry],
    }),
    refusals: new Counter({
      name: "modshelf_refusals_total",
      help: "Refused requests by error code",
      labelNames: ["code"],
      registers: [registry],
    }),
    jobs: new Counter({
      name: "modshelf_jobs_total",
      help: "Finished tries of background jobs",
      labelNames: ["kind", "outcome"],
      registers: [registry],
    }),
    waitingJobs: new Gauge({
      name: "modshelf_jobs",
      help: "Background jobs in the queue",
      labelNames: ["state"],
      registers: [registry],
    }),
    oldestJobSeconds: new Gauge({
      name: "modshelf_oldest_due_job_seconds",
      help: "How long the oldest due job has been waiting",
      aggregator: "max",
      registers: [registry],
    }),
    scans: new Counter({
      name: "modshelf_scans_total",
      help: "Tries to have a file scanned for malware, by verdict or by the reason why there is none",
      labelNames: ["outcome"],
      registers: [registry],
    }),
    waitingScans: new Gauge({
      name: "modshelf_scans_waiting",
      help: "Files that wait for the malware scanner",
      registers: [registry],
    }),
  };
}

const cacheFigures = {
  bytes: "Bytes that a cache holds in memory",
  limit: "Bytes that a cache may hold in memory",
  entries: "Values in a cache",
  hits: "Reads of a cache that found a value, since the start of the server",
  misses: "Reads of a cache that found nothing, since the start of the server",
} as const;

function showCaches(registry: Registry, memory: ServerMemory): void {
  for (const [figure, help] of Object.entries(cacheFigures) as [keyof typeof cacheFigures, string][])
    new Gauge({
      name: `modshelf_cache_${figure}`,
      help,
      labelNames: ["cache"],
      registers: [registry],
      collect() {
        for (const cache of memory.listCaches()) this.set({ cache: cache.name }, cache[figure]);
      },
    });
}
