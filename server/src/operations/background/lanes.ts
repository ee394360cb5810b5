// The workers of a server. Most jobs are done one after the other; those that wait for strangers or take hours have lanes
// of their own, so that they keep no mail and no housekeeping waiting.
import type { Resources } from "#platform/http/resources.js";
import { JobWorker } from "#platform/jobs/worker.js";
import { handlers, schedule } from "./handlers.js";

/** How many webhooks are being delivered at once by one server. */
const outboundLanes = 4;

export class JobLanes {
  readonly #workers: readonly JobWorker[];

  constructor(resources: Resources) {
    const { "deliver-webhook": deliverWebhook, "verify-everything": verifyEverything, ...ordinary } = handlers;
    const outbound = () => new JobWorker(resources, { "deliver-webhook": deliverWebhook });
    const slow = new JobWorker(resources, { "verify-everything": verifyEverything });
    this.#workers = [
      new JobWorker(resources, ordinary, schedule),
      slow,
      ...Array.from({ length: outboundLanes }, outbound),
    ];
  }

  start(): void {
    for (const worker of this.#workers) worker.start();
  }

  /** Resolves when nothing is due any more. */
  async settle(): Promise<void> {
    // What one lane enqueues at its end may be taken by another that had nothing left to do.
    do await Promise.all(this.#workers.map((worker) => worker.settle()));
    while (!this.#workers.every((worker) => worker.isIdle));
  }

  /** Lets the running jobs end, at most so long. */
  async stop(graceMs?: number): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.stop(graceMs)));
  }
}
