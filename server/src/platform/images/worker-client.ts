// Runs the picture decoding process (worker.ts): one picture at a time; a failure of the process is a result.

import { ownModule } from "#lib/own-files.js";
import { Busy } from "#lib/queue.js";
import { type ChildWorker, openChildWorker } from "#platform/processes/child-worker.js";
import type { Answer, Job } from "./worker.js";

export interface WorkerClientOptions {
  /** CPU time for one job. */
  jobMs?: number;
  /**
   * How many jobs may wait or run at once; further ones are rejected with Busy, which says nothing about the picture.
   */
  maxUnanswered?: number;
  /** When an idle process is ended. */
  idleMs?: number;
}

export type WorkerClient = ChildWorker<Job, Answer>;

export function openWorkerClient({
  jobMs = 5_000,
  maxUnanswered = 32,
  ...idle
}: WorkerClientOptions = {}): WorkerClient {
  return openChildWorker<Job, Answer>({
    file: ownModule("platform/images/worker"),
    name: "The picture decoder",
    jobMs,
    maxUnanswered,
    ...idle,
    nodeOptions: ["--max-old-space-size=128"],
    // Without these settings of glibc, the decoder would hardly return memory to the system.
    env: { MALLOC_ARENA_MAX: "2", MALLOC_TRIM_THRESHOLD_: "65536", MALLOC_MMAP_THRESHOLD_: "65536" },
    onLate: () => ({ refused: "tooExpensive" }),
    onDeath: () => ({ refused: "broken" }),
    onFull: () => {
      throw new Busy();
    },
  });
}
