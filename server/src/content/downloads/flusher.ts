// Counts every few seconds what a server has collected in memory, in one run at a time. A run that fails is tried again.
import type { Resources } from "#platform/http/resources.js";

/** A crash loses at most this much. */
const flushMs = 3000;

export class Flusher {
  readonly #resources: Resources;
  readonly #name: string;
  readonly #countAll: () => Promise<void>;
  #running: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** `name` is for the log: "Downloads". */
  constructor(resources: Resources, name: string, countAll: () => Promise<void>) {
    this.#resources = resources;
    this.#name = name;
    this.#countAll = countAll;
  }

  start(): void {
    this.#timer = setInterval(() => void this.tryFlush(), flushMs);
    this.#timer.unref();
  }

  async tryFlush(): Promise<void> {
    try {
      await this.flush();
    } catch (error) {
      this.#resources.log.warn({ err: error }, `${this.#name} could not be counted yet; they are kept for another try`);
    }
  }

  /** When this resolves, everything collected before the call is counted. */
  async flush(): Promise<void> {
    while (this.#running) await this.#running;
    this.#running = this.#countAll().finally(() => {
      this.#running = undefined;
    });
    await this.#running;
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }
}
