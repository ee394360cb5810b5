// Whether this server should get traffic: its database and storage worked a moment ago, and it is not stopping. They
// are probed in the background, so that the endpoint is cheap and cannot be used to load the machine.
import { sql } from "kysely";
import type { BlobStore } from "#platform/blobs/store.js";
import type { Database } from "#platform/db/open.js";

/** A failure must be visible within five seconds (reliability O-8). */
const everyMs = 3000;

type State = "ok" | "failing" | "unknown";

export class Readiness {
  #database: State = "unknown";
  #storage: State = "unknown";
  #stopping = false;
  #timer: NodeJS.Timeout | undefined;
  readonly #parts: { database: Database; blobs: BlobStore; onTrouble: (part: string, error: unknown) => void };

  constructor(parts: { database: Database; blobs: BlobStore; onTrouble: (part: string, error: unknown) => void }) {
    this.#parts = parts;
  }

  get isReady(): boolean {
    return !this.#stopping && this.#database === "ok" && this.#storage === "ok";
  }

  get isStopping(): boolean {
    return this.#stopping;
  }

  get components(): Record<string, string> {
    return { database: this.#database, storage: this.#storage, server: this.#stopping ? "stopping" : "ok" };
  }

  async start(): Promise<void> {
    await this.probe();
    this.#timer = setInterval(() => void this.probe(), everyMs);
    this.#timer.unref();
  }

  beginStopping(): void {
    this.#stopping = true;
    clearInterval(this.#timer);
  }

  async probe(): Promise<void> {
    const { database, blobs } = this.#parts;
    [this.#database, this.#storage] = await Promise.all([
      // A write that changes nothing still takes the write lock and needs a database that accepts writes.
      this.#try("database", this.#database, () =>
        sql`update settings set name = name where name = ''`.execute(database.db),
      ),
      this.#try("storage", this.#storage, () => blobs.probe()),
    ]);
  }

  async #try(part: string, before: State, work: () => Promise<unknown>): Promise<State> {
    try {
      await work();
      return "ok";
    } catch (error) {
      if (before !== "failing") this.#parts.onTrouble(part, error);
      return "failing";
    }
  }
}
