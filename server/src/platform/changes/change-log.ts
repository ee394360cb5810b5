// The change log: every write appends its changes (write.ts), and code that derives data from rows subscribes to them.
// The log is read after each commit of this process, after a notification about a commit elsewhere, and on a slow timer
// in case a notification was lost. Listeners get each change once, in order.
import type { Database } from "#platform/db/open.js";

export type ChangeKind =
  | "user"
  | "session"
  | "token"
  | "taxonomy"
  | "setting"
  | "team"
  | "organization"
  | "project"
  | "version"
  | "file"
  | "collection"
  | "denied-hash"
  | "event"
  | "public"
  | "search"
  | "figures"
  | "job";

export interface Change {
  seq: number;
  kind: ChangeKind;
  id: string;
}

type Listener = (change: Change) => void;

interface FeedLog {
  warn(detail: object, message: string): void;
}

const batchSize = 1000;
/** Bounds how stale a node can be if every notification is lost (reliability N-5 allows 5 s). */
const pollMs = 2000;

export class ChangeLog {
  readonly #database: Database;
  readonly #log: FeedLog;
  readonly #listeners = new Set<Listener>();
  #position = 0;
  #following = false;
  #running: Promise<void> | undefined;
  #queued: Promise<void> | undefined;
  #stopWatching: (() => Promise<void>) | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(database: Database, log: FeedLog) {
    this.#database = database;
    this.#log = log;
  }

  /** The position of the last change that the listeners got. */
  get position(): number {
    return this.#position;
  }

  /** Listeners get nothing before the start and after the stop, so nothing may be cached then. */
  get isFollowing(): boolean {
    return this.#following;
  }

  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Starts at the current end: earlier changes are already in the rows that listeners read. */
  async start({ notifications = true, poll = true } = {}): Promise<void> {
    const last = await this.#database.db
      .selectFrom("changes")
      .select("seq")
      .orderBy("seq", "desc")
      .limit(1)
      .executeTakeFirst();
    this.#position = last?.seq ?? 0;
    this.#following = true;
    const hear = () => void this.announce();
    if (notifications)
      this.#stopWatching = await this.#database.watch(hear, (error) =>
        this.#log.warn(
          { err: error },
          "The connection that listens for changes was lost; the log is polled until it is restored",
        ),
      );
    if (poll) this.#timer = setInterval(hear, pollMs).unref();
    // Changes that were committed after the first statement and before the watch began.
    await this.announce();
  }

  /**
   * As catchUp, for use after a commit: a failure to read does not undo the commit, and the next read finds the missed
   * changes.
   */
  async announce(): Promise<void> {
    try {
      await this.catchUp();
    } catch (error) {
      this.#log.warn({ err: error }, "The change log could not be read; it will be read again");
    }
  }

  /** Resolves when the listeners have got everything that was committed before this call. */
  async catchUp(): Promise<void> {
    if (!this.#following) return;
    if (!this.#running) {
      this.#running = this.#read().finally(() => {
        this.#running = undefined;
      });
      return this.#running;
    }
    // The current read may have begun before our commit; the next one cannot have.
    this.#queued ??= this.#running
      .catch(() => undefined)
      .then(() => {
        this.#queued = undefined;
        return this.catchUp();
      });
    return this.#queued;
  }

  async #read(): Promise<void> {
    for (;;) {
      const rows = await this.#database.db
        .selectFrom("changes")
        .select(["seq", "kind", "object_id"])
        .where("seq", ">", this.#position)
        .orderBy("seq")
        .limit(batchSize)
        .execute();
      for (const row of rows) {
        this.#position = row.seq;
        this.#tell({ seq: row.seq, kind: row.kind as ChangeKind, id: row.object_id });
      }
      if (rows.length < batchSize) return;
    }
  }

  #tell(change: Change): void {
    for (const listener of this.#listeners) {
      try {
        listener(change);
      } catch (error) {
        // A failing listener must not stop the others.
        this.#log.warn({ err: error, change }, "A listener of the change log failed");
      }
    }
  }

  async stop(): Promise<void> {
    this.#following = false;
    clearInterval(this.#timer);
    await this.#stopWatching?.();
    await this.#running?.catch(() => undefined);
  }
}
