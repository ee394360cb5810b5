// The use cases of a gallery. Each runs in the caller's transaction while the project's row is locked, so counts and
// comparisons stay valid until the commit.

import { newId } from "#lib/random.js";
import type { Tx } from "#platform/changes/write.js";
import type { Db, Row } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import { addPicture, type PictureStore, removePicture, type StoredGalleryPicture } from "#platform/pictures/write.js";
import { say } from "#words/said.js";
import { highestIndex } from "./contract.js";

export interface GalleryInput {
  title: string;
  description: string;
  /** 0: in front of all others. */
  orderIndex: number;
  featured: boolean;
}

/** Called before the picture is decoded, and again when it is added. */
export async function checkGalleryHasRoom(db: Db, projectId: string, maxItems: number): Promise<void> {
  if ((await listItems(db, projectId)).length >= maxItems) throw fail.wrongState(say.states.galleryFull(maxItems));
}

export async function addGalleryItem(
  tx: Tx,
  room: PictureStore,
  projectId: string,
  picture: StoredGalleryPicture,
  input: GalleryInput,
): Promise<string> {
  const items = await listItems(tx.db, projectId);
  const order_index = input.orderIndex || indexInFront(items);
  checkPlace(items, order_index, input.featured);
  const owner = { kind: "project", id: projectId } as const;
  const image_id = await addPicture(tx, room, owner, picture.image);
  const thumbnail_id = await addPicture(tx, room, owner, picture.thumbnail, image_id);
  const id = newId(tx.random);
  await tx.db
    .insertInto("gallery_items")
    .values({
      id,
      project_id: projectId,
      image_id,
      thumbnail_id,
      name: input.title,
      description: input.description,
      featured: input.featured ? 1 : 0,
      order_index,
      date_created: tx.now,
    })
    .execute();
  tx.changed("project", projectId, []);
  return id;
}

export async function editGalleryItem(
  tx: Tx,
  projectId: string,
  itemId: string,
  edit: Partial<GalleryInput>,
): Promise<void> {
  const items = await listItems(tx.db, projectId);
  const item = items.find(({ id }) => id === itemId);
  if (!item) throw fail.galleryItemNotFound();
  const others = items.filter((other) => other !== item);
  const order_index = edit.orderIndex ?? item.order_index;
  const featured = edit.featured ?? item.featured === 1;
  checkPlace(others, order_index, featured);
  await tx.db
    .updateTable("gallery_items")
    .set({
      name: edit.title ?? item.name,
      description: edit.description ?? item.description,
      featured: featured ? 1 : 0,
      order_index,
    })
    .where("id", "=", itemId)
    .execute();
  tx.changed("project", projectId, []);
}

export async function removeGalleryItem(tx: Tx, projectId: string, itemId: string): Promise<void> {
  const item = await tx.db
    .deleteFrom("gallery_items")
    .where("id", "=", itemId)
    .where("project_id", "=", projectId)
    .returning(["image_id", "thumbnail_id"])
    .executeTakeFirst();
  if (!item) throw fail.galleryItemNotFound();
  await removePicture(tx, item.image_id);
  await removePicture(tx, item.thumbnail_id);
  tx.changed("project", projectId, []);
}

/** Swaps the item with its neighbor. The first and the last item stay where they are. */
export async function moveGalleryItem(
  tx: Tx,
  projectId: string,
  itemId: string,
  direction: "up" | "down",
): Promise<void> {
  const items = await listShown(tx.db, projectId);
  const at = items.findIndex(({ id }) => id === itemId);
  const item = items[at];
  if (!item) throw fail.galleryItemNotFound();
  const to = direction === "up" ? at - 1 : at + 1;
  if (items[to]) await place(tx, projectId, items, items.toSpliced(at, 1).toSpliced(to, 0, item));
}

/** Takes the ids of all items in their new order: none is missing, and none occurs twice. */
export async function orderGallery(tx: Tx, projectId: string, ids: readonly string[]): Promise<void> {
  const items = await listShown(tx.db, projectId);
  const byId = new Map(items.map((item) => [item.id, item]));
  const ordered = [...new Set(ids)].map((id) => byId.get(id));
  if (ids.length !== items.length || ordered.length !== items.length || ordered.includes(undefined))
    throw fail.wrongState(say.states.galleryChanged);
  await place(tx, projectId, items, ordered as Item[]);
}

/** The items keep the set of their indexes. */
async function place(tx: Tx, projectId: string, before: readonly Item[], after: readonly Item[]): Promise<void> {
  if (after.every((item, at) => item === before[at])) return;
  // The index is unique and checked for each row, so no UPDATE can swap two of them.
  await tx.db.deleteFrom("gallery_items").where("project_id", "=", projectId).execute();
  const rows = after.map((item, at) => ({ ...item, order_index: before[at]!.order_index }));
  await tx.db.insertInto("gallery_items").values(rows).execute();
  tx.changed("project", projectId, []);
}

/** The item that was featured before is not featured any more. */
export async function featureGalleryItem(tx: Tx, projectId: string, itemId: string, featured: boolean): Promise<void> {
  const items = await listItems(tx.db, projectId);
  if (!items.some(({ id }) => id === itemId)) throw fail.galleryItemNotFound();
  await tx.db.updateTable("gallery_items").set({ featured: 0 }).where("project_id", "=", projectId).execute();
  if (featured) await tx.db.updateTable("gallery_items").set({ featured: 1 }).where("id", "=", itemId).execute();
  tx.changed("project", projectId, []);
}

type Item = Row<"gallery_items">;

const listItems = (db: Db, projectId: string): Promise<Item[]> =>
  db.selectFrom("gallery_items").selectAll().where("project_id", "=", projectId).execute();

/** In the order in which they are shown: highest index first. */
const listShown = async (db: Db, projectId: string): Promise<Item[]> =>
  (await listItems(db, projectId)).sort((a, b) => b.order_index - a.order_index);

function indexInFront(items: readonly Item[]): number {
  const highest = Math.max(0, ...items.map((item) => item.order_index));
  if (highest === highestIndex) throw fail.wrongState(say.states.frontTaken(highestIndex));
  return highest + 1;
}

function checkPlace(others: readonly Item[], orderIndex: number, featured: boolean): void {
  if (others.some((other) => other.order_index === orderIndex))
    throw fail.wrongState(say.states.placeTaken(orderIndex));
  if (featured && others.some((other) => other.featured === 1)) throw fail.wrongState(say.states.otherFeatured);
}
