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
  // In the order in which they are shown: highest index first.
  const items = (await listItems(tx.db, projectId)).sort((a, b) => b.order_index - a.order_index);
  const at = items.findIndex(({ id }) => id === itemId);
  const item = items[at];
  if (!item) throw fail.galleryItemNotFound();
  const other = items[direction === "up" ? at - 1 : at + 1];
  if (!other) return;
  const place = (id: string, order_index: number) =>
    tx.db.updateTable("gallery_items").set({ order_index }).where("id", "=", id).execute();
  // The index is unique, so one item takes a free index first. A gallery never uses all of them.
  const used = new Set(items.map(({ order_index }) => order_index));
  await place(
    item.id,
    Array.from({ length: highestIndex + 1 }, (_, index) => index).find((index) => !used.has(index))!,
  );
  await place(other.id, item.order_index);
  await place(item.id, other.order_index);
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
