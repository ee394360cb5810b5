// Consumers of the change log that write: they make rows out of what changed (search index, notifications, webhook
// deliveries, counters). Each has a cursor that moves in the transaction that does the work, so that every change is
// worked off exactly once, by one node, whatever dies in between.
import { setTimeout as pause } from "node:timers/promises";
import { lockRows } from "#platform/db/dialect.js";
import type { Change, ChangeKind, ChangeLog } from "./change-log.js";
import { type Tx, type Writing, write } from "./write.js";

export interface Consumer {
  /** Of its cursor; never changed once released. */
  readonly name: string;
  readonly kinds: ReadonlySet<ChangeKind>;
  /** Works off some changes of these kinds, in order. The transaction is shared with the cursor: keep it short. */
  consume(tx: Tx, changes: readonly Change[]): Promise<void>;
}

const batchSize = 500;

/** What this server knows of how far one consumer is. */
class Progress {
  /** Something may wait: at first, because nobody knows. */
  isBehind = true;
  onNews: (() => void) | undefined;
  readonly #to: Writing;
  readonly #consumer: Consumer;
  #running: Promise<void> | undefined;

  constructor(to: Writing, consumer: Consumer) {
    this.#to = to;
    this.#consumer = consumer;
    to.changeLog.subscribe((change) => {
      if (!consumer.kinds.has(change.kind)) return;
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
      while (await workOffBatch(this.#to, this.#consumer));
    } catch (error) {
      this.isBehind = true;
      throw error;
    }
  }
}

/** Returns whether there may be more. */
const workOffBatch = (to: Writing, consumer: Consumer): Promise<boolean> =>
  write(to, { credential: `consumer:${consumer.name}` }, async (tx) => {
    const { name, kinds } = consumer;
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
    if (wanted.length > 0) await consumer.consume(tx, wanted);
    await tx.db.updateTable("feed_cursors").set({ seq: last.seq }).where("name", "=", name).execute();
    return rows.length === batchSize;
  });

const known = new WeakMap<ChangeLog, Map<string, Progress>>();

function progressOf(to: Writing, consumer: Consumer): Progress {
  const ofServer = known.get(to.changeLog) ?? new Map<string, Progress>();
  known.set(to.changeLog, ofServer);
  const progress = ofServer.get(consumer.name) ?? new Progress(to, consumer);
  ofServer.set(consumer.name, progress);
  return progress;
}

/** For a request whose answer must know of every change that this server has made or heard of. Cheap when there is none. */
export const catchUp = (to: Writing, consumer: Consumer): Promise<void> => progressOf(to, consumer).catchUp();

interface ConsumerLog {
  error(detail: object, message: string): void;
}

const longestPauseMs = 60_000;

/** Keeps a consumer up to date in the background until it is told to stop. */
export function keepConsuming(to: Writing & { log: ConsumerLog }, consumer: Consumer): () => Promise<void> {
  const progress = progressOf(to, consumer);
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
        to.log.error({ err: error, consumer: consumer.name }, "Changes cannot be worked off; trying again");
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
