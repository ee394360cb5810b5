// Holds a project's row until the transaction ends: who reads a project and then writes what follows from it must not
// meet another who does the same.

import type { ProjectPermission } from "#content/members/permissions.js";
import { allow, allowOwner, findProjectStanding } from "#content/members/standing.js";
import { type Actor, type Tx, type Writing, write } from "#platform/changes/write.js";
import type { Row } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import type { SignedIn } from "#platform/http/viewer.js";
import { findVisibleRow } from "./editing.js";

/** The row as it is once it is held. Written as an update that changes nothing: SQLite knows no FOR UPDATE. */
export async function lockProject(tx: Tx, projectId: string): Promise<Row<"projects">> {
  const row = await tx.db
    .updateTable("projects")
    .set((column) => ({ followers: column.ref("followers") }))
    .where("id", "=", projectId)
    .returningAll()
    .executeTakeFirst();
  // Deleted by another request since this one found it.
  if (!row) throw fail.projectNotFound();
  return row;
}

/** What a call to a project's route says about whom and which. */
export interface ProjectCall {
  params: { ref: string };
  viewer: SignedIn;
  actor: Actor;
}

/** Changes the project in a transaction of its own, if the caller may: 404 where he does not see it, 403 where he may not. */
export const changeProject = <T>(
  to: Writing,
  { params, viewer, actor }: ProjectCall,
  needed: ProjectPermission | "owner",
  change: (tx: Tx, project: Row<"projects">) => Promise<T>,
): Promise<T> =>
  write(to, actor, async (tx) => {
    const found = await findVisibleRow(tx.db, viewer, params.ref);
    if (!found) throw fail.projectNotFound();
    // Held before the question: the answer is about a project that is still there.
    const project = await lockProject(tx, found.id);
    const standing = await findProjectStanding(tx.db, viewer.user, project.id);
    if (needed === "owner") allowOwner(standing);
    else allow(standing, needed);
    return change(tx, project);
  });
