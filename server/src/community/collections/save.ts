// Saving a project with one click: to the collection that the user saved to last, or to a private one that is created for
// this. Only the user's own collections take part, also for moderators, who may edit those of others.

import { lockUser } from "#accounts/users/locking.js";
import type { Tx } from "#platform/changes/write.js";
import { fail } from "#platform/errors.js";
import type { SignedIn } from "#platform/http/viewer.js";
import { addProjects, createCollection, type NewCollection, removeProjects } from "./edit.js";

/** The last used collection of the user, or else a new one with the given name. */
export async function saveProject(tx: Tx, viewer: SignedIn, projectId: string, firstName: string): Promise<void> {
  // Two clicks at the same time must not create two collections.
  await lockUser(tx, viewer.user.id);
  const last = await tx.db
    .selectFrom("collections")
    .select("id")
    .where("user_id", "=", viewer.user.id)
    .where("date_saved_to", "is not", null)
    .orderBy("date_saved_to", "desc")
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  if (last) await saveTo(tx, viewer, projectId, last.id);
  else await saveToNew(tx, viewer, projectId, { name: firstName, description: "", visibility: "private" });
}

export async function saveTo(tx: Tx, viewer: SignedIn, projectId: string, id: string): Promise<void> {
  await needOwn(tx, viewer, id);
  await addProjects(tx, viewer, id, [projectId]);
  await noteUse(tx, id);
}

export async function saveToNew(tx: Tx, viewer: SignedIn, projectId: string, input: NewCollection): Promise<void> {
  await noteUse(tx, await createCollection(tx, viewer, input, [projectId]));
}

export async function removeFrom(tx: Tx, viewer: SignedIn, projectId: string, id: string): Promise<void> {
  await needOwn(tx, viewer, id);
  await removeProjects(tx, viewer, id, [projectId]);
}

async function needOwn({ db }: Tx, { user }: SignedIn, id: string): Promise<void> {
  const own = await db
    .selectFrom("collections")
    .select("id")
    .where("id", "=", id)
    .where("user_id", "=", user.id)
    .executeTakeFirst();
  if (!own) throw fail.collectionNotFound();
}

const noteUse = ({ db, now }: Tx, id: string) =>
  db.updateTable("collections").set({ date_saved_to: now }).where("id", "=", id).execute();
