// Who takes part in a conversation, and what he sees of it.
import { type RawBuilder, sql } from "kysely";
import { isMemberOfProject } from "#content/members/standing.js";
import { isStaff, type SignedIn } from "#platform/http/viewer.js";

/**
 * The reporter, or the accepted members of the project and of its organization; and moderators. Inside a query over
 * threads with the projects and reports they are about.
 */
export function takesPart(viewer: SignedIn): RawBuilder<boolean> {
  if (isStaff(viewer)) return sql<boolean>`1 = 1`;
  const { id } = viewer.user;
  return sql<boolean>`(
    (threads.type = 'project' and ${isMemberOfProject(viewer.user)}) or (threads.type = 'report' and reports.reporter_id = ${id}))`;
}

/** The notes among moderators are for them alone. */
export const isShownTo = (viewer: SignedIn): RawBuilder<boolean> =>
  isStaff(viewer) ? sql<boolean>`1 = 1` : sql<boolean>`thread_messages.is_private = 0`;

/** Stands for all moderators, whose names stay among themselves. */
export const moderatorName = "moderator";

/** Whoever waits for an answer can say so much in a row. */
export const maxUnanswered = 30;
