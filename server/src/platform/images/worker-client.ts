// Runs the picture decoding process (worker.ts): one picture at a time, and what a picture does to it is an answer.

import { ownModule } from "#lib/own-files.js";
import { Busy } from "#lib/queue.js";
import { type ChildWorker, openChildWorker } from "#platform/processes/child-worker.js";
import type { Answer, Job } from "./worker.js";

export interface WorkerClientOptions {
  /** CPU time for one job. */
  jobMs?: number;
  /** Jobs that may be unanswered at once; one more is rejected with Busy, which is no statement about the picture. */
  maxUnanswered?: number;
}

export type WorkerClient = ChildWorker<Job, Answer>;

export function openWorkerClient({ jobMs = 5_000, maxUnanswered = 32 }: WorkerClientOptions = {}): WorkerClient {
  return openChildWorker<Job, Answer>({
    file: ownModule("platform/images/worker"),
    name: "The picture decoder",
    jobMs,
    maxUnanswered,
    nodeOptions: ["--max-old-space-size=128"],
    // Without these settings of glibc, the decoder would hardly give memory back.
    env: { MALLOC_ARENA_MAX: "2", MALLOC_TRIM_THRESHOLD_: "65536", MALLOC_MMAP_THRESHOLD_: "65536" },
    onLate: () => ({ refused: "tooExpensive" }),
    onDeath: () => ({ refused: "broken" }),
    onFull: () => {
      throw new Busy();
    },
  });
}
