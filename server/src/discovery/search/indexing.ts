// Writes the index into the database: a row for each project that is or was listed, and the full text of its
// description. Rows that change get the next revision, which is how every server learns of them (live-index.ts).
import { sql } from "kysely";
import { toJson } from "#lib/json.js";
import type { Change } from "#platform/changes/change-log.js";
import { type Consumer, lockCursor, readCursor } from "#platform/changes/consumer.js";
import type { Tx } from "#platform/changes/write.js";
import { givenRows, inList, together } from "#platform/db/dialect.js";
import type { Db } from "#platform/db/tables.js";
import { type Document, documentRows, type EarlierFits, toDocuments } from "./documents.js";
import type { SearchEntry } from "./entry.js";
import { putTexts, removeText, splitText } from "./full-text.js";
import { inTurns } from "./splitting.js";

/** Projects whose rows are read together. */
const batchSize = 200;

export const searchConsumer: Consumer = {
  name: "search",
  kinds: new Set(["project", "organization", "user"]),
  async consume(tx, changes) {
    const ids = await listConcerned(tx.db, changes);
    const changedVersions = findChangedVersions(changes);
    for (let start = 0; start < ids.length; start += batchSize)
      await updateProjects(tx, ids.slice(start, start + batchSize), changedVersions);
  },
};

/** The projects that the changes may affect: the changed ones, and those that show the organization or user. */
async function listConcerned(db: Db, changes: readonly Change[]): Promise<string[]> {
  const named = (kind: Change["kind"]) => [
    ...new Set(changes.filter((change) => change.kind === kind).map(({ id }) => id)),
  ];
  const [orgs, users] = [named("organization"), named("user")];
  const ofOrgs = db
    .selectFrom("projects")
    .select("id")
    .where(inList(db, sql.ref("org_id"), orgs));
  const ofUsers = db
    .selectFrom("projects")
    .innerJoin("team_members", "team_members.team_id", "projects.team_id")
    .select("projects.id")
    .where("team_members.is_owner", "=", 1)
    .where(inList(db, sql.ref("team_members.user_id"), users));
  const found = [
    ...(orgs.length > 0 ? await ofOrgs.execute() : []),
    ...(users.length > 0 ? await ofUsers.execute() : []),
  ];
  return [...new Set([...named("project"), ...found.map(({ id }) => id)])];
}

/**
 * The projects with changes that concern versions: the versions that were added, or undefined if others may have changed too.
 */
type ChangedVersions = ReadonlyMap<string, readonly string[] | undefined>;

function findChangedVersions(changes: readonly Change[]): ChangedVersions {
  const found = new Map<string, string[] | undefined>();
  for (const { kind, id, versions, areAdded } of changes) {
    if (kind !== "project" || versions?.length === 0) continue;
    const before = found.has(id) ? found.get(id) : [];
    found.set(id, versions && areAdded && before ? [...before, ...versions] : undefined);
  }
  return found;
}

interface Known {
  doc: number;
  listed: number;
  entry: string;
  text_digest: string;
}

/** Updates the index from the projects' rows. */
async function updateProjects(tx: Tx, ids: readonly string[], changedVersions: ChangedVersions): Promise<void> {
  const { db } = tx;
  const added = ids.flatMap((id) => changedVersions.get(id) ?? []);
  const [inIndex, last, ...rows] = await together(db, [
    knownRows(db, ids),
    lastRevision(db),
    ...documentRows(db, ids, added),
  ]);
  const state = toState(inIndex, last);
  const documents = await toDocuments(db, rows, findEarlier(state.known, changedVersions));
  await store(tx, state, documents, ({ description, digest }, before) =>
    before?.text_digest === digest ? undefined : splitText(db, description),
  );
}

/** The state of some projects, read before the transaction that writes it into the index. */
export interface ReadAhead {
  /** The last change that the index had then. */
  seq: number;
  documents: Document[];
  /** The words in the description of each. */
  words: ReadonlyMap<Document, string>;
}

/** Reads everything about these projects. */
export async function readAhead(db: Db, ids: readonly string[]): Promise<ReadAhead> {
  const seq = await readCursor(db, searchConsumer.name);
  const documents = await toDocuments(db, await together(db, documentRows(db, ids, [])), new Map());
  const words = new Map<Document, string>();
  await inTurns(documents, (document) => words.set(document, splitText(db, document.description)));
  return { seq, documents, words };
}

/**
 * Writes everything about these projects, even if it has not changed. No other writer of the index, such as the consumer, runs at
 * the same time, so that revisions are in commit order.
 */
