// The end of the public change log in memory: clients that are up to date are answered without a statement.
import type { Kysely } from "kysely";
import type { ChangeLog } from "#platform/changes/change-log.js";
import { type HasMemory, perServer } from "#platform/changes/server-memory.js";
import type { Tables } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import type { PublicChange } from "./contract.js";
import { findForgotten, listLatestPublicChanges, listPublicChanges, toPublicChange } from "./read.js";

const kept = 2000;
const batchSize = 1000;

interface Source extends HasMemory {
  db: Kysely<Tables>;
  changeLog: ChangeLog;
}

export interface Page {
  changes: PublicChange[];
  next: number;
  more: boolean;
}

export class PublicTail {
  readonly #source: Source;
  /** Every change after #from, in order. */
  #changes: PublicChange[] = [];
  #from = 0;
  #last = 0;
  #isLoaded = false;
  #isStale = true;
  #loading: Promise<void> | undefined;
  readonly #listeners = new Set<() => void>();

  constructor(source: Source) {
    this.#source = source;
    source.changeLog.subscribe(({ kind }) => {
      if (kind !== "public") return;
      this.#isStale = true;
      for (const listener of this.#listeners) listener();
    });
  }

  /** Calls back when there may be new changes. Returns a function that unsubscribes. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The number of the last change. */
  async last(): Promise<number> {
    await this.#refresh();
    return this.#last;
  }

  async after(since: number, limit: number): Promise<Page> {
    await this.#refresh();
    // Another node may have sent the caller later changes. An unknown number means another database.
    if (since > this.#last) await this.#refresh(true);
    if (since > this.#last) throw fail.changesGone();
    return since >= this.#from ? this.#fromMemory(since, limit) : this.#fromDatabase(since, limit);
  }

  #fromMemory(since: number, limit: number): Page {
    const first = firstAfter(this.#changes, since);
    const changes = this.#changes.slice(first, first + limit);
    return { changes, next: changes.at(-1)?.seq ?? since, more: first + limit < this.#changes.length };
  }

  async #fromDatabase(since: number, limit: number): Promise<Page> {
    const { db } = this.#source;
    const forgotten = await findForgotten(db);
    const rows = await listPublicChanges(db, since, limit + 1);
    // This is checked after the rows are read, so that concurrent removals are reported and not missed. From 0 nothing
    // can be missed.
    if (since > 0 && since < (await findForgotten(db))) throw fail.changesGone();
    const changes = rows.slice(0, limit).map(toPublicChange);
    const last = changes.at(-1)?.seq ?? since;
    const more = rows.length > limit;
    // The last numbers may all be removed: a client that is up to date must not be sent back to the start because of
    // them.
    return { changes, next: more ? last : Math.max(last, forgotten), more };
  }

  async #refresh(isForced = false): Promise<void> {
    // A load that is running may have started before the last change.
    await this.#loading?.catch(() => undefined);
    if (!isForced && !this.#isStale && this.#source.changeLog.isFollowing) return;
    this.#loading ??= this.#load().finally(() => {
      this.#loading = undefined;
    });
    await this.#loading;
  }

  async #load(): Promise<void> {
    this.#isStale = false;
    try {
      if (!this.#isLoaded) await this.#begin();
      else await this.#goOn();
    } catch (error) {
      this.#isStale = true;
      throw error;
    }
  }

  async #begin(): Promise<void> {
    const rows = await listLatestPublicChanges(this.#source.db, kept);
    const forgotten = await findForgotten(this.#source.db);
    this.#changes = rows.map(toPublicChange);
    // Before that number, deletions may be missing among the rows.
    this.#from = Math.max(rows.length === kept ? rows[0]!.seq : 0, forgotten);
    this.#last = Math.max(rows.at(-1)?.seq ?? 0, forgotten);
    this.#isLoaded = true;
  }

  async #goOn(): Promise<void> {
    for (;;) {
      const rows = await listPublicChanges(this.#source.db, this.#last, batchSize);
      this.#changes.push(...rows.map(toPublicChange));
      this.#last = rows.at(-1)?.seq ?? this.#last;
      if (rows.length < batchSize) break;
    }
    const forgotten = await findForgotten(this.#source.db);
    this.#from = Math.max(this.#from, forgotten);
    this.#last = Math.max(this.#last, forgotten);
    if (this.#changes.length <= 2 * kept) return;
    this.#changes = this.#changes.slice(-kept);
    this.#from = Math.max(this.#from, this.#changes[0]!.seq);
  }
}

/** The index of the first change after this number. */
function firstAfter(changes: readonly PublicChange[], since: number): number {
  let low = 0;
  let high = changes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (changes[middle]!.seq > since) high = middle;
    else low = middle + 1;
  }
  return low;
}

export const tailOf = perServer((source: Source) => new PublicTail(source));
