// Consumers of the change log that write rows: search index, notifications, webhook deliveries, counters. The cursor of
// a consumer moves in the transaction that does the work, so that every change is processed exactly once, by one node,
// also after a crash.
import { setTimeout as pause } from "node:timers/promises";
import { lockRows, together } from "#platform/db/dialect.js";
import type { Db } from "#platform/db/tables.js";
import { type Change, type ChangeKind, changeColumns, toChange } from "./change-log.js";
import { perServer } from "./server-memory.js";
import { type Tx, type Writing, write } from "./write.js";

export interface Consumer {
  /** The name of its cursor; never changed once released. */
  readonly name: string;
  readonly kinds: ReadonlySet<ChangeKind>;
  /** Processes some changes of these kinds, in order. The cursor shares the transaction: keep it short. */
  consume(tx: Tx, changes: readonly Change[]): Promise<void>;
}

const batchSize = 500;

/** How far a consumer is, as far as this server knows. */
class Progress {
  /** There may be unprocessed changes; true at first, because that is unknown. */
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

  /** Resolves when all changes that this server had received before the call are processed. */
  async catchUp(): Promise<void> {
    // The current run may have begun before the last change.
    await this.#running?.catch(() => undefined);
    if (this.isBehind)
      this.#running ??= this.#workOff().finally(() => {
        this.#running = undefined;
      });
    // A concurrent caller may have started it.
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
    const rows = await lockNextChanges(tx.db, name);
    const last = rows.at(-1);
    if (!last) return false;
    const wanted = rows.map(toChange).filter(({ kind }) => kinds.has(kind));
    if (wanted.length > 0) await consumer.consume(tx, wanted);
    tx.atEnd(tx.db.updateTable("feed_cursors").set({ seq: last.seq }).where("name", "=", name));
    return rows.length === batchSize;
  });

/** Waits while another node works off the changes of the consumer. */
export async function lockCursor(db: Db, name: string): Promise<void> {
  if (await cursorOf(db, name).modifyEnd(lockRows(db)).executeTakeFirst()) return;
  await db
    .insertInto("feed_cursors")
    .values({ name, seq: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await cursorOf(db, name).modifyEnd(lockRows(db)).execute();
}

const cursorOf = (db: Db, name: string) => db.selectFrom("feed_cursors").select("seq").where("name", "=", name);

async function lockNextChanges(db: Db, name: string) {
  const next = db
    .selectFrom("changes")
    .select(changeColumns)
    .where("seq", ">", cursorOf(db, name))
    .orderBy("seq")
    .limit(batchSize);
  const [locked, changes] = await together(db, [cursorOf(db, name).modifyEnd(lockRows(db)), next]);
  if (locked.rows.length > 0) return changes.rows;
  await lockCursor(db, name);
  return next.execute();
}

const progressesOf = perServer((_to: Writing) => new Map<string, Progress>());

function progressOf(to: Writing, consumer: Consumer): Progress {
  const ofServer = progressesOf(to);
  const progress = ofServer.get(consumer.name) ?? new Progress(to, consumer);
  ofServer.set(consumer.name, progress);
  return progress;
}

/**
 * For requests whose answer must include every change that this server has made or received. Cheap if there is none.
 */
export const catchUp = (to: Writing, consumer: Consumer): Promise<void> => progressOf(to, consumer).catchUp();

interface ConsumerLog {
  error(detail: object, message: string): void;
}

const longestPauseMs = 60_000;
/**
 * The first change is processed at once, those that follow within this time together: a batch of one change costs almost
 * as much as a batch of many.
 */
export const restMs = 250;

/** Keeps a consumer up to date in the background until it is stopped. */
export function keepConsuming(to: Writing & { log: ConsumerLog }, consumer: Consumer): () => Promise<void> {
  const progress = progressOf(to, consumer);
  const stopping = new AbortController();
  let wake = Promise.withResolvers<void>();
  progress.onNews = () => wake.resolve();
  stopping.signal.addEventListener("abort", () => wake.resolve());
  const rest = (ms: number) => pause(ms, undefined, { signal: stopping.signal }).catch(() => undefined);
  const run = async () => {
    let pauseMs = 500;
    while (!stopping.signal.aborted) {
      wake = Promise.withResolvers<void>();
      try {
        await progress.catchUp();
        pauseMs = 500;
        await rest(restMs);
        if (!stopping.signal.aborted) await wake.promise;
      } catch (error) {
        to.log.error(
          { err: error, consumer: consumer.name },
          "The changes could not be processed; they will be tried again",
        );
        await rest(pauseMs);
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
