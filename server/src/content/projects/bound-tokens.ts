// The project that a token may be bound to.
import type { Db } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import type { SignedIn } from "#platform/http/viewer.js";
import { getEditableProject } from "./editing.js";

/** The id of the project. A user who does not work on it does not find it: the token could do nothing there. */
export async function getBoundId(db: Db, viewer: SignedIn, ref: string): Promise<string> {
  const { project, standing } = await getEditableProject(db, viewer, ref);
  if (!standing.isOwner && standing.permissions.size === 0) throw fail.projectNotFound();
  return project.id;
}
