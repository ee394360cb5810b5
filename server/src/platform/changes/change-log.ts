// The change log: every write appends its changes (write.ts), and code that derives data from rows subscribes to them.
// The log is read after each commit of this process, after a notification about a commit elsewhere, and on a slow timer
// in case a notification was lost. Listeners get each change once, in order.
import { fromJson } from "#lib/json.js";
import { Rounds } from "#lib/rounds.js";
import type { Database } from "#platform/db/open.js";
import type { Row } from "#platform/db/tables.js";

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
  /** The only versions of a project that may look different now. Undefined: all of them may. */
  versions?: readonly string[] | undefined;
  /** These versions are new, and all others are as they were. */
  areAdded?: boolean;
}

/** The columns that a change is made of. */
export const changeColumns = ["seq", "kind", "object_id", "versions", "added"] as const;

export const toChange = (row: Pick<Row<"changes">, (typeof changeColumns)[number]>): Change => ({
  ...{ seq: row.seq, kind: row.kind as ChangeKind, id: row.object_id },
  versions: row.versions === null ? undefined : fromJson(row.versions),
  areAdded: row.added === 1,
});

/** If it returns a promise, readers of the log wait for it: its effect is part of having caught up. */
type Listener = (change: Change) => unknown;

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
  readonly #rounds = new Rounds(() => this.#read());
  readonly #catchUpOthers: () => Promise<void>;
  #position = 0;
  #following = false;
  #isBehind = false;
  #stopWatching: (() => Promise<void>) | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** `catchUpOthers` makes the other processes of this server read the log. */
  constructor(database: Database, log: FeedLog, catchUpOthers = async () => {}) {
    this.#database = database;
    this.#log = log;
    this.#catchUpOthers = catchUpOthers;
  }

  /** The position of the last change that the listeners got. */
  get position(): number {
    return this.#position;
  }

  /** Listeners get nothing before the start and after the stop, so nothing may be cached then. */
  get isFollowing(): boolean {
    return this.#following && !this.#isBehind;
  }

  /** An acknowledged write is known to be missing here, because the log could not be read. */
  get isBehind(): boolean {
    return this.#isBehind;
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

  /** For a commit elsewhere that may not have been acknowledged yet: a failure only delays its effect. */
  async announce(): Promise<void> {
    try {
      await this.catchUp();
    } catch (error) {
      this.#log.warn({ err: error }, "The change log could not be read; it will be read again");
    }
  }

  /**
   * For a commit that is about to be acknowledged: a failure to read does not undo it. Until the log was read, nothing is
   * taken from memory, and requests wait (platform/http/mount.ts).
   */
  async mustCatchUp(): Promise<void> {
    try {
      await this.catchUp();
    } catch (error) {
      this.#isBehind = true;
      this.#log.warn({ err: error }, "The change log could not be read; it will be read again");
    }
  }

  /** Called after a commit, before it is acknowledged: all processes of this server have got the changes then. */
  async publish(): Promise<void> {
    await Promise.all([this.mustCatchUp(), this.#catchUpOthers()]);
  }

  /** Resolves when the listeners have got everything that was committed before this call. */
  async catchUp(): Promise<void> {
    if (this.#following) await this.#rounds.next();
  }

  async #read(): Promise<void> {
    for (;;) {
      const rows = await this.#database.db
        .selectFrom("changes")
        .select(changeColumns)
        .where("seq", ">", this.#position)
        .orderBy("seq")
        .limit(batchSize)
        .execute();
      const effects: Promise<unknown>[] = [];
      for (const row of rows) {
        this.#position = row.seq;
        this.#tell(toChange(row), effects);
      }
      if (effects.length > 0) await Promise.all(effects);
      if (rows.length < batchSize) break;
    }
    this.#isBehind = false;
  }

  #tell(change: Change, effects: Promise<unknown>[]): void {
    const note = (error: unknown) =>
      // A failing listener must not stop the others.
      this.#log.warn({ err: error, change }, "A listener of the change log failed");
    for (const listener of this.#listeners) {
      try {
        const effect = listener(change);
        if (effect instanceof Promise) effects.push(effect.catch(note));
      } catch (error) {
        note(error);
      }
    }
  }

  async stop(): Promise<void> {
    this.#following = false;
    clearInterval(this.#timer);
    await this.#stopWatching?.();
    await this.#rounds.running?.catch(() => undefined);
  }
}
