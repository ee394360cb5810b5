// Inspects uploaded archives in child processes (worker.ts), so that no archive can slow, fill or end the server.

import { ownModule } from "#lib/own-files.js";
import { Busy, Queue } from "#lib/queue.js";
import { type ChildWorker, openChildWorker } from "#platform/processes/child-worker.js";
import type { ComparedArchive, Comparison } from "./compare.js";
import type { EntryComparison } from "./compare-entry.js";
import { type FileType, isArchiveType } from "./file-types.js";
import {
  type InspectedArchive,
  type Inspection,
  type RefusedArchive,
  toInspection,
  type Wishes,
} from "./inspection.js";
import type { ArchiveLimits } from "./limits.js";
import { type ArchiveProblem, ArchiveRefused } from "./problems.js";
import type { WatchList } from "./watched-contents.js";
import type { Answer, Job, Result } from "./worker.js";

export interface ArchiveInspectorOptions {
  /** CPU time for one archive. */
  jobMs?: number;
  /** How many archives are inspected at once. */
  processes?: number;
  /** How many archives may wait or run at once; further ones are refused as busy. */
  maxUnanswered?: number;
}

export interface ArchiveInspector {
  /**
   * An invalid archive is a result, not an error; files that are not archives are not inspected. Rejects only if the
   * inspection cannot take place: too many are waiting (Busy), or the file cannot be read.
   */
  inspect(
    path: string,
    type: FileType,
    limits?: Partial<ArchiveLimits>,
    watchList?: WatchList,
    wishes?: Wishes,
  ): Promise<Inspection>;
  /** Two archives that were accepted before. Refused if one of them cannot be read within the limits. */
  compare(before: ComparedArchive, after: ComparedArchive): Promise<Comparison | RefusedArchive>;
  /** One file of both archives, by its path. */
  compareEntry(
    before: ComparedArchive,
    after: ComparedArchive,
    entry: string,
  ): Promise<EntryComparison | RefusedArchive>;
  listPids(): number[];
  /** Ends the processes at once; unfinished inspections are rejected. */
  close(): Promise<void>;
}

/**
 * A further process takes 55 MB and a tenth of a second of CPU time to start, and most archives take a few milliseconds:
 * so a job first waits this long for one that runs.
 */
const patienceMs = 250;

const unseen: InspectedArchive = { ok: true, isContentSeen: false, entries: 0, inflatedBytes: 0, nested: [] };

export function openArchiveInspector(options: ArchiveInspectorOptions = {}): ArchiveInspector {
  const { jobMs = 10_000, processes = 2, maxUnanswered = 64 } = options;
  const workers = Array.from({ length: processes }, () =>
    openChildWorker<Job, Answer>({
      file: ownModule("platform/archives/worker"),
      name: "The archive inspector",
      jobMs,
      maxUnanswered: 1,
      // A small young generation, because buffers that wait for its collection take most of the memory.
      nodeOptions: ["--max-old-space-size=96", "--max-semi-space-size=1"],
      env: { MALLOC_ARENA_MAX: "2" },
      onLate: () => toRefusal("tookTooLong"),
      onDeath: () => toRefusal("inspectionFailed"),
      onFull: () => {
        throw new Busy();
      },
    }),
  );
  /** Each process gets one job at a time: one that waits is given to the first that is free. */
  const places = new Queue(processes, maxUnanswered - processes);

  async function perform(job: Job): Promise<Answer> {
    const busy = workers.filter((worker) => worker.countUnanswered() > 0);
    if (busy.length > 0 && !workers.some(isReady)) await oneIdle(busy);
    // Nothing is awaited between the choice and the start of the job, so that no other job is given to the same process.
    return (workers.find(isReady) ?? workers.find((worker) => worker.countUnanswered() === 0)!).run(job);
  }

  async function run(job: Job): Promise<Result> {
    const answer = await places.run(() => perform(job));
    if ("problem" in answer) throw new Error(`The archive cannot be inspected: ${answer.problem}`);
    return answer.result;
  }

  return {
    async inspect(path, type, limits = {}, watchList, wishes) {
      if (!isArchiveType(type)) return { ...unseen, nested: [] };
      return (await run({ path, type, limits, watchList, wishes })) as Inspection;
    },
    async compare(before, after) {
      return (await run({ before, after })) as Comparison | RefusedArchive;
    },
    async compareEntry(before, after, entry) {
      return (await run({ before, after, entry })) as EntryComparison | RefusedArchive;
    },
    listPids: () => workers.flatMap((worker) => worker.findPid() ?? []),
    async close() {
      await Promise.all(workers.map((worker) => worker.close()));
    },
  };
}

/** It runs, and has no job. */
const isReady = (worker: ChildWorker<Job, Answer>): boolean =>
  worker.findPid() !== undefined && worker.countUnanswered() === 0;

/** Resolves when one of them has finished its job, or when that takes too long. */
async function oneIdle(busy: readonly ChildWorker<Job, Answer>[]): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, patienceMs);
  await Promise.race([promise, ...busy.map((worker) => worker.idle())]);
  clearTimeout(timer);
}

function toRefusal(reason: ArchiveProblem): Answer {
  return { result: toInspection(new ArchiveRefused(reason)) };
}
