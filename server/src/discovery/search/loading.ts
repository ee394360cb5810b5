// Fills the index in memory from the database, and applies later changes.
import { setImmediate as nextTurn } from "node:timers/promises";
import { sql } from "kysely";
import type { MissedChanges } from "#content/catalog/missed-changes.js";
import { fromJson, type Json } from "#lib/json.js";
import { givenRows, together } from "#platform/db/dialect.js";
import type { Db } from "#platform/db/tables.js";
import type { DescribedWords } from "./described.js";
import { type Description, fewTexts, readWords } from "./description-words.js";
import type { Figures, SearchEntry } from "./entry.js";
import type { FiguresThen, SearchFile, StoredSearch } from "./search-file.js";
import { SearchIndex } from "./search-index.js";
import { grown } from "./slot-set.js";
import { figureRows, readFigures, toFigures } from "./sort-figures.js";

/** Projects that are read together: other requests are answered in between. */
const batchSize = 500;
/** Small rows that are read together. */
const revisionsAtOnce = 5000;
/** Figures that are taken from the file together. */
const restoredAtOnce = 5000;

/** How far the rows of the index have been read: revisions rise with every commit, documents within one. */
export interface Position {
  revision: number;
  doc: number;
}

interface Row {
  doc: number;
  project_id: string;
  listed: number;
  entry: string;
  text_digest: string;
  revision: number;
}

const columns = ["doc", "project_id", "listed", "entry", "text_digest", "revision"] as const;

export interface LoadedIndex {
  searchIndex: SearchIndex;
  position: Position;
  /** The day for which the recent downloads were counted. */
  day: number;
}

/** With a file, only rows that have changed since it was written are read, and it is written again if these are many. */
export async function loadIndex(
  db: Db,
  today: number,
  file?: SearchFile,
  described?: DescribedWords,
): Promise<LoadedIndex> {
  const position = { revision: await findLastRevision(db), doc: Number.MAX_SAFE_INTEGER };
  const found = await file?.read();
  const revisions = await readRevisions(db);
  const stored = found && isUseful(found, listChanged(revisions, found.revisions).docs.length) ? found : undefined;
  const searchIndex = stored?.searchIndex ?? new SearchIndex();
  searchIndex.described = described;
  const changed = listChanged(revisions, stored?.revisions);
  // Rows are never deleted, except with the whole database.
  for (const doc of changed.gone) {
    const slot = searchIndex.slotOfDoc(doc);
    if (slot >= 0) searchIndex.remove(doc, searchIndex.ids.at(slot));
  }
  const storedSlots = searchIndex.slots;
  for (let start = 0; start < changed.docs.length; start += batchSize) {
    await putRows(db, searchIndex, await selectDocs(db, changed.docs.slice(start, start + batchSize)), { today });
    await nextTurn();
  }
  searchIndex.pack();
  const missed = stored?.figures && (await file?.readMissed(stored.figures));
  if (missed) await restoreFigures(db, searchIndex, { known: stored.figures!, missed, storedSlots, today });
  else if (stored) await refreshFigures(db, searchIndex, searchIndex.listIds(), today);
  // Sorting a large index is slow, so it happens before the first query.
  for (const _ of searchIndex.orders.sortInSteps()) await nextTurn();
  if (file?.isWorthWriting(searchIndex, changed.docs.length)) await file.write({ searchIndex, revisions });
  return { searchIndex, position, day: missed ? stored!.figures!.day : today };
}

/** Writes everything, with the figures at a position of the change log. The index must not change until it is written. */
export async function storeIndex(
  db: Db,
  { searchIndex, position, day }: LoadedIndex,
  file: SearchFile,
  changePosition: number,
): Promise<void> {
  const revisions = await readRevisions(db);
  // Another server may have written rows that this index does not have yet.
  for (const [doc, revision] of revisions.entries())
    if (revision > position.revision || (revision === position.revision && doc > position.doc)) revisions[doc] = 0;
  searchIndex.pack();
  const figures = { position: changePosition, day, bySlot: searchIndex.orders.store() };
  await file.write({ searchIndex, revisions, figures });
}

