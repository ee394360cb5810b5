// Creating, editing and deleting collections. A picture is decoded and stored before the transaction, which stays short. A
// collection's row is held while its projects are counted.

import { sql } from "kysely";
import { lockUser } from "#accounts/users/locking.js";
import { newId } from "#lib/random.js";
import { type Actor, type Tx, write } from "#platform/changes/write.js";
import { inList } from "#platform/db/dialect.js";
import type { Row } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import type { Resources } from "#platform/http/resources.js";
import type { SignedIn } from "#platform/http/viewer.js";
import { addPicture, removePicture, storeIcon } from "#platform/pictures/write.js";
import { say } from "#words/said.js";
import { canEditCollection, followsId } from "./policy.js";
import { findVisibleCollection, listVisibleIds } from "./read.js";
import { maxCollectedProjects, maxCollections } from "./shapes.js";

export interface NewCollection {
  name: string;
  description: string;
  visibility: Row<"collections">["visibility"];
}

export async function createCollection(
  tx: Tx,
  viewer: SignedIn,
  input: NewCollection,
  projectRefs: readonly string[],
): Promise<string> {
  const userId = viewer.user.id;
  await lockUser(tx, userId);
  const { count } = await tx.db
    .selectFrom("collections")
    .select(tx.db.fn.countAll<number>().as("count"))
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  if (count >= maxCollections) throw fail.limitReached(say.limits.collections(maxCollections));
  const id = newId(tx.random);
  await tx.db
    .insertInto("collections")
    .values({
      id,
      user_id: userId,
      ...input,
      icon_id: null,
      date_saved_to: null,
      date_created: tx.now,
      date_updated: tx.now,
    })
    .execute();
  await insertProjects(tx, viewer, id, projectRefs);
  tx.changed("collection", id);
  return id;
}

interface Edit extends Partial<NewCollection> {
  id: string;
  /** The new picture; null to remove it; absent to keep it. */
  icon?: Buffer | null | undefined;
}

export async function saveCollection(
  resources: Resources,
  viewer: SignedIn,
  actor: Actor,
  { id, icon, ...edit }: Edit,
): Promise<void> {
  refuseFollows(id);
  const picture = icon ? await storeCollectionIcon(resources, viewer, id, icon) : undefined;
  await write(resources, actor, (tx) =>
    editCollection(tx, viewer, id, {
      ...edit,
      ...(icon === null && { icon: null }),
      ...(picture && { icon: () => addPicture(tx, resources, { kind: "collection", id }, picture) }),
    }),
  );
}

export function refuseFollows(id: string): void {
  if (id === followsId) throw fail.wrongState(say.states.followedCollection);
}

async function storeCollectionIcon(resources: Resources, viewer: SignedIn, id: string, bytes: Buffer) {
  const collection = await findVisibleCollection(resources.db, viewer, id);
  if (!collection) throw fail.collectionNotFound();
  if (!canEditCollection(viewer, collection)) throw fail.ownerOnly();
  return storeIcon(resources, bytes);
}

interface CollectionEdit extends Partial<NewCollection> {
  /** Creates the new image's row and returns its id; null to remove the picture; absent to keep it. */
  icon?: (() => Promise<string>) | null;
}

async function editCollection(tx: Tx, viewer: SignedIn, id: string, { icon, ...edit }: CollectionEdit): Promise<void> {
  const before = await holdCollection(tx, viewer, id);
  await tx.db
    .updateTable("collections")
    .set({
      name: edit.name ?? before.name,
      description: edit.description ?? before.description,
      visibility: edit.visibility ?? before.visibility,
      icon_id: icon === undefined ? before.icon_id : icon && (await icon()),
    })
    .where("id", "=", id)
    .execute();
  if (icon !== undefined) await removePicture(tx, before.icon_id);
}

export async function deleteCollection(tx: Tx, viewer: SignedIn, id: string): Promise<void> {
  await holdCollection(tx, viewer, id, "delete");
  await removeCollections(tx, [id]);
}

/** Returns how many are new. */
export async function addProjects(tx: Tx, viewer: SignedIn, id: string, refs: readonly string[]): Promise<number> {
  await holdCollection(tx, viewer, id);
  return insertProjects(tx, viewer, id, refs);
}

/** By id, whether or not the caller can still see them, or by slug. Returns how many were removed. */
export async function removeProjects(tx: Tx, viewer: SignedIn, id: string, refs: readonly string[]): Promise<number> {
  await holdCollection(tx, viewer, id);
  const ids = [...refs, ...(await listVisibleIds(tx.db, viewer, refs))];
  const { numDeletedRows } = await tx.db
    .deleteFrom("collection_projects")
    .where("collection_id", "=", id)
    .where(inList(tx.db, sql.ref("project_id"), ids))
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Runs before an account is deleted: pictures refer to their owner by name only. */
export async function removeCollectionsOf(tx: Tx, userId: string): Promise<void> {
  const rows = await tx.db.selectFrom("collections").select("id").where("user_id", "=", userId).execute();
  await removeCollections(
    tx,
    rows.map(({ id }) => id),
  );
}

/** 404 if the caller cannot see it, 403 if they may not change it. Locks the row and reads it again. */
async function holdCollection(
  tx: Tx,
  viewer: SignedIn,
  id: string,
  act: "edit" | "delete" = "edit",
): Promise<Row<"collections">> {
  const found = await findVisibleCollection(tx.db, viewer, id);
  if (!found) throw fail.collectionNotFound();
  if (!canEditCollection(viewer, found)) throw fail.ownerOnly();
  const held = await tx.db
    .updateTable("collections")
    .set({ date_updated: tx.now })
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirst();
  // Another request deleted it after this one had found it.
  if (!held) throw fail.collectionNotFound();
  const { user_id: userId } = held;
  if (userId !== viewer.user.id) tx.audit(`collection.${act}`, { kind: "collection", id }, { userId });
  tx.changed("collection", id);
  return held;
}

/** Skips projects that the caller cannot see, and projects that are in the collection already. */
async function insertProjects(tx: Tx, viewer: SignedIn, id: string, refs: readonly string[]): Promise<number> {
  const { db } = tx;
  const ids = refs.length > 0 ? await listVisibleIds(db, viewer, refs) : [];
  if (ids.length === 0) return 0;
  const added = await db
    .insertInto("collection_projects")
    .columns(["collection_id", "project_id", "date_added"])
    .expression(
      db
        .selectFrom("projects")
        .select([sql<string>`${id}`.as("collection_id"), "id", sql<number>`cast(${tx.now} as bigint)`.as("date_added")])
        .where(inList(db, sql.ref("id"), ids)),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning("project_id")
    .execute();
  const { count } = await db
    .selectFrom("collection_projects")
    .select(db.fn.countAll<number>().as("count"))
    .where("collection_id", "=", id)
    .executeTakeFirstOrThrow();
  if (added.length > 0 && count > maxCollectedProjects)
    throw fail.limitReached(say.limits.collectedProjects(maxCollectedProjects));
  return added.length;
}

async function removeCollections(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const { db } = tx;
  await db
    .deleteFrom("collections")
    .where(inList(db, sql.ref("id"), ids))
    .execute();
  await db
    .deleteFrom("images")
    .where("owner_kind", "=", "collection")
    .where(inList(db, sql.ref("owner_id"), ids))
    .execute();
  for (const id of ids) tx.changed("collection", id);
}
