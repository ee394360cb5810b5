// Who sees a project (decisions §5): one predicate, inside the query, used by every read.
import { type RawBuilder, sql } from "kysely";
import type { Viewer, ViewerUser } from "#platform/http/viewer.js";

/** Everyone's: approved, and not private. */
export const isPublicProject: RawBuilder<boolean> = sql<boolean>`(projects.status = 'approved' and projects.visibility <> 'private')`;

/** Shown in lists that are not the author's own: search, random, feeds. */
export const isListedProject: RawBuilder<boolean> = sql<boolean>`(projects.status = 'approved' and projects.visibility in ('listed', 'archived'))`;

/** Accepted members of the project's team, or of the team of its organization. Pending invitees have no rights. */
export const isMemberOfProject = ({
  id,
  boundTo,
}: ViewerUser): RawBuilder<boolean> => sql<boolean>`(${isReached(boundTo)} and exists (
  select 1 from team_members
  where team_members.user_id = ${id} and team_members.accepted = 1
    and (team_members.team_id = projects.team_id
      or team_members.team_id = (select organizations.team_id from organizations where organizations.id = projects.org_id))))`;

const isReached = (boundTo: string | undefined): RawBuilder<boolean> =>
  boundTo === undefined ? sql<boolean>`1 = 1` : sql<boolean>`projects.id = ${boundTo}`;

export const isStaff = (viewer: Viewer): boolean => viewer.kind !== "anonymous" && viewer.user.role !== "user";

/** Strangers see public projects; members and moderators see all of theirs, whatever its state. */
export function visibleTo(viewer: Viewer): RawBuilder<boolean> {
  if (viewer.kind === "anonymous") return isPublicProject;
  if (isStaff(viewer)) return sql<boolean>`1 = 1`;
  return sql<boolean>`(${isPublicProject} or ${isMemberOfProject(viewer.user)})`;
}
