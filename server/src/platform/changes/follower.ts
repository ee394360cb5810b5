// Followers of the change feed that write: they make rows out of what changed (search index, notifications, webhook
// deliveries, counters). Each has a cursor that moves in the transaction that does the work, so that every change is
// worked off exactly once, by one node, whatever dies in between.
import { setTimeout as pause } from "node:timers/promises";
import { lockRows } from "#platform/db/dialect.js";
import type { Change, ChangeFeed, ChangeKind } from "./feed.js";
import { type Tx, type Writing, write } from "./write.js";

export interface Follower {
  /** Of its cursor; never changed once released. */
  readonly name: string;
  readonly kinds: ReadonlySet<ChangeKind>;
  /** Works off some changes of these kinds, in order. The transaction is shared with the cursor: keep it short. */
  follow(tx: Tx, changes: readonly Change[]): Promise<void>;
}

const batchSize = 500;

/** What this server knows of how far one follower is. */
class Progress {
  /** Something may wait: at first, because nobody knows. */
  isBehind = true;
  onNews: (() => void) | undefined;
  readonly #to: Writing;
  readonly #follower: Follower;
  #running: Promise<void> | undefined;

  constructor(to: Writing, follower: Follower) {
    this.#to = to;
    this.#follower = follower;
    to.feed.subscribe((change) => {
      if (!follower.kinds.has(change.kind)) return;
      this.isBehind = true;
      this.onNews?.();
    });
  }

  /** Resolves when everything that this server had heard of before the call is worked off. */
  async catchUp(): Promise<void> {
    // What runs may have begun before the last news.
    await this.#running?.catch(() => undefined);
    if (this.isBehind)
      this.#running ??= this.#workOff().finally(() => {
        this.#running = undefined;
      });
    // Whoever asked at the same time may have begun it.
    await this.#running;
  }

  async #workOff(): Promise<void> {
    this.isBehind = false;
    try {
      while (await workOffBatch(this.#to, this.#follower));
    } catch (error) {
      this.isBehind = true;
      throw error;
    }
  }
}

/** Returns whether there may be more. */
const workOffBatch = (to: Writing, follower: Follower): Promise<boolean> =>
  write(to, { credential: `follower:${follower.name}` }, async (tx) => {
    const { name, kinds } = follower;
    await tx.db
      .insertInto("feed_cursors")
      .values({ name, seq: 0 })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const cursor = await tx.db
      .selectFrom("feed_cursors")
      .select("seq")
      .where("name", "=", name)
      .modifyEnd(lockRows(tx.db))
      .executeTakeFirstOrThrow();
    const rows = await tx.db
      .selectFrom("changes")
      .select(["seq", "kind", "object_id"])
      .where("seq", ">", cursor.seq)
      .orderBy("seq")
      .limit(batchSize)
      .execute();
    const last = rows.at(-1);
    if (!last) return false;
    const changes = rows.map((row) => ({ seq: row.seq, kind: row.kind as ChangeKind, id: row.object_id }));
    const wanted = changes.filter(({ kind }) => kinds.has(kind));
    if (wanted.length > 0) await follower.follow(tx, wanted);
    await tx.db.updateTable("feed_cursors").set({ seq: last.seq }).where("name", "=", name).execute();
    return rows.length === batchSize;
  });

const known = new WeakMap<ChangeFeed, Map<string, Progress>>();

function progressOf(to: Writing, follower: Follower): Progress {
  const ofServer = known.get(to.feed) ?? new Map<string, Progress>();
  known.set(to.feed, ofServer);
  const progress = ofServer.get(follower.name) ?? new Progress(to, follower);
  ofServer.set(follower.name, progress);
  return progress;
}

/** For a request whose answer must know of every change that this server has made or heard of. Cheap when there is none. */
export const catchUp = (to: Writing, follower: Follower): Promise<void> => progressOf(to, follower).catchUp();

interface FollowingLog {
  error(detail: object, message: string): void;
}

const longestPauseMs = 60_000;

/** Keeps a follower up to date in the background until it is told to stop. */
export function keepFollowing(to: Writing & { log: FollowingLog }, follower: Follower): () => Promise<void> {
  const progress = progressOf(to, follower);
  const stopping = new AbortController();
  let wake = Promise.withResolvers<void>();
  progress.onNews = () => wake.resolve();
  stopping.signal.addEventListener("abort", () => wake.resolve());
  const run = async () => {
    let pauseMs = 500;
    while (!stopping.signal.aborted) {
      wake = Promise.withResolvers<void>();
      try {
        await progress.catchUp();
        pauseMs = 500;
        if (!stopping.signal.aborted) await wake.promise;
      } catch (error) {
        to.log.error({ err: error, follower: follower.name }, "Changes cannot be worked off; trying again");
        await pause(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
        pauseMs = Math.min(pauseMs * 2, longestPauseMs);
      }
    }
  };
  const running = run();
  return async () => {
    stopping.abort();
    progress.onNews = undefined;
    await running;
  };
}
