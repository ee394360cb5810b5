// Who sees a project (decisions §5): one predicate, inside the query, used by every read.
import { type RawBuilder, sql } from "kysely";
import { isMemberOfProject } from "#content/members/standing.js";
import { isStaff, type Viewer } from "#platform/http/viewer.js";

/** Everyone's: approved, and not private. */
export const isPublicProject: RawBuilder<boolean> = sql<boolean>`(projects.status = 'approved' and projects.visibility <> 'private')`;

/** Shown in lists that are not the author's own: search, random, feeds. */
export const isListedProject: RawBuilder<boolean> = sql<boolean>`(projects.status = 'approved' and projects.visibility in ('listed', 'archived'))`;

/** Strangers see public projects; members and moderators see all of theirs, whatever its state. */
export function visibleTo(viewer: Viewer): RawBuilder<boolean> {
  if (viewer.kind === "anonymous") return isPublicProject;
  if (isStaff(viewer)) return sql<boolean>`1 = 1`;
  return sql<boolean>`(${isPublicProject} or ${isMemberOfProject(viewer.user)})`;
}
