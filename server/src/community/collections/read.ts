// SELECTs of collections and the one function that builds their answers. Projects that the caller cannot see are left
// out.
import { type Expression, type SqlBool, sql } from "kysely";
import { toPreferences } from "#community/follows/read.js";
import type { FollowPreferences } from "#community/follows/shapes.js";
import { visibleTo } from "#content/projects/policy.js";
import { inList } from "#platform/db/dialect.js";
import type { Db, Row } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import { timestamp } from "#platform/http/schemas.js";
import type { Viewer } from "#platform/http/viewer.js";
import { pictureUrl } from "#platform/pictures/read.js";
import { collectionListedFor, collectionVisibleTo } from "./policy.js";
import type { Collection } from "./shapes.js";

/** The caller and the options with which a collection is read. */
export interface ReadContext {
  db: Db;
  viewer: Viewer;
  cdnUrl: string;
}

export async function getCollection(context: ReadContext, id: string): Promise<Collection> {
  const [collection] = await select(context, sql<SqlBool>`collections.id = ${id}`, collectionVisibleTo(context.viewer));
  if (!collection) throw fail.collectionNotFound();
  return collection;
}

/** Newest first. */
export const listCollectionsOf = (context: ReadContext, userId: string): Promise<Collection[]> =>
  select(context, sql<SqlBool>`collections.user_id = ${userId}`, collectionListedFor(context.viewer));

