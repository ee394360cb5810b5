// The child process that inspects uploaded archives, so that a hostile archive can harm only this process.
import { serveJobs } from "#platform/processes/worker-process.js";
import type { ArchiveType } from "./file-types.js";
import { type Inspection, inspectFile, toInspection, type Wishes } from "./inspection.js";
import type { ArchiveLimits } from "./limits.js";
import { ArchiveRefused } from "./problems.js";
import type { WatchList } from "./watched-contents.js";

export type Job = {
  path: string;
  type: ArchiveType;
  limits: Partial<ArchiveLimits>;
  watchList?: WatchList | undefined;
  wishes?: Wishes | undefined;
};
/** A problem is an error of the server, such as a file that cannot be read. */
export type Answer = { inspection: Inspection } | { problem: string };

const MiB = 1024 * 1024;
// The process starts with about 50 MiB.
const maxBytes = 128 * MiB;

async function answerTo({ path, type, limits, watchList, wishes }: Job): Promise<Answer> {
  try {
    return { inspection: await inspectFile(path, type, limits, watchList, wishes) };
  } catch (error) {
    return { problem: String(error) };
  }
}

serveJobs<Job, Answer>(answerTo, {
  maxBytes,
  spentBytes: maxBytes - 16 * MiB,
  onTooMuch: { inspection: toInspection(new ArchiveRefused("tooMuchMemory")) },
});
