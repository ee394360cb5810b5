// Saves what was changed of a collection, its picture among it. A picture is decoded and stored before the transaction, so
// that it stays short; and for those only who may set it.
import { type Actor, write } from "#platform/changes/write.js";
import { fail } from "#platform/errors.js";
import type { Resources } from "#platform/http/resources.js";
import type { SignedIn } from "#platform/http/viewer.js";
import { addPicture, storeIcon } from "#platform/pictures/write.js";
import { canEditCollection, followsId } from "./policy.js";
import { findVisibleCollection } from "./read.js";
import { editCollection, type NewCollection } from "./write.js";

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
  if (id === followsId)
    throw fail.wrongState("The collection of what you follow cannot be edited; follow and unfollow projects instead");
}

async function storeCollectionIcon(resources: Resources, viewer: SignedIn, id: string, bytes: Buffer) {
  const collection = await findVisibleCollection(resources.db, viewer, id);
  if (!collection) throw fail.collectionNotFound();
  if (!canEditCollection(viewer, collection)) throw fail.ownerOnly();
  return storeIcon(resources, bytes);
}
