// Rebuilds the whole index in short transactions from the projects' rows: at the first start on a database without an
// index, when a new release splits words differently, and on an operator's request. Searching continues.

import { type Tx, type Writing, write } from "#platform/changes/write.js";
import type { Db } from "#platform/db/tables.js";
import { storeValue } from "#platform/settings/store.js";
import { collectTexts, settleTexts } from "./full-text.js";
import { type ReadAhead, readAhead, rewriteProjects } from "./indexing.js";

/** Increased when words.ts or the rows of the index change their format. */
const format = 3;
const batchSize = 400;
/** One that is written, and others that are read at the same time. */
const batchesAtOnce = 3;
const stateName = "search.index";
const actor = { credential: "search index" };

interface State {
  format: number;
  /** The last project of a rebuild in progress. */
  after?: string;
}

export async function needsRebuild(db: Db): Promise<boolean> {
  const state = await findState(db);
  return state?.format !== format || state.after !== undefined;
}

interface Options {
  /** True: from the start; false: continues where another run ended. */
  fromScratch: boolean;
  /** The maximum number of projects, rounded to whole batches. */
  most?: number;
  onProgress?: (done: number) => void;
}

/** Returns whether it is finished. */
export async function rebuildIndex(to: Writing, { fromScratch, most, onProgress }: Options): Promise<boolean> {
  const state = fromScratch ? undefined : await findState(to.db);
  let after = state?.format === format ? state.after : "";
  let done = 0;
  if (after !== undefined) await collectTexts(to.db);
  for await (const batch of readBatches(to.db, after, most)) {
    after = batch.ids.at(-1);
    // Before the state says that it is finished: after a crash it is settled by the next run.
    if (after === undefined) await settleTexts(to.db);
    await write(to, actor, (tx) => writeBatch(tx, batch, after));
    done += batch.ids.length;
    onProgress?.(done);
  }
  if (after !== undefined) return false;
  // Deleted projects have no row, so they are found through the index.
  const gone = await listGone(to.db);
  if (gone.length > 0) await write(to, actor, (tx) => writeBatch(tx, { ids: gone }, undefined));
  return true;
}

interface Batch {
  /** None in the last batch. */
  ids: readonly string[];
  ahead?: ReadAhead;
}

/** While one batch is written, the next ones are read and split into words. */
async function* readBatches(db: Db, start: string | undefined, most = Number.POSITIVE_INFINITY): AsyncGenerator<Batch> {
  const reading: Promise<Batch>[] = [];
  for (let [after, listed] = [start, 0]; ; ) {
    while (after !== undefined && listed < most && reading.length < batchesAtOnce) {
      const ids = await listIdsAfter(db, after);
      const batch = readAhead(db, ids).then((ahead) => ({ ids, ahead }));
      // Awaited below; without this handler a failure before that would be an unhandled rejection.
      batch.catch(() => undefined);
      reading.push(batch);
      after = ids.at(-1);
      listed += ids.length;
    }
    const next = reading.shift();
    if (!next) return;
    yield await next;
  }
}

async function writeBatch(tx: Tx, { ids, ahead }: Batch, after: string | undefined): Promise<void> {
  await rewriteProjects(tx, ids, ahead);
  const value = { format, ...(after !== undefined && { after }) } satisfies State;
  await storeValue(tx, stateName, value);
  tx.changed("search", "index");
}

async function findState(db: Db): Promise<State | undefined> {
  const row = await db.selectFrom("settings").select("value").where("name", "=", stateName).executeTakeFirst();
  return row && (JSON.parse(row.value) as State);
}

async function listIdsAfter(db: Db, after: string): Promise<string[]> {
  const rows = await db
    .selectFrom("projects")
    .select("id")
    .where("id", ">", after)
    .orderBy("id")
    .limit(batchSize)
    .execute();
  return rows.map(({ id }) => id);
}

async function listGone(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom("search_documents")
    .leftJoin("projects", "projects.id", "search_documents.project_id")
    .select("search_documents.project_id")
    .where("search_documents.listed", "=", 1)
    .where("projects.id", "is", null)
    .execute();
  return rows.map(({ project_id }) => project_id);
}
