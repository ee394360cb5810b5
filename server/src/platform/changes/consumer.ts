// Consumers of the change log that write rows: search index, notifications, webhook deliveries, counters. The cursor of
// a consumer moves in the transaction that does the work, so that every change is processed exactly once, by one node,
// also after a crash.
import { setTimeout as pause } from "node:timers/promises";
import { type Expression, sql } from "kysely";
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
/** Consumers share a transaction for at most so many changes, so that it stays short. */
const fewChanges = 50;

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

  /**
   * Resolves when all changes that this server had received before the call are processed. Any of `others` that is behind
   * may be brought up to date in the same transaction.
   */
  async catchUp(others: readonly Progress[]): Promise<void> {
    // The current run may have begun before the last change.
    await this.#running?.catch(() => undefined);
    if (this.isBehind) this.#running ??= this.#ending(this.#workOff(others));
    // A concurrent caller may have started it.
    await this.#running;
  }

  #ending = (run: Promise<void>): Promise<void> =>
    run.finally(() => {
      this.#running = undefined;
    });

  async #workOff(others: readonly Progress[]): Promise<void> {
    const behind = others.filter((other) => other !== this && other.isBehind && !other.#running);
    if (behind.length > 0) {
      const all = [this, ...behind];
      for (const each of all) each.isBehind = false;
      // After a failure each of them tries alone, so that only those that fail are delayed, and report it.
      const shared = workOffTogether(
        this.#to,
        all.map((each) => each.#consumer),
      ).catch(() => false);
      for (const each of behind) each.#join(shared);
      if (await shared) return;
    }
    await this.#workOffAlone();
  }

  #join(shared: Promise<boolean>): void {
    this.#running = this.#ending(shared.then((isDone) => (isDone ? undefined : this.#workOffAlone())));
    // If it fails, it is behind again, and the next call reports it.
    this.#running.catch(() => undefined);
  }

  async #workOffAlone(): Promise<void> {
    this.isBehind = false;
    try {
      while (await workOffBatch(this.#to, this.#consumer));
    } catch (error) {
      this.isBehind = true;
      throw error;
    }
  }
}

/**
 * Returns false if nothing was done: there are many changes, or a consumer has no cursor yet. The cursors are locked in the
 * order of their names.
 */
const workOffTogether = (to: Writing, consumers: readonly Consumer[]): Promise<boolean> =>
  write(to, { credential: "consumers" }, async (tx) => {
    const names = consumers.map(({ name }) => name);
    const cursors = tx.db.selectFrom("feed_cursors").where("name", "in", names);
    const [locked, next] = await together(tx.db, [
      cursors.select(["name", "seq"]).orderBy("name").modifyEnd(lockRows(tx.db)),
      changesAfter(
        tx.db,
        cursors.select((seq) => seq.fn.min<number>("seq").as("seq")),
        fewChanges + 1,
      ),
    ]);
    if (locked.rows.length < names.length || next.rows.length > fewChanges) return false;
    const last = next.rows.at(-1);
    if (!last) return true;
    const positions = new Map(locked.rows.map(({ name, seq }) => [name, seq]));
    const changes = next.rows.map(toChange);
    for (const consumer of consumers) {
      const position = positions.get(consumer.name)!;
      const wanted = changes.filter(({ kind, seq }) => consumer.kinds.has(kind) && seq > position);
      if (wanted.length > 0) await consumer.consume(tx, wanted);
    }
    tx.atEnd(
      tx.db.updateTable("feed_cursors").set({ seq: last.seq }).where("name", "in", names).where("seq", "<", last.seq),
    );
    return true;
  });

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

/** Waits while another node works off changes for the consumer. Returns the number of the last change that was processed. */
export async function lockCursor(db: Db, name: string): Promise<number> {
  const locked = cursorOf(db, name).modifyEnd(lockRows(db));
  const found = await locked.executeTakeFirst();
  if (found) return found.seq;
  await db
    .insertInto("feed_cursors")
    .values({ name, seq: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (await locked.executeTakeFirstOrThrow()).seq;
}

/** The number of the last change that the consumer has processed. */
export async function readCursor(db: Db, name: string): Promise<number> {
  return (await cursorOf(db, name).executeTakeFirst())?.seq ?? 0;
}

const cursorOf = (db: Db, name: string) => db.selectFrom("feed_cursors").select("seq").where("name", "=", name);

const changesAfter = (db: Db, position: Expression<{ seq: number }>, most: number) =>
  db
    .selectFrom("changes")
    .select(changeColumns)
    .where("seq", ">", sql<number>`(${position})`)
    .orderBy("seq")
    .limit(most);

async function lockNextChanges(db: Db, name: string) {
  const next = changesAfter(db, cursorOf(db, name), batchSize);
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
 * For requests whose answer must include every change that this server has made or received. Cheap if there is none. With
 * `others`, those of them that are behind may share its transaction.
 */
export const catchUp = (to: Writing, consumer: Consumer, others: readonly Consumer[] = []): Promise<void> =>
  progressOf(to, consumer).catchUp(others.map((other) => progressOf(to, other)));

interface ConsumerLog {
  error(detail: object, message: string): void;
}

const longestPauseMs = 60_000;
/**
 * The first change is processed at once, those that follow within this time together: a batch of one change costs almost
 * as much as a batch of many.
 */
export const restMs = 250;

/** Keeps a consumer up to date in the background until it is stopped. It may share transactions with `others`. */
export function keepConsuming(
  to: Writing & { log: ConsumerLog },
  consumer: Consumer,
  others: readonly Consumer[] = [],
): () => Promise<void> {
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
        await catchUp(to, consumer, others);
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
