// Visibility of projects (decisions §5): one condition, inside the query, used by every read.
import { type RawBuilder, sql } from "kysely";
import { isMemberOfProject } from "#content/members/rights.js";
import type { Project } from "#content/shapes/project.js";
import { isStaff, type Viewer } from "#platform/http/viewer.js";

/** Visible to everyone: approved, and not private. */
export const isPublicProject: RawBuilder<boolean> = sql<boolean>`(projects.status = 'approved' and projects.visibility <> 'private')`;

/** Shown in public lists: search, random, feeds. */
export const isListedProject: RawBuilder<boolean> = sql<boolean>`(projects.status = 'approved' and projects.visibility in ('listed', 'archived'))`;

/** The same for a project that was read. */
export const isListed = ({ status, visibility }: Pick<Project, "status" | "visibility">): boolean =>
  status === "approved" && (visibility === "listed" || visibility === "archived");

/** Everyone sees public projects; members also see all of their own, and staff see all projects. */
export function visibleTo(viewer: Viewer): RawBuilder<boolean> {
  if (viewer.kind === "anonymous") return isPublicProject;
  if (isStaff(viewer)) return sql<boolean>`1 = 1`;
  return sql<boolean>`(${isPublicProject} or ${isMemberOfProject(viewer.user)})`;
}