interface FiguresSource {
  known: FiguresThen;
  missed: MissedChanges;
  /** Later slots have current figures. */
  storedSlots: number;
  today: number;
}

async function restoreFigures(
  db: Db,
  searchIndex: SearchIndex,
  { known, missed, storedSlots, today }: FiguresSource,
): Promise<void> {
  for (const [count, slot] of searchIndex.live.list().entries()) {
    if (slot < storedSlots) searchIndex.orders.restore(slot, known.bySlot);
    if (count % restoredAtOnce === 0) await nextTurn();
  }
  for (const { projectId, downloads } of missed.figures)
    if ((searchIndex.findSlot(projectId) ?? storedSlots) < storedSlots) searchIndex.setDownloads(projectId, downloads);
  const changed = missed.changes.flatMap(({ kind, id }) => (kind === "project" ? [id] : []));
  await refreshFigures(db, searchIndex, [...new Set(changed)], today);
}

/** Each change leaves a dead slot, and there must be far fewer than those that make the index be loaded again. */
const isUseful = ({ searchIndex: { slots, size } }: StoredSearch, changed: number): boolean =>
  slots - size + changed <= size / 8;

/** The documents whose revision differs, and those that have no row any more. */
function listChanged(now: Float64Array, before = new Float64Array(0)): { docs: number[]; gone: number[] } {
  const [docs, gone]: [number[], number[]] = [[], []];
  for (let doc = 0; doc < Math.max(now.length, before.length); doc++) {
    const [revision, known] = [now[doc] ?? 0, before[doc] ?? 0];
    if (revision !== known) (revision === 0 ? gone : docs).push(doc);
  }
  return { docs, gone };
}

/** The revision of each document; 0 if there is none. */
async function readRevisions(db: Db): Promise<Float64Array<ArrayBuffer>> {
  let revisions = new Float64Array(1024);
  for (let last: Position = { revision: 0, doc: 0 }; ; await nextTurn()) {
    const rows = await db
      .selectFrom("search_documents")
      .select(["revision", "doc"])
      .where(isPast(last))
      .orderBy("revision")
      .orderBy("doc")
      .limit(revisionsAtOnce)
      .execute();
    for (const { doc, revision } of rows) {
      if (doc >= revisions.length) revisions = grown(revisions, Math.ceil(doc * 1.25));
      revisions[doc] = revision;
    }
    if (rows.length < revisionsAtOnce) return revisions;
    last = rows.at(-1)!;
  }
}

/** Reads the rows past this position, and the figures of the named projects. Returns the new position. */
export async function refreshIndex(
  db: Db,
  searchIndex: SearchIndex,
  { from, changed, today }: { from: Position; changed: ReadonlySet<string>; today: number },
): Promise<Position> {
  const ids = [...changed];
  // The usual case is a few changes, which take one round trip.
  const [projects, days, first, texts] = await together(db, [
    ...figureRows(db, ids.slice(0, batchSize), today),
    past(db, from),
    pastTexts(db, from, searchIndex.texts.isEmpty ? 0 : fewTexts),
  ]);
  const figures = toFigures(projects.rows, days.rows, today);
  for (const [id, own] of figures) searchIndex.setFigures(id, own);
  await refreshFigures(db, searchIndex, ids.slice(batchSize), today, figures);
  let position = from;
  for (let rows: Row[] = first.rows; ; rows = await past(db, position).execute()) {
    const last = rows.at(-1);
    if (!last) return position;
    position = { revision: last.revision, doc: last.doc };
    await putRows(db, searchIndex, rows, { today, figures, texts: texts.rows });
    if (rows.length < batchSize) return position;
  }
}