export async function rewriteProjects(tx: Tx, ids: readonly string[], ahead?: ReadAhead): Promise<void> {
  const { db } = tx;
  const seq = await lockCursor(db, searchConsumer.name);
  // Changes since it was read may be in the index already, and must not be undone.
  const { documents, words } = ahead?.seq === seq ? ahead : await readAhead(db, ids);
  const state = toState(...(await together(db, [knownRows(db, ids), lastRevision(db)])));
  await store(tx, state, documents, (document) => words.get(document));
}

interface State {
  /** The rows in the index of all projects concerned, by project. */
  known: Map<string, Known>;
  revision: number;
}

const toState = (
  { rows }: { rows: (Known & { project_id: string })[] },
  last: { rows: { last: number | null }[] },
): State => ({
  known: new Map(rows.map(({ project_id, ...row }) => [project_id, row])),
  revision: (last.rows[0]!.last ?? 0) + 1,
});

/**
 * Writes the documents. Other known projects are no longer listed. `findWords` returns undefined if those of a description are
 * in the index.
 */
async function store(
  tx: Tx,
  { known, revision }: State,
  documents: readonly Document[],
  findWords: (document: Document, before: Known | undefined) => string | undefined,
): Promise<void> {
  const { db } = tx;
  const docs = await insertRows(
    db,
    documents.filter(({ projectId }) => !known.has(projectId)),
    revision,
  );
  const texts = new Map<number, string>();
  for (const document of documents) {
    const before = known.get(document.projectId);
    known.delete(document.projectId);
    if (before && !isSame(document, before)) updateRow(tx, document, before.doc, revision);
    const words = findWords(document, before);
    if (words !== undefined) texts.set(before?.doc ?? docs.get(document.projectId)!, words);
  }
  // After all rows: SQLite would write each text by itself to the disk if rows of other tables were inserted in between.
  await putTexts(db, texts);
  for (const { doc, listed } of known.values()) if (listed === 1) await retire(tx, doc, revision);
}

const knownRows = (db: Db, ids: readonly string[]) =>
  db
    .selectFrom("search_documents")
    .select(["project_id", "doc", "listed", "entry", "text_digest"])
    .where(inList(db, sql.ref("project_id"), ids));

const lastRevision = (db: Db) =>
  db.selectFrom("search_documents").select((revision) => revision.fn.max<number | null>("revision").as("last"));

/** The fits of the projects in the index that have at most new versions. */
function findEarlier(known: ReadonlyMap<string, Known>, changed: ChangedVersions): Map<string, EarlierFits> {
  const earlier = new Map<string, EarlierFits>();
  for (const [id, { listed, entry }] of known) {
    const added = changed.has(id) ? changed.get(id) : [];
    if (listed === 1 && added) earlier.set(id, { fits: (JSON.parse(entry) as SearchEntry).fits, added });
  }
  return earlier;
}

const isSame = ({ entry, digest }: Document, before: Known): boolean =>
  before.listed === 1 && before.text_digest === digest && before.entry === toJson(entry);

/** The first rows of projects, in one statement. Returns their numbers. */
async function insertRows(
  db: Db,
  documents: readonly Document[],
  revision: number,
): Promise<ReadonlyMap<string, number>> {
  if (documents.length === 0) return new Map();
  const rows = documents.map(({ projectId, entry, digest }) => ({
    project_id: projectId,
    entry: toJson<unknown>(entry),
    text_digest: digest,
  }));
  const given = givenRows(db, { project_id: "text", entry: "text", text_digest: "text" }, rows);
  const inserted = await sql<{ project_id: string; doc: number }>`
    insert into search_documents (project_id, revision, listed, entry, text_digest)
    select project_id, ${revision}, 1, entry, text_digest from ${given}
    returning project_id, doc`.execute(db);
  return new Map(inserted.rows.map(({ project_id, doc }) => [project_id, doc]));
}

function updateRow({ db, atEnd }: Tx, { entry, digest }: Document, doc: number, revision: number): void {
  const values = { revision, listed: 1 as const, entry: toJson<unknown>(entry), text_digest: digest };
  atEnd(db.updateTable("search_documents").set(values).where("doc", "=", doc));
}

/** The row stays: it tells every server that the project was deleted, and keeps its number in case it comes back. */
async function retire({ db, atEnd }: Tx, doc: number, revision: number): Promise<void> {
  const values = { revision, listed: 0 as const, entry: toJson<unknown>(null), text_digest: "" };
  atEnd(db.updateTable("search_documents").set(values).where("doc", "=", doc));
  await removeText(db, doc);
}
