// Participants of a thread, and the messages that they see.
import { type RawBuilder, sql } from "kysely";
import { isMemberOfProject } from "#content/members/rights.js";
import { isStaff, type SignedIn } from "#platform/http/viewer.js";

/**
 * The reporter, or the accepted members of the project and of its organization, and moderators. A condition for queries
 * over threads joined with projects and reports.
 */
export function takesPart(viewer: SignedIn): RawBuilder<boolean> {
  if (isStaff(viewer)) return sql<boolean>`1 = 1`;
  const { id } = viewer.user;
  return sql<boolean>`(
    (threads.type = 'project' and ${isMemberOfProject(viewer.user)}) or (threads.type = 'report' and reports.reporter_id = ${id}))`;
}

/** Private notes are visible to moderators only. */
export const isShownTo = (viewer: SignedIn): RawBuilder<boolean> =>
  isStaff(viewer) ? sql<boolean>`1 = 1` : sql<boolean>`thread_messages.is_private = 0`;

/** Replaces the names of moderators for other users. */
export const moderatorName = "moderator";

/** How many messages a user can send in a row without an answer. */
export const maxUnanswered = 30;
