// The workers of a server. Most jobs run one after the other; jobs that wait for other servers or take hours have
// separate lanes, so that they do not delay mails and housekeeping.
import type { Resources } from "#platform/http/resources.js";
import { JobWorker } from "#platform/jobs/worker.js";
import { handlers, schedule } from "./handlers.js";

/** How many webhooks one server delivers in parallel. */
const outboundLanes = 4;

export class JobLanes {
  readonly #workers: readonly JobWorker[];

  constructor(resources: Resources) {
    const {
      "deliver-webhook": deliverWebhook,
      "verify-everything": verifyEverything,
      "make-backup": backUp,
      "scan-files": scanFiles,
      "scan-everything": scanEverything,
      "sweep-backups": sweepBackups,
      ...ordinary
    } = handlers;
    const outbound = () => new JobWorker(resources, { "deliver-webhook": deliverWebhook });
    const slow = new JobWorker(resources, {
      "verify-everything": verifyEverything,
      "scan-everything": scanEverything,
    });
    const backups = new JobWorker(resources, { "make-backup": backUp, "sweep-backups": sweepBackups });
    const scans = new JobWorker(resources, { "scan-files": scanFiles });
    this.#workers = [
      new JobWorker(resources, ordinary, schedule),
      slow,
      backups,
      scans,
      ...Array.from({ length: outboundLanes }, outbound),
    ];
  }

  start(): void {
    for (const worker of this.#workers) worker.start();
  }

  /** Resolves when nothing is due. */
  async settle(): Promise<void> {
    // A job that one lane enqueues at its end may be taken by another, idle lane.
    do await Promise.all(this.#workers.map((worker) => worker.settle()));
    while (!this.#workers.every((worker) => worker.isIdle));
  }

  /** Lets running jobs finish, within this time. */
  async stop(graceMs?: number): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.stop(graceMs)));
  }
}