/** Public ones, in that order. */
export async function listPublicCollections(context: ReadContext, ids: readonly string[]): Promise<Collection[]> {
  const which = inList(context.db, sql.ref("collections.id"), ids);
  const found = await select(context, which, sql<SqlBool>`collections.visibility = 'public'`);
  const byId = new Map(found.map((collection) => [collection.id, collection]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** The row, for callers that change it or need its owner. */
export const findVisibleCollection = (db: Db, viewer: Viewer, id: string): Promise<Row<"collections"> | undefined> =>
  db.selectFrom("collections").selectAll().where("id", "=", id).where(collectionVisibleTo(viewer)).executeTakeFirst();

/** Two statements, however many collections and projects. */
async function select(
  { db, viewer, cdnUrl }: ReadContext,
  which: Expression<SqlBool>,
  visible: Expression<SqlBool>,
): Promise<Collection[]> {
  const rows = await db
    .selectFrom("collections")
    .leftJoin("images as icon", "icon.id", "collections.icon_id")
    .selectAll("collections")
    .select("icon.file_name as icon_file")
    .where(which)
    .where(visible)
    .orderBy("collections.date_created", "desc")
    .orderBy("collections.id")
    .execute();
  const ids = rows.map(({ id }) => id);
  const projects = ids.length > 0 ? await listProjectIds(db, viewer, ids) : new Map<string, string[]>();
  return rows.map((row) => toCollection(row, projects.get(row.id) ?? [], cdnUrl));
}

const toCollection = (
  row: Row<"collections"> & { icon_file: string | null },
  projects: string[],
  cdnUrl: string,
): Collection => ({
  id: row.id,
  userId: row.user_id,
  name: row.name,
  description: row.description === "" ? null : row.description,
  icon: row.icon_file === null ? null : pictureUrl(cdnUrl, "collection", row.id, row.icon_file),
  visibility: row.visibility,
  dateCreated: timestamp(row.date_created),
  dateUpdated: timestamp(row.date_updated),
  projects,
});

/** Grouped by collection; most downloaded first. */
async function listProjectIds(db: Db, viewer: Viewer, ids: readonly string[]): Promise<Map<string, string[]>> {
  const rows = await db
    .selectFrom("collection_projects as part")
    .innerJoin("projects", "projects.id", "part.project_id")
    .select(["part.collection_id", "projects.id"])
    .where(inList(db, sql.ref("part.collection_id"), ids))
    .where(visibleTo(viewer))
    .orderBy("projects.downloads", "desc")
    .orderBy("projects.id")
    .execute();
  const projects = new Map<string, string[]>();
  for (const { collection_id, id } of rows) {
    const list = projects.get(collection_id);
    if (list) list.push(id);
    else projects.set(collection_id, [id]);
  }
  return projects;
}

/** The projects with these ids and slugs that the caller can see, in one statement. Others are left out. */
export async function listVisibleIds(db: Db, viewer: Viewer, refs: readonly string[]): Promise<string[]> {
  const slugs = refs.map((ref) => ref.toLowerCase());
  const rows = await db
    .selectFrom("projects")
    .select("projects.id")
    .where(
      sql<SqlBool>`(${inList(db, sql.ref("projects.id"), refs)} or ${inList(db, sql.ref("projects.slug"), slugs)})`,
    )
    .where(visibleTo(viewer))
    .execute();
  return rows.map(({ id }) => id);
}

/** A collection of the user, as the menu of the save button shows it. */
export interface SaveChoice {
  id: string;
  name: string;
  /** Whether it contains the project. */
  isSaved: boolean;
  /** When the user last saved something to it with one click. */
  dateSavedTo: number | null;
}

/** Whether the user follows a project, and their collections: in one statement, because every page of a project needs both. */
export async function findOwnMarks(
  db: Db,
  userId: string,
  projectId: string,
): Promise<{ follow: FollowPreferences | undefined; collections: SaveChoice[] }> {
  const rows = await db
    .selectFrom("users")
    .leftJoin("follows", (on) => on.onRef("follows.user_id", "=", "users.id").on("follows.project_id", "=", projectId))
    .leftJoin("collections", "collections.user_id", "users.id")
    .leftJoin("collection_projects as part", (on) =>
      on.onRef("part.collection_id", "=", "collections.id").on("part.project_id", "=", projectId),
    )
    .select(["follows.preferences", "collections.id", "collections.name", "collections.date_saved_to"])
    .select("part.project_id as saved")
    .where("users.id", "=", userId)
    .orderBy("collections.date_updated", "desc")
    .orderBy("collections.id")
    .execute();
  const stored = rows[0]?.preferences ?? null;
  return {
    follow: stored === null ? undefined : toPreferences(stored),
    collections: rows.flatMap(({ id, name, saved, date_saved_to }) =>
      id === null || name === null ? [] : [{ id, name, isSaved: saved !== null, dateSavedTo: date_saved_to }],
    ),
  };
}

/** The collections of a user that contain some of the given projects, and the one that the next click saves to. */
export interface OwnSaves {
  /** Absent if it is created with the first click. */
  target: Pick<SaveChoice, "id" | "name"> | undefined;
  /** By the id of the project. */
  savedIn: ReadonlyMap<string, readonly Pick<SaveChoice, "id" | "name">[]>;
}

/** One statement, however many projects. */
export async function findOwnSaves(db: Db, userId: string, projectIds: readonly string[]): Promise<OwnSaves> {
  const rows = await db
    .selectFrom("collections")
    .leftJoin("collection_projects as part", (on) =>
      on.onRef("part.collection_id", "=", "collections.id").on(inList(db, sql.ref("part.project_id"), projectIds)),
    )
    .select(["collections.id", "collections.name", "collections.date_saved_to as dateSavedTo", "part.project_id"])
    .where("collections.user_id", "=", userId)
    .orderBy("collections.id")
    .execute();
  const saved = rows.filter(({ project_id }) => project_id !== null);
  return { target: lastUsed(rows), savedIn: Map.groupBy(saved, ({ project_id }) => project_id!) };
}

/** The collection that the user saved to last with one click. */
export const lastUsed = <Each extends Pick<SaveChoice, "id" | "dateSavedTo">>(
  collections: readonly Each[],
): Each | undefined =>
  collections
    .filter(({ dateSavedTo }) => dateSavedTo !== null)
    .sort((a, b) => b.dateSavedTo! - a.dateSavedTo! || (a.id < b.id ? -1 : 1))[0];

/** Counts all projects, including invisible ones. */
export async function countProjectsIn(db: Db, id: string): Promise<number> {
  const { count } = await db
    .selectFrom("collection_projects")
    .select(db.fn.countAll<number>().as("count"))
    .where("collection_id", "=", id)
    .executeTakeFirstOrThrow();
  return Number(count);
}
