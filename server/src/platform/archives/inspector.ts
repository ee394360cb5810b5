// Inspects uploaded archives in child processes (worker.ts), so that no archive can slow, fill or end the server.

import { ownModule } from "#lib/own-files.js";
import { Busy } from "#lib/queue.js";
import { openChildWorker } from "#platform/processes/child-worker.js";
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

const unseen: InspectedArchive = { ok: true, isContentSeen: false, entries: 0, inflatedBytes: 0, nested: [] };

export function openArchiveInspector(options: ArchiveInspectorOptions = {}): ArchiveInspector {
  const { jobMs = 10_000, processes = 2, maxUnanswered = 64 } = options;
  const workers = Array.from({ length: processes }, () =>
    openChildWorker<Job, Answer>({
      file: ownModule("platform/archives/worker"),
      name: "The archive inspector",
      jobMs,
      maxUnanswered: Math.ceil(maxUnanswered / processes),
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

  async function run(job: Job): Promise<Result> {
    const worker = workers.reduce((least, one) => (one.countUnanswered() < least.countUnanswered() ? one : least));
    const answer = await worker.run(job);
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

function toRefusal(reason: ArchiveProblem): Answer {
  return { result: toInspection(new ArchiveRefused(reason)) };
}
