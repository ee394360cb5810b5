// The child process that inspects and compares uploaded archives, so that a hostile archive can harm only this process.
import { serveJobs } from "#platform/processes/worker-process.js";
import { type ComparedArchive, type Comparison, compareArchives } from "./compare.js";
import { compareEntry, type EntryComparison } from "./compare-entry.js";
import type { ArchiveType } from "./file-types.js";
import { type Inspection, inspectFile, toInspection, type Wishes } from "./inspection.js";
import type { ArchiveLimits } from "./limits.js";
import { ArchiveRefused } from "./problems.js";
import type { WatchList } from "./watched-contents.js";

export type Job = InspectionJob | ComparisonJob;

type InspectionJob = {
  path: string;
  type: ArchiveType;
  limits: Partial<ArchiveLimits>;
  watchList?: WatchList | undefined;
  wishes?: Wishes | undefined;
};
/** Compares two archives, or one file of them. */
type ComparisonJob = { before: ComparedArchive; after: ComparedArchive; entry?: string | undefined };

/** A problem is an error of the server, such as a file that cannot be read. */
export type Answer = { result: Result } | { problem: string };
/** The answer to each kind of job; a refused archive is one too. */
export type Result = Inspection | Comparison | EntryComparison;

const MiB = 1024 * 1024;
// The process starts with about 50 MiB.
const maxBytes = 128 * MiB;

async function answerTo(job: Job): Promise<Answer> {
  try {
    if ("path" in job) {
      return { result: await inspectFile(job.path, job.type, job.limits, job.watchList, job.wishes) };
    }
    const { before, after, entry } = job;
    if (entry === undefined) return { result: await compareArchives(before, after) };
    return { result: await compareEntry(before, after, entry) };
  } catch (error) {
    return error instanceof ArchiveRefused ? { result: toInspection(error) } : { problem: String(error) };
  }
}

serveJobs<Job, Answer>(answerTo, {
  maxBytes,
  spentBytes: maxBytes - 16 * MiB,
  onTooMuch: { result: toInspection(new ArchiveRefused("tooMuchMemory")) },
});