/** The figures are also put into `read`. */
async function refreshFigures(
  db: Db,
  searchIndex: SearchIndex,
  ids: readonly string[],
  today: number,
  read?: Map<string, Figures>,
): Promise<void> {
  for (let start = 0; start < ids.length; start += batchSize) {
    for (const [id, figures] of await readFigures(db, ids.slice(start, start + batchSize), today)) {
      searchIndex.setFigures(id, figures);
      read?.set(id, figures);
    }
    await nextTurn();
  }
}

/** Reads the figures of all projects again. They are sorted on the way; otherwise the next query would sort all at once. */
export async function recountFigures(db: Db, searchIndex: SearchIndex, today: number): Promise<void> {
  const ids = searchIndex.listIds();
  for (let start = 0; start < ids.length; start += batchSize) {
    await refreshFigures(db, searchIndex, ids.slice(start, start + batchSize), today);
    for (const _ of searchIndex.orders.sortInSteps()) await nextTurn();
  }
}

interface AlreadyRead {
  today: number;
  figures?: ReadonlyMap<string, Figures>;
  /** Descriptions of some of the projects. */
  texts?: readonly Description[];
}

async function putRows(
  db: Db,
  searchIndex: SearchIndex,
  rows: readonly Row[],
  { today, figures: known, texts: read }: AlreadyRead,
): Promise<void> {
  const { described, texts } = searchIndex;
  const listed = rows.filter((row) => row.listed === 1);
  const others = listed.map((row) => row.project_id).filter((id) => !known?.has(id));
  const figures = new Map([...(known ?? []), ...(await readFigures(db, others, today))]);
  const isCheap = !texts.isEmpty && listed.length <= fewTexts;
  const isUnknown = (row: Row) => described !== undefined && !described.has(row);
  const words = await readWords(db, isCheap ? listed : listed.filter(isUnknown), read);
  // No await from here on, so that no query sees a partial update.
  if (!isCheap) texts.forget();
  for (const row of rows) {
    const { doc, project_id: id, listed, entry } = row;
    const own = figures.get(id);
    // A listed project without figures was just deleted; its row will say so soon.
    if (listed === 0 || !own) {
      searchIndex.remove(doc, id);
      continue;
    }
    const slot = searchIndex.put({ doc, id, entry: fromJson(entry as Json<SearchEntry>), figures: own });
    const ofText = words.get(id) ?? noWords;
    if (isUnknown(row)) described!.put(row, ofText);
    if (isCheap) texts.add(slot, ofText);
  }
}

const noWords: ReadonlySet<string> = new Set();

async function findLastRevision(db: Db): Promise<number> {
  const row = await db
    .selectFrom("search_documents")
    .select("revision")
    .orderBy("revision", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.revision ?? 0;
}

const selectDocs = (db: Db, docs: readonly number[]): Promise<Row[]> =>
  db
    .selectFrom("search_documents")
    .select(columns)
    .where(
      sql<boolean>`doc in (select doc from ${givenRows(
        db,
        { doc: "integer" },
        docs.map((doc) => ({ doc })),
      )})`,
    )
    .orderBy("doc")
    .execute();

const isPast = ({ revision, doc }: Position) => sql<boolean>`(revision, doc) > (${revision}, ${doc})`;

const past = (db: Db, from: Position) =>
  db
    .selectFrom("search_documents")
    .select(columns)
    .where(isPast(from))
    .orderBy("revision")
    .orderBy("doc")
    .limit(batchSize);

/** The descriptions of the first listed projects past this position. */
const pastTexts = (db: Db, from: Position, most: number) =>
  db
    .selectFrom("projects")
    .select(["id", "description"])
    .where("id", "in", (select) =>
      select
        .selectFrom("search_documents")
        .select("project_id")
        .where(isPast(from))
        .where("listed", "=", 1)
        .orderBy("revision")
        .orderBy("doc")
        .limit(most),
    );
